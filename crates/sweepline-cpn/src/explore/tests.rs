//! Small nets with known state spaces, and the rules of CPN Tools one by one.

use sweepline::progress::Trivial;
use sweepline::{Options, WitnessMode, explore};
use sweepline_ml::{Environment, Limits};

use super::model::CpnModel;
use crate::net::{Input, Output, Place, Slot, Transition, conjunct};
use crate::{Behaviour, BehaviourId, PageId, PlaceId};

struct Net(crate::Net);

impl Net {
    fn new(declarations: &str) -> Self {
        let mut environment = Environment::default();
        environment.declare_ml("declarations", declarations).unwrap();
        Net(crate::Net::bare(environment))
    }
    fn place(&mut self, name: &str, set: &str, initial: &str) -> usize {
        let environment = &mut self.0.environment;
        let colour_set = environment.find_colour_set(set).unwrap();
        let initial = (!initial.is_empty())
            .then(|| environment.initial_marking(name, initial, colour_set).unwrap());
        let (name, timed) = (name.to_owned(), environment.colour_set(colour_set).timed);
        let (page, members) = (PageId(0), Vec::new());
        self.0.places.push(Place { name, page, instance: 1, colour_set, timed, initial, members });
        self.0.places.len() - 1
    }
    fn transition(
        &mut self,
        name: &str,
        guard: &str,
        inputs: &[(usize, &str)],
        outputs: &[(usize, &str)],
    ) {
        let environment = &mut self.0.environment;
        let guard = environment.guard(name, guard).unwrap();
        let guard = guard.into_iter().map(|expr| conjunct(environment, expr)).collect();
        let mut arc = |&(place, text): &(usize, &str)| {
            let set = self.0.places[place].colour_set;
            (Slot(place as u32), environment.arc(name, text, set).unwrap())
        };
        let inputs = inputs.iter().map(&mut arc).map(|(slot, inscription)| {
            let (terms, needs) = (None, Vec::new());
            Input { slot, inscription, terms, needs }
        });
        let inputs = inputs.collect();
        let outputs = outputs.iter().map(&mut arc);
        let outputs =
            outputs.map(|(slot, inscription)| Output { slot, inscription, needs: Vec::new() });
        self.0.behaviours.push(Behaviour {
            title: name.to_owned(),
            guard,
            inputs,
            outputs: outputs.collect(),
            ..Behaviour::default()
        });
        self.0.transitions.push(Transition {
            name: name.to_owned(),
            id: name.to_owned(),
            is_named: true,
            page: PageId(0),
            instance: 1,
            behaviour: BehaviourId(self.0.behaviours.len() as u32 - 1),
            places: (0..self.0.places.len() as u32).map(PlaceId).collect(),
        });
    }
    fn counts(self) -> (u64, u64, u64) {
        let model = CpnModel::new(&self.0, Limits::default()).unwrap();
        let options = Options { witness: WitnessMode::Off, ..Options::default() };
        let run = explore(&model, &Trivial, &options, &mut ());
        assert_eq!(run.stop, None);
        let s = run.statistics;
        (s.explored, s.edges, s.dead)
    }
}

fn data_base(n: u32) -> Net {
    let mut net = Net::new(&format!(
        "val n = {n};
         colset DBM = index d with 1..n;
         colset PR = product DBM * DBM;
         fun diff (x, y) = (x <> y);
         colset MES = subset PR by diff;
         colset E = with e;
         fun Mes s = PR.mult (1`s, DBM.all() -- 1`s);
         var s, r : DBM;"
    ));
    let waiting = net.place("Waiting", "DBM", "");
    let inactive = net.place("Inactive", "DBM", "DBM.all()");
    let performing = net.place("Performing", "DBM", "");
    let unused = net.place("Unused", "MES", "MES.all()");
    let sent = net.place("Sent", "MES", "");
    let received = net.place("Received", "MES", "");
    let acked = net.place("Acknowledged", "MES", "");
    let passive = net.place("Passive", "E", "e");
    let active = net.place("Active", "E", "");
    net.transition(
        "Update",
        "",
        &[(inactive, "s"), (passive, "e"), (unused, "Mes s")],
        &[(waiting, "s"), (active, "e"), (sent, "Mes s")],
    );
    net.transition(
        "Receive",
        "",
        &[(inactive, "r"), (sent, "(s,r)")],
        &[(performing, "r"), (received, "(s,r)")],
    );
    net.transition(
        "Send",
        "",
        &[(performing, "r"), (received, "(s,r)")],
        &[(inactive, "r"), (acked, "(s,r)")],
    );
    net.transition(
        "ReceiveAll",
        "",
        &[(waiting, "s"), (active, "e"), (acked, "Mes s")],
        &[(inactive, "s"), (passive, "e"), (unused, "Mes s")],
    );
    net
}

#[test]
fn data_bases() {
    for (n, states, arcs) in [(2, 7, 8), (3, 28, 42), (5, 406, 1090), (7, 5104, 20426)] {
        let (s, a, dead) = data_base(n).counts();
        assert_eq!((s, a, dead), (states, arcs, 0), "{n}");
    }
}

fn philosophers(n: u32) -> Net {
    let mut net = Net::new(&format!(
        "val n = {n};
         colset PH = index ph with 1..n;
         colset CS = index cs with 1..n;
         var p : PH;
         fun Chopsticks (ph i) = 1`cs i ++ 1`cs (if i = n then 1 else i + 1);"
    ));
    let think = net.place("Think", "PH", "PH.all()");
    let unused = net.place("Unused", "CS", "CS.all()");
    let eat = net.place("Eat", "PH", "");
    net.transition("Take", "", &[(think, "p"), (unused, "Chopsticks p")], &[(eat, "p")]);
    net.transition("Put", "", &[(eat, "p")], &[(think, "p"), (unused, "Chopsticks p")]);
    net
}

#[test]
fn dining() {
    for (n, states, arcs) in [(5, 11, 30), (10, 123, 680), (15, 1364, 11310)] {
        let (s, a, dead) = philosophers(n).counts();
        assert_eq!((s, a, dead), (states, arcs, 0), "{n}");
    }
}

#[test]
fn joint_binding() {
    let mut net = Net::new("colset I = int; var x, y : I;");
    let a = net.place("A", "I", "1`1++2`2");
    let b = net.place("B", "I", "");
    net.transition("T", "", &[(a, "1`x++1`y")], &[(b, "x*10+y")]);
    // three bindings, each leaves one token
    let (s, arcs, dead) = net.counts();
    assert_eq!((s, arcs, dead), (4, 3, 3));
}

#[test]
fn guards_bind_and_keys_are_computed() {
    let mut net =
        Net::new("colset I = int; colset P = product I * I; var x, y, z : I; fun f x = x + 1;");
    let a = net.place("A", "P", "1`(1,2)++1`(1,7)++1`(3,4)");
    let b = net.place("B", "I", "");
    net.transition("T", "z = x * 2", &[(a, "(x, f x)")], &[(b, "z")]);
    let (s, arcs, dead) = net.counts();
    assert_eq!((s, arcs, dead), (4, 4, 1));
}

/// The times of the dead markings, and the counts.
fn times(net: Net) -> (u64, u64, Vec<i64>) {
    let model = CpnModel::new(&net.0, Limits::default()).unwrap();
    let mut dead: Vec<i64> = Vec::new();
    let (mut states, mut arcs) = (0, 0);
    let mut seen = std::collections::HashSet::new();
    let mut work = sweepline::model::initial(&model);
    while let Some(state) = work.pop() {
        if !seen.insert(sweepline::model::bytes_of(&model, &state)) {
            continue;
        }
        states += 1;
        let next = sweepline::model::successors(&model, &state).unwrap();
        arcs += next.len() as u64;
        if next.is_empty() {
            dead.push(state.time);
        }
        work.extend(next.into_iter().map(|(_, s)| s));
    }
    dead.sort_unstable();
    (states, arcs, dead)
}

#[test]
fn delays() {
    let mut net = Net::new("colset I = int timed; var x : I;");
    let a = net.place("A", "I", "1`7@+10");
    let b = net.place("B", "I", "");
    net.transition("T", "", &[(a, "x@+4")], &[(b, "x@+2")]);
    let delay = net.0.environment.time_region("delay", "@+3").unwrap();
    net.0.behaviours[0].delay = delay;
    assert_eq!(times(net), (2, 1, vec![6]));
}

/// The token with time stamp 10 may be removed 4 units early. The token that enables this comes at 5 in the
/// second net, and at 8 in the third.
#[test]
fn delays_of_input_arcs_may_depend_on_variables() {
    for (start, end) in [("1`4", 6), ("1`4@+5", 6), ("1`4@+8", 8), ("1`4++1`20", 0), ("1`0", 10)] {
        let mut net = Net::new("colset I = int timed; var x, d : I;");
        let a = net.place("A", "I", "1`7@+10");
        let b = net.place("B", "I", "");
        let c = net.place("C", "I", start);
        net.transition("T", "", &[(a, "x@+d"), (c, "d")], &[(b, "x")]);
        let (_, _, dead) = times(net);
        assert_eq!(dead, [end], "{start}");
    }
}

#[test]
fn initial_markings_must_be_legal() {
    for (set, tokens, illegal) in [
        ("int with 1..5", "1`3++1`7", "7"),
        ("int with 1..1000", "1`1000++1`1001", "1001"),
        ("index i with 1..3", "1`i(2)++1`i(4)", "i(4)"),
        ("list E with 1..2", "1`[e]++1`[e,e,e]", "[e,e,e]"),
    ] {
        let mut net = Net::new(&format!("colset E = unit with e; colset V = {set};"));
        net.place("A", "V", tokens);
        let model = CpnModel::new(&net.0, Limits::default());
        let error = model.err().expect("it is illegal").to_string();
        let wanted = "A: the initial marking contains ";
        assert!(error.starts_with(&format!("{wanted}{illegal}, ")), "{error}");
    }
}

#[test]
fn colours_that_a_set_lacks_are_not_put_and_never_taken() {
    let net = |text: &str| {
        let mut net = Net::new("colset V = int with 1..5; colset I = int; var v : V; var n : I;");
        let a = net.place("A", "V", "1`2++1`5");
        let b = net.place("B", "I", "1`3++1`9");
        net.transition("Put", "", &[(a, "v")], &[(a, text)]);
        net.transition("Take", "", &[(b, "n"), (a, "n")], &[]);
        net
    };
    assert_eq!(net("v").counts(), (1, 2, 0));
    let model = CpnModel::new(&net("v + 1").0, Limits::default());
    let run = explore(&model.unwrap(), &Trivial, &Options::default(), &mut ());
    let stop = format!("{:?}", run.stop);
    assert!(stop.contains("Put: adds 6 to A"), "{stop}");
}

#[test]
fn time_goes_on_only_when_nothing_is_enabled() {
    let mut net = Net::new("colset I = int timed; var x : I;");
    let a = net.place("A", "I", "1`1@0+++1`2@5");
    let b = net.place("B", "I", "");
    net.transition("T", "", &[(a, "x")], &[(b, "x@+1")]);
    assert_eq!(times(net), (3, 2, vec![5]));
}

#[test]
fn markings_and_bindings_are_shown_as_in_cpn_tools() {
    let mut net = Net::new(
        "colset I = int; colset S = string; colset P = product I * S; var x : I; var s : S;",
    );
    let a = net.place("A", "P", "1`(~3,\"COL\")++2`(4,\"\")");
    let b = net.place("B", "I", "");
    net.transition("T", "x < 0", &[(a, "(x,s)")], &[(b, "x")]);
    let model = CpnModel::new(&net.0, Limits::default()).unwrap();
    let start = sweepline::model::initial(&model).swap_remove(0);
    let mut shown = model.show_marking(&start);
    shown.iter_mut().for_each(|(_, tokens)| *tokens = sorted(tokens));
    assert_eq!(shown, [("A".to_owned(), "1`((~3),\"COL\")++2`(4,\"\")".to_owned())]);
    let next = sweepline::model::successors(&model, &start).unwrap();
    assert_eq!(next.len(), 1);
    assert_eq!(model.show_occurrence(&start, next[0].0).unwrap(), "T {x=(~3),s=\"COL\"}");
    assert_eq!(model.show_occurrence(&next[0].1, next[0].0), None);
}

fn sorted(tokens: &str) -> String {
    let mut tokens: Vec<&str> = tokens.split("++").collect();
    tokens.sort_unstable();
    tokens.join("++")
}

#[test]
fn what_nothing_binds_takes_every_value_if_they_are_few() {
    let small = |set: &str| {
        let mut net = Net::new(&format!("colset E = unit with e; colset V = {set}; var v : V;"));
        let a = net.place("A", "E", "e");
        let b = net.place("B", "V", "");
        net.transition("T", "", &[(a, "e")], &[(b, "v")]);
        CpnModel::new(&net.0, Limits::default())
            .map(|model| {
                sweepline::model::successors(&model, &sweepline::model::initial(&model)[0])
                    .unwrap()
                    .len()
            })
            .map_err(|error| error.to_string())
    };
    assert_eq!(small("int with 1..100"), Ok(100));
    assert_eq!(small("with a | b | c"), Ok(3));
    let error = small("int with 1..101").unwrap_err();
    assert!(error.contains("`v` is unbound"), "{error}");
    assert!(small("int").is_err());
}

#[test]
fn exceptions_stop_the_run_with_their_place() {
    let mut net = Net::new("colset I = int; var x : I;");
    let a = net.place("A", "I", "1`0");
    net.transition("T", "", &[(a, "x")], &[(a, "10 div x")]);
    let model = CpnModel::new(&net.0, Limits::default()).unwrap();
    let run = explore(&model, &Trivial, &Options::default(), &mut ());
    let stop = format!("{:?}", run.stop);
    assert!(stop.contains("T: ") && stop.contains("Div") && stop.contains("10 div x"), "{stop}");
}
