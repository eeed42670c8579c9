//! `Script`: a file of CSPm, read and checked; its processes become compositions.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use sweepline_source::{
    Allowance, Fault, Finding, Invalid, MAX_ERRORS, Rules, Source, Span, WordList,
};

use super::ast::{Clause, Decl, Sym};
use super::component::Components;
use super::eval::{Evaluated, Evaluator, built_in_names};
use super::parse::{Include, Parse};
use super::scope;
use super::types;
use super::value::Env;
use crate::LoadErrors;
use crate::composition::{Composition, Tree};
use crate::problem::Problem;

/// Parsing and evaluation are recursive; they run on a stack of this size, which is enough for their limits.
const STACK_BYTES: usize = 1 << 29;

/// The limits of a script.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The maximal total size in bytes of the script and the files that it includes (`--max-input`).
    pub max_bytes: u64,
    /// Evaluation stops when this is not zero.
    pub stop: Arc<AtomicU8>,
    /// The maximal number of states of one component.
    pub max_component_states: usize,
    /// Folders from which `include` may read, in addition to that of the script (`--include`).
    pub folders: Vec<PathBuf>,
}

impl Default for Limits {
    /// 64 MiB, two million states, no other folder.
    fn default() -> Self {
        Limits {
            max_bytes: 64 << 20,
            stop: Arc::default(),
            max_component_states: 2_000_000,
            folders: Vec::new(),
        }
    }
}

impl Limits {
    /// Whether evaluation must stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) != 0
    }

    fn rules(&self) -> Rules {
        Rules { may_be_empty: true, ..Rules::new(self.max_bytes, "text", Invalid::Latin1) }
    }
}

/// A script in CSPm: definitions, channels and assertions.
pub struct Script {
    file: String,
    pub(super) parse: Parse,
    built_in: Vec<Sym>,
    limits: Limits,
}

impl Script {
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Reads the script at `path`, and the files that it includes: from its folder and below, or from one of
    /// [`Limits::folders`] and below.
    ///
    /// # Errors
    ///
    /// All syntax errors, all errors about names, or all type errors.
    pub fn load(path: &Path, limits: &Limits) -> Result<Self, LoadErrors> {
        Self::with_includes(path, Source::load(path, &limits.rules())?, limits)
    }

    /// As [`Script::load`], if the bytes of the file are in memory already.
    ///
    /// # Errors
    ///
    /// All syntax errors, all errors about names, or all type errors.
    pub fn load_bytes(path: &Path, bytes: &[u8], limits: &Limits) -> Result<Self, LoadErrors> {
        let name = path.display().to_string();
        let source = Source::from_bytes(&name, bytes.to_vec(), &limits.rules())?;
        Self::with_includes(path, source, limits)
    }

    fn with_includes(path: &Path, source: Source, limits: &Limits) -> Result<Self, LoadErrors> {
        let rules = limits.rules();
        let allowance = Mutex::new(Allowance::new(limits.max_bytes, source.text.len()));
        Self::new(source, limits, &|from, included| {
            let found = allowed(path, Path::new(from), included, &limits.folders);
            let read = |path: PathBuf| {
                let mut allowance = allowance.lock().unwrap_or_else(PoisonError::into_inner);
                allowance.load(&path, &rules).map_err(|fault| fault.to_string())
            };
            found
                .and_then(read)
                .map_err(|reason| Problem::CannotInclude { path: included.to_owned(), reason })
        })
    }

    /// Reads a script in memory, which includes no files. `name` is its name in messages.
    ///
    /// # Errors
    ///
    /// All syntax errors, all errors about names, or all type errors.
    pub fn read(name: &str, text: &str, limits: &Limits) -> Result<Self, LoadErrors> {
        let source = Source::new(name, text);
        Self::new(source, limits, &|_, path| {
            let reason = "a text in memory has no folder to look in".to_owned();
            Err(Problem::CannotInclude { path: path.to_owned(), reason })
        })
    }

    fn new(source: Source, limits: &Limits, include: &Include<'_>) -> Result<Self, LoadErrors> {
        let file = source.name.to_string();
        let bytes = source.text.len() as u64;
        if bytes > limits.max_bytes {
            let problem = Fault::TooLarge { bytes, max_bytes: limits.max_bytes }.into();
            return Err(LoadErrors::whole_file(&file, problem));
        }
        let limits = limits.clone();
        let mut script = Script { file, parse: Parse::default(), built_in: Vec::new(), limits };
        on_a_large_stack(|| {
            let Script { parse, built_in, .. } = &mut script;
            parse.file(source, include);
            *built_in = built_in_names().map(|name| Sym(parse.names.intern(name))).collect();
            if parse.errors.is_empty() {
                scope::check(&parse.decls, &parse.names, built_in, &mut parse.errors);
            }
            if parse.errors.is_empty() {
                types::check(&parse.decls, &parse.names, &mut parse.errors);
            }
        });
        script.complain()?;
        Ok(script)
    }

    /// The errors that were found, if any.
    fn complain(&mut self) -> Result<(), LoadErrors> {
        let mut errors = std::mem::take(&mut self.parse.errors);
        if errors.is_empty() {
            return Ok(());
        }
        errors.sort_by_key(|(span, _)| (span.source, span.start));
        let foreign = |span: &Span| self.parse.foreign.contains(&span.source);
        errors.dedup_by(|(a, _), (b, _)| a.source == b.source && foreign(a));
        let n_more = errors.len().saturating_sub(MAX_ERRORS);
        let errors = errors.into_iter().take(MAX_ERRORS);
        let errors = errors.map(|(span, problem)| self.finding(span, problem)).collect();
        Err(LoadErrors { file: self.file.clone(), errors, n_more })
    }

    fn finding(&self, span: Span, problem: Problem) -> Finding<Problem> {
        let source = &self.parse.sources[span.source.index()];
        if !self.parse.foreign.contains(&span.source) {
            // Of several lines, the first one is printed.
            let start = source.floor(span.range().start);
            let line = source.text[start..].lines().next().map_or(0, str::len);
            return Finding::new(source, start..span.range().end.min(start + line), "", problem);
        }
        let (path, reason) = (source.name.to_string(), "it is not a script in CSPm".to_owned());
        let blank = Source::new(&source.name, "");
        Finding::new(&blank, 0..0, "", Problem::CannotInclude { path, reason })
    }

    pub(super) fn names(&self) -> &WordList {
        &self.parse.names
    }

    pub(super) fn decls(&self) -> &[Decl] {
        &self.parse.decls
    }

    pub(super) fn text(&self, span: Span) -> &str {
        self.parse.sources[span.source.index()].text.get(span.range()).unwrap_or("")
    }

    /// The start of the script: the position of errors without a position.
    pub(super) fn nowhere(&self) -> Span {
        Span::START
    }

    /// The constants of the script: names that are defined without parameters.
    pub fn constants(&self) -> impl Iterator<Item = &str> {
        let constants = self.parse.decls.iter().filter_map(|decl| match decl {
            Decl::Define(definition) if definition.arity() == 0 => Some(definition.name),
            _ => None,
        });
        // The parts of `(a, b) = e` have generated names.
        constants.map(|name| self.names().text(name.0)).filter(|name| !name.contains(' '))
    }

    /// Replaces the definition of the constant `name` by `value`, an expression.
    ///
    /// # Errors
    ///
    /// If there is no such constant, or the expression has errors.
    pub fn set_constant(&mut self, name: &str, value: &str) -> Result<(), LoadErrors> {
        if !self.constants().any(|own| own == name) {
            let all: Vec<_> = self.constants().collect();
            let constants = match all.is_empty() {
                true => ": it has no constants".to_owned(),
                false => format!("; its constants are {}", all.join(", ")),
            };
            let problem = Problem::NoConstant { name: name.to_owned(), constants };
            return Err(LoadErrors::whole_file(&self.file, problem));
        }
        let body = self.expression(&format!("{name}={value}"), value)?;
        // The expression has one owner: the body that it was parsed as.
        let Ok(body) = Arc::try_unwrap(body) else { unreachable!("the body has one owner") };
        let sym = self.names().get(name).map(Sym);
        for decl in &mut self.parse.decls {
            if let Decl::Define(definition) = decl
                && Some(definition.name) == sym
            {
                definition.clauses = vec![Clause { params: Vec::new(), body: body.expr }];
                break;
            }
        }
        Ok(())
    }

    /// Parses an expression in the context of the script.
    fn expression(&mut self, name: &str, text: &str) -> Result<super::ast::Later, LoadErrors> {
        let source = Source::new(name, text);
        let Script { parse, built_in, .. } = self;
        let body = on_a_large_stack(|| {
            let body = parse.expression(source);
            if let (Ok(body), true) = (&body, parse.errors.is_empty()) {
                let errors = &mut parse.errors;
                scope::check_expression(body, &parse.decls, &parse.names, built_in, errors);
            }
            body
        });
        self.complain()?;
        Ok(body.expect("a mistake would have been reported"))
    }

    /// The process that `expression` describes, as a composition: operators at the top stay operators, and
    /// each process below is explored into an LTS.
    ///
    /// # Errors
    ///
    /// If the expression is not a process, its evaluation fails, or a component has too many states.
    pub fn compose(&mut self, expression: &str) -> Result<Composition, LoadErrors> {
        let tree = self.tree(expression)?;
        // The tree may be as deep as the script is nested.
        on_a_large_stack(|| Composition::new(tree))
            .map_err(|error| LoadErrors::whole_file(&self.file, error.into()))
    }

    /// The names of the events of a sequence: `<a, b.1>`.
    ///
    /// # Errors
    ///
    /// If the expression is not a sequence of events, or its evaluation fails.
    pub fn events(&mut self, expression: &str) -> Result<Vec<String>, LoadErrors> {
        self.evaluate(expression, |script, body| {
            let mut eval = Evaluator::new(script);
            eval.event_names(&body.expr, &mut Env::default())
        })
    }

    /// The same before flattening.
    ///
    /// # Errors
    ///
    /// If the expression is not a process, its evaluation fails, or a component has too many states.
    pub fn tree(&mut self, expression: &str) -> Result<Tree, LoadErrors> {
        self.evaluate(expression, |script, body| {
            let mut eval = Evaluator::new(script);
            let process = eval.process(&body.expr, &mut Env::default())?;
            Components::new(&mut eval, script.limits.max_component_states).tree(process)
        })
    }

    /// Evaluates an expression in the context of the script.
    fn evaluate<T: Send>(
        &mut self,
        expression: &str,
        evaluate: impl FnOnce(&Script, &super::ast::Later) -> Evaluated<T> + Send,
    ) -> Result<T, LoadErrors> {
        let body = self.expression(expression, expression)?;
        let script = &*self;
        on_a_large_stack(|| evaluate(script, &body)).map_err(|failure| {
            let (span, problem) = *failure;
            LoadErrors::one(&script.file, script.finding(span, problem))
        })
    }
}

/// The folder of a file.
fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The file that `from` includes by the name `included`: from its own folder, or from one of `folders`. A
/// script may come from somebody else, and must not read any file of the user who checks it; links are
/// resolved before that is decided. However the script writes the path, the same file has the same name.
fn allowed(
    script: &Path,
    from: &Path,
    included: &str,
    folders: &[PathBuf],
) -> Result<PathBuf, String> {
    let folders = || folders.iter().map(PathBuf::as_path);
    let mut places = std::iter::once(folder_of(from)).chain(folders());
    let found = places.find_map(|folder| folder.join(included).canonicalize().ok());
    let Some(real) = found else { return Err("no such file".to_owned()) };
    let mut roots = std::iter::once(folder_of(script)).chain(folders());
    let below = roots.find_map(|root| {
        let rest = real.strip_prefix(root.canonicalize().ok()?).ok()?;
        Some(if root == Path::new(".") { rest.to_owned() } else { root.join(rest) })
    });
    let outside = "it is outside the folder of the script; allow its folder with \
                   `--include DIR`";
    below.ok_or_else(|| outside.to_owned())
}

/// Runs `f` on a large stack, so that it may recurse; on the current one, if the system has no memory for it.
fn on_a_large_stack<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    let job = Mutex::new(Some(f));
    let run = || {
        let f = job.lock().ok().and_then(|mut job| job.take());
        f.map(|f| f())
    };
    let done = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        match thread.spawn_scoped(scope, run) {
            Ok(running) => running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => run(),
        }
    });
    done.expect("a job is run once")
}
