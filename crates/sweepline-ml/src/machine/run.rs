//! The interpreter loop.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::core::ExnId;
use crate::prim::{Arith, Comparison, Operand};
use crate::source::Span;

use super::bits::low_bits;
use super::code::{FunctionId, Instr, REGISTERS};
use super::heap::{Heap, small_number, small_word};
use super::layout::Word;
use super::outside::Outside;
use super::raised::{Cause, Raised, Stop};
use super::{Machine, prims};

/// The fuel between two checks of the stop flag: some 50 ms.
const SLICE: i64 = 4_000_000;

/// A stack frame: where to return to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    back: u32,
    base: u32,
}

/// An exception handler.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handler {
    frames: u32,
    base: u32,
    target: u32,
    register: u8,
}

/// The current position of the machine.
pub(super) struct At {
    pub(super) pc: usize,
    pub(super) base: usize,
}

impl Machine {
    /// Runs a function whose arguments are at the bottom of the stack.
    pub(super) fn start(
        &mut self,
        function: FunctionId,
        outside: Option<&dyn Outside>,
    ) -> Result<Word, Raised> {
        self.frames.clear();
        self.handlers.clear();
        self.within.clear();
        self.refuel();
        self.proceed(function, 0, outside).map_err(|(stop, at)| self.failed(&stop, &at, function))
    }

    pub(super) fn refuel(&mut self) {
        self.fuel = i64::try_from(self.limits.fuel).unwrap_or(i64::MAX);
    }

    /// Runs a function whose arguments are at `base`, with its own frames and handlers.
    pub(super) fn proceed(
        &mut self,
        function: FunctionId,
        base: usize,
        outside: Option<&dyn Outside>,
    ) -> Result<Word, (Stop, At)> {
        let entry = self.code.functions[function.0 as usize].entry as usize;
        let mut at = At { pc: entry, base };
        loop {
            let stop = match self.run(&mut at) {
                Stop::Ask(to, first, call) => match self.ask(&at, first, call, outside) {
                    Ok(word) => {
                        self.stack[at.base + usize::from(to)] = word;
                        continue;
                    }
                    Err(stop) => stop,
                },
                stop => stop,
            };
            match (stop, self.handlers.last().copied()) {
                (Stop::Done(word), _) => return Ok(word),
                (Stop::Exn(exn), Some(handler)) => {
                    self.within.clear();
                    self.handlers.pop();
                    self.frames.truncate(handler.frames as usize);
                    at = At { pc: handler.target as usize, base: handler.base as usize };
                    self.stack[at.base + usize::from(handler.register)] = exn;
                }
                (stop, _) => return Err((stop, at)),
            }
        }
    }

    fn failed(&self, stop: &Stop, at: &At, function: FunctionId) -> Raised {
        let mut places = self.places(stop, at, function);
        let mut raised = self.raised(stop.clone());
        raised.span = places.next();
        raised.calls = places.collect();
        raised.calls.dedup();
        raised
    }

    /// The position of an error, and the calls that led to it, innermost first.
    pub(super) fn places(
        &self,
        stop: &Stop,
        at: &At,
        function: FunctionId,
    ) -> impl Iterator<Item = Span> {
        // The program counter is after the instruction. An exception that was raised again has its original
        // position.
        let here = match stop {
            Stop::Exn(_) => self.origin,
            _ => at.pc as u32 - 1,
        };
        let calls = self.frames.iter().rev().filter_map(|f| self.code.span(f.back - 1));
        let own = self.code.span(here).into_iter().chain(calls.take(Raised::MOST_CALLS));
        // Tail calls leave no frame, but the first function is known.
        let first = self.code.functions[function.0 as usize].span;
        let within = self.within.iter().copied();
        within.chain(own).chain([first]).collect::<Vec<_>>().into_iter()
    }

    pub(crate) fn raised(&self, stop: Stop) -> Raised {
        let cause = match stop {
            Stop::Exn(word) => {
                let (exn, shown) = self.show_exn(word);
                Cause::Exception { exn, shown, int_bits: self.code.int_bits }
            }
            Stop::Fuel => Cause::Fuel(self.limits.fuel),
            Stop::Stopped => Cause::Stopped,
            Stop::Heap => Cause::Heap(self.limits.heap),
            Stop::Stack => Cause::Stack(self.limits.stack),
            Stop::Number => Cause::Number(super::heap::MOST_DIGITS * 64),
            Stop::Refused(what, why) => Cause::Refused { what, why },
            Stop::Outside => Cause::Outside,
            Stop::Malformed | Stop::Done(_) | Stop::Ask(..) => Cause::Malformed,
        };
        Raised { cause, span: None, calls: Vec::new() }
    }

    /// Runs until the evaluation ends.
    #[allow(clippy::too_many_lines, reason = "one arm for each instruction")]
    fn run(&mut self, at: &mut At) -> Stop {
        let Machine { code, heap, stack, frames, handlers, globals, limits, world, .. } = self;
        let (fuel, floor, dirty) = (&mut self.fuel, self.floor, &mut self.dirty);
        let code = &**code;
        let instrs = &code.instrs[..];
        let high = (1i64 << (code.int_bits - 1)) - 1;
        let low = -high - 1;
        let most_words = limits.stack / 8;
        let mut look_at = (*fuel - SLICE).max(0);
        let (mut pc, mut base) = (at.pc, at.base);
        let mut regs = window(stack, base);
        // A macro, since `break` must leave this loop.
        macro_rules! ok {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(stop) => break Stop::from(stop),
                }
            };
        }
        macro_rules! get {
            ($register:expr) => {
                regs[usize::from($register)]
            };
        }
        macro_rules! int {
            ($register:expr) => {
                regs[usize::from($register)] as i64
            };
        }
        macro_rules! set_int {
            ($register:expr, $value:expr) => {{
                let value: i64 = $value;
                if value < low || value > high {
                    break Stop::from(ExnId::OVERFLOW);
                }
                regs[usize::from($register)] = value as Word;
            }};
        }
        macro_rules! burn {
            () => {
                *fuel -= 1;
                if *fuel < look_at {
                    look_at = ok!(look(*fuel, &limits.stop));
                }
            };
        }
        macro_rules! enter {
            ($first:expr, $target:expr) => {{
                burn!();
                let deeper = base + usize::from($first);
                if deeper + REGISTERS > stack.len() {
                    ok!(grow(stack, deeper + REGISTERS, most_words));
                }
                frames.push(Frame { back: pc as u32, base: base as u32 });
                base = deeper;
                regs = window(stack, base);
                pc = $target as usize;
            }};
        }
        macro_rules! jump {
            ($condition:expr, $target:expr) => {
                if $condition {
                    pc = $target as usize;
                }
            };
        }
        let stop = loop {
            let instr = instrs[pc];
            pc += 1;
            match instr {
                Instr::Move(to, from) => get!(to) = get!(from),
                Instr::Copy(to, from, count) => {
                    let from = usize::from(from);
                    regs.copy_within(from..from + usize::from(count), usize::from(to));
                }
                Instr::Const(to, value) => get!(to) = i64::from(value) as Word,
                Instr::Wide(to, at) => get!(to) = code.wide[at as usize],
                Instr::Global(to, at) => get!(to) = globals[at as usize],
                Instr::SetGlobal(from, at) => globals[at as usize] = get!(from),

                Instr::Add(to, a, b) => set_int!(to, int!(a) + int!(b)),
                Instr::AddConst(to, a, value) => set_int!(to, int!(a) + i64::from(value)),
                Instr::Subtract(to, a, b) => set_int!(to, int!(a) - int!(b)),
                Instr::Multiply(to, a, b) => {
                    set_int!(to, int!(a).checked_mul(int!(b)).unwrap_or(i64::MAX));
                }
                Instr::Div(to, a, b) => set_int!(to, ok!(div_mod(int!(a), int!(b))).0),
                Instr::Mod(to, a, b) => set_int!(to, ok!(div_mod(int!(a), int!(b))).1),
                Instr::Negate(to, a) => set_int!(to, -int!(a)),
                Instr::Abs(to, a) => set_int!(to, int!(a).abs()),
                Instr::Real(op, to, a, b) => get!(to) = real(op, get!(a), get!(b)),
                Instr::Large(op, to, a, b) => {
                    get!(to) = ok!(large(heap, fuel, op, get!(a), get!(b)));
                }
                Instr::Sized(operand, op, to, a, b) => {
                    get!(to) = ok!(sized(operand, code.int_bits, op, get!(a), get!(b)));
                }

                Instr::Compare(op, to, a, b) => {
                    get!(to) = Word::from(holds(op, int!(a).cmp(&int!(b))));
                }
                Instr::CompareReal(op, to, a, b) => {
                    let order = f64::from_bits(get!(a)).partial_cmp(&f64::from_bits(get!(b)));
                    get!(to) = Word::from(order.is_some_and(|order| holds(op, order)));
                }
                Instr::CompareLarge(op, to, a, b) => {
                    let (a, b) = (get!(a), get!(b));
                    *fuel -= prims::large_size(heap, a) + prims::large_size(heap, b);
                    let order = prims::compare_large(heap, a, b);
                    get!(to) = Word::from(holds(op, order));
                }
                Instr::CompareUnsigned(op, to, a, b) => {
                    get!(to) = Word::from(holds(op, get!(a).cmp(&get!(b))));
                }
                Instr::EqualReal(to, a, b) => {
                    get!(to) = Word::from(f64::from_bits(get!(a)) == f64::from_bits(get!(b)));
                }
                Instr::Same(to, a, b) => get!(to) = Word::from(get!(a) == get!(b)),
                Instr::Not(to, a) => get!(to) = get!(a) ^ 1,

                Instr::Jump(target) => pc = target as usize,
                Instr::Loop(target) => {
                    burn!();
                    pc = target as usize;
                }
                Instr::JumpLess(a, b, target) => jump!(int!(a) < int!(b), target),
                Instr::JumpNotLess(a, b, target) => jump!(int!(a) >= int!(b), target),
                Instr::JumpSame(a, b, target) => jump!(get!(a) == get!(b), target),
                Instr::JumpDifferent(a, b, target) => jump!(get!(a) != get!(b), target),
                Instr::JumpLessConst(a, value, target) => jump!(int!(a) < value.into(), target),
                Instr::JumpNotLessConst(a, value, target) => {
                    jump!(int!(a) >= value.into(), target);
                }
                Instr::JumpIs(a, value, target) => jump!(int!(a) == i64::from(value), target),
                Instr::JumpIsNot(a, value, target) => jump!(int!(a) != i64::from(value), target),
                Instr::Switch(a, table) => {
                    pc = code.switches[table as usize][get!(a) as usize] as usize;
                }
                Instr::Tag(to, a, count) => {
                    let word = get!(a);
                    get!(to) = if word < count.into() { word } else { heap.get(word, 0) };
                }

                Instr::Block(to, first, count) => {
                    let first = usize::from(first);
                    let fields = &regs[first..first + usize::from(count)];
                    get!(to) = ok!(heap.allocate(fields));
                }
                Instr::Pair(to, a, b) => get!(to) = ok!(heap.pair(get!(a), get!(b))),
                Instr::Zeros(to, count) => get!(to) = ok!(heap.reserve(count as usize)) as Word,
                Instr::Cells(to, count) => get!(to) = ok!(heap.cells(count as usize, 0)),
                Instr::Field(to, a, offset) => get!(to) = heap.get(get!(a), offset as usize),
                Instr::SetField(a, from, offset) => {
                    heap.words[get!(a) as usize + offset as usize] = get!(from);
                }
                Instr::Inside(to, a, offset) => get!(to) = get!(a) + Word::from(offset),
                Instr::Assign(a, from, layout) => {
                    let cell = get!(a) as usize;
                    heap.words[cell] = get!(from);
                    if cell < floor {
                        dirty.push((cell, layout));
                    }
                }

                Instr::Call(first, target) => enter!(first, target),
                Instr::TailCall(first, count, target) => {
                    burn!();
                    let first = usize::from(first);
                    regs.copy_within(first..first + usize::from(count), 0);
                    pc = target as usize;
                }
                Instr::CallClosure(first, count, function) => {
                    let closure = get!(function);
                    get!(first + count) = closure;
                    let target = code.functions[heap.get(closure, 0) as usize].entry;
                    enter!(first, target);
                }
                Instr::TailCallClosure(first, count, function) => {
                    burn!();
                    let closure = get!(function);
                    let first = usize::from(first);
                    regs.copy_within(first..first + usize::from(count), 0);
                    get!(count) = closure;
                    pc = code.functions[heap.get(closure, 0) as usize].entry as usize;
                }
                Instr::Return(a) => {
                    let value = get!(a);
                    let Some(frame) = frames.pop() else { break Stop::Done(value) };
                    regs[0] = value;
                    pc = frame.back as usize;
                    base = frame.base as usize;
                    regs = window(stack, base);
                }

                Instr::Raise(a) => break Stop::Exn(get!(a)),
                Instr::RaiseConst(exn) => break Stop::Exn(exn.into()),
                Instr::Handle(register, target) => handlers.push(Handler {
                    frames: frames.len() as u32,
                    base: base as u32,
                    target,
                    register,
                }),
                Instr::EndHandle => {
                    handlers.pop();
                }
                Instr::Pass(a) => {
                    (at.pc, at.base) = (pc, base);
                    return Stop::Exn(get!(a));
                }
                Instr::Refuse(at) => {
                    let (what, why) = code.refusals[at as usize];
                    break Stop::Refused(what, why);
                }
                Instr::Prim(to, first, at) => {
                    let call = code.prims[at as usize];
                    let args = &regs[usize::from(first)..];
                    let mut context = prims::Context { code, heap, world, fuel, floor, dirty };
                    get!(to) = ok!(context.prim(call, args));
                }
                Instr::Ask(to, first, at) => break Stop::Ask(to, first, at),
            }
        };
        (at.pc, at.base) = (pc, base);
        self.origin = pc as u32 - 1;
        stop
    }
}

/// Checks whether an evaluation with this much fuel left may continue. Returns the amount of fuel at which to
/// check again.
#[cold]
fn look(fuel: i64, stop: &AtomicU8) -> Result<i64, Stop> {
    if fuel < 0 {
        return Err(Stop::Fuel);
    }
    match stop.load(Ordering::Relaxed) {
        0 => Ok((fuel - SLICE).max(0)),
        _ => Err(Stop::Stopped),
    }
}

fn window(stack: &mut [Word], base: usize) -> &mut [Word; REGISTERS] {
    let frame = &mut stack[base..base + REGISTERS];
    frame.try_into().expect("a slice of that length")
}

#[cold]
pub(super) fn grow(stack: &mut Vec<Word>, needed: usize, most: usize) -> Result<(), Stop> {
    if needed > most {
        return Err(Stop::Stack);
    }
    stack.resize((stack.len() * 2).clamp(needed, most), 0);
    Ok(())
}

fn holds(op: Comparison, order: std::cmp::Ordering) -> bool {
    match op {
        Comparison::Less => order.is_lt(),
        Comparison::LessEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::GreaterEqual => order.is_ge(),
    }
}

/// Division that rounds down; the remainder has the sign of the divisor.
fn div_mod(a: i64, b: i64) -> Result<(i64, i64), ExnId> {
    if b == 0 {
        return Err(ExnId::DIV);
    }
    let (quotient, rest) = (a.wrapping_div(b), a.wrapping_rem(b));
    let down = rest != 0 && (rest < 0) != (b < 0);
    Ok(if down { (quotient - 1, rest + b) } else { (quotient, rest) })
}

fn real(op: Arith, a: Word, b: Word) -> Word {
    let (a, b) = (f64::from_bits(a), f64::from_bits(b));
    let value = match op {
        Arith::Add => a + b,
        Arith::Subtract => a - b,
        Arith::Multiply => a * b,
        Arith::Divide | Arith::Div => a / b,
        Arith::Mod => a % b,
        Arith::Negate => -a,
        Arith::Abs => a.abs(),
    };
    value.to_bits()
}

/// Arithmetic on numbers of less than 64 bits. `None` if the product has more.
#[inline]
fn whole(op: Arith, a: i64, b: i64) -> Result<Option<i64>, ExnId> {
    Ok(match op {
        Arith::Add => Some(a + b),
        Arith::Subtract => Some(a - b),
        Arith::Multiply => a.checked_mul(b),
        Arith::Div | Arith::Divide => Some(div_mod(a, b)?.0),
        Arith::Mod => Some(div_mod(a, b)?.1),
        Arith::Negate => Some(-a),
        Arith::Abs => Some(a.abs()),
    })
}

/// Arithmetic on words, which wraps around, and on `Int32.int`, which does not.
fn sized(operand: Operand, int_bits: u32, op: Arith, a: Word, b: Word) -> Result<Word, ExnId> {
    if operand == Operand::Int32 {
        let value = whole(op, a as i64, b as i64)?.and_then(|value| i32::try_from(value).ok());
        return value.map(|value| i64::from(value) as Word).ok_or(ExnId::OVERFLOW);
    }
    let bits = match operand {
        Operand::Word8 => 8,
        Operand::Word32 => 32,
        _ => int_bits,
    };
    let value = match op {
        Arith::Add => a.wrapping_add(b),
        Arith::Subtract => a.wrapping_sub(b),
        Arith::Multiply => a.wrapping_mul(b),
        Arith::Div | Arith::Divide => a.checked_div(b).ok_or(ExnId::DIV)?,
        Arith::Mod => a.checked_rem(b).ok_or(ExnId::DIV)?,
        Arith::Negate => a.wrapping_neg(),
        Arith::Abs => a,
    };
    Ok(value & low_bits(bits))
}

/// Arithmetic on small numbers, which most time stamps are, without the heap.
fn large(heap: &mut Heap, fuel: &mut i64, op: Arith, a: Word, b: Word) -> Result<Word, Stop> {
    if let (Some(x), Some(y)) = (small_number(a), small_number(b))
        && let Some(word) = whole(op, x, y)?.and_then(small_word)
    {
        return Ok(word);
    }
    prims::large(heap, fuel, op, a, b)
}
