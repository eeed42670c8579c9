//! The rows of the table of CPN Tools' results, and their models.

use std::path::{Path, PathBuf};

use sweepline_cpn::{CpnModel, File, Limits, LoadErrors, Net, Options, read_cpn};

/// Models that read missing files, or ask for their location.
pub(crate) const OUTSIDE: [&str; 3] = ["Projeto_LEACH-HOP", "nesc2cpn/model", "SimpleProtocol_IO"];

/// What CPN Tools computed for a model.
pub(crate) struct Row<'a> {
    pub(crate) file: &'a str,
    pub(crate) change: &'a str,
    pub(crate) nodes: u64,
    pub(crate) arcs: u64,
    /// Nodes and arcs of the graph of strongly connected components.
    pub(crate) components: Option<(u64, u64)>,
    pub(crate) dead: Option<u64>,
}

pub(crate) fn row(line: &str) -> Option<Row<'_>> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [file, "full", nodes, arcs, scc_nodes, scc_arcs, dead, ..] = columns[..] else {
        return None;
    };
    Some(Row {
        file,
        change: columns.get(9).copied().unwrap_or(""),
        nodes: nodes.parse().ok()?,
        arcs: arcs.parse().ok()?,
        components: scc_nodes.parse().ok().zip(scc_arcs.parse().ok()),
        dead: dead.parse().ok(),
    })
}

/// `n=8,m=2` are parameters, ``init:Place=1`x`` is an initial marking.
fn options(change: &str, path: &Path) -> Options {
    let pair = |text: &str| {
        let (name, value) = text.split_once('=').expect("a name and a value");
        (name.to_owned(), value.to_owned())
    };
    let (params, initial) = match change.strip_prefix("init:") {
        Some(initial) => (Vec::new(), vec![pair(initial)]),
        None => (change.split(',').filter(|c| !c.is_empty()).map(pair).collect(), Vec::new()),
    };
    Options { params, initial, folder: path.parent().map(Path::to_owned), ..Options::default() }
}

impl Row<'_> {
    /// Whether it reads missing files.
    pub(crate) fn is_outside(&self) -> bool {
        OUTSIDE.iter().any(|name| self.file.contains(name))
    }

    /// The model of the row.
    pub(crate) fn model(&self, corpus: &Path) -> Result<CpnModel, String> {
        self.model_in(corpus, Ok)
    }

    /// The model of the row in another form.
    pub(crate) fn model_in(
        &self,
        corpus: &Path,
        form: impl Fn(File) -> Result<File, LoadErrors>,
    ) -> Result<CpnModel, String> {
        let path = corpus.join(self.file);
        let file = read_cpn(&path, &Limits::default()).and_then(form);
        let file = file.map_err(|error| error.to_string())?;
        let net = Net::load(&file, &options(self.change, &path));
        let net = net.map_err(|error| error.to_string())?;
        CpnModel::new(&net, sweepline_ml::Limits::default()).map_err(|error| error.to_string())
    }
}

/// The corpus, if it exists, and its table of CPN Tools' results.
pub(crate) fn corpus() -> Option<(PathBuf, String)> {
    let corpus = sweepline_testkit::corpus("cpn", "oracle/ORACLE.tsv")?;
    let rows = std::fs::read_to_string(corpus.join("oracle/ORACLE.tsv")).expect("a table");
    Some((corpus, rows))
}
