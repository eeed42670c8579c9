//! Small models, correct and wrong.

mod binding;
mod check;
mod flat;
mod outside;

use crate::limits::Limits;
use crate::problem::LoadErrors;
use crate::read::read_cpn_bytes;
use crate::{Net, Options};

/// Declarations of all models here.
const DECLARATIONS: &str = r#"
<color id="c1"><id>NO</id><int/></color>
<color id="c2"><id>E</id><enum><id>a</id><id>b</id></enum></color>
<color id="c3"><id>PAIR</id><product><id>NO</id><id>E</id></product></color>
<color id="c4"><id>SMALL</id><int><with><ml>1</ml><ml>size</ml></with></int></color>
<color id="c5"><id>T</id><timed/><int/></color>
<color id="c6"><id>NUMBER</id><alias><id>NO</id></alias></color>
<color id="c7"><id>L</id><list><id>NO</id></list></color>
<color id="c8"><id>HUGE</id><int><with><ml>1</ml><ml>101</ml></with></int></color>
<color id="c9"><id>LIFTED</id><int><with><ml>1</ml><ml>101</ml></with></int><declare><id>all</id></declare></color>
<var id="v1"><type><id>NO</id></type><id>n</id><id>m</id></var>
<var id="v2"><type><id>E</id></type><id>e</id></var>
<var id="v3"><type><id>SMALL</id></type><id>s</id></var>
<var id="v4"><type><id>L</id></type><id>l</id></var>
<var id="v5"><type><id>HUGE</id></type><id>h</id></var>
<var id="v6"><type><id>LIFTED</id></type><id>g</id></var>
<globref id="g1"><id>counter</id><ml>0</ml></globref>
"#;

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// A place with its colour set and initial marking. The id is the name.
fn place(name: &str, set: &str, initial: &str, more: &str) -> String {
    let initial = escaped(initial);
    format!(
        "<place id='{name}'><text>{name}</text><type><text>{set}</text></type>\
         <initmark><text>{initial}</text></initmark>{more}</place>\n"
    )
}

fn trans(name: &str, regions: &[(&str, &str)]) -> String {
    let regions = regions
        .iter()
        .map(|(region, text)| format!("<{region}><text>{}</text></{region}>", escaped(text)));
    let regions: String = regions.collect();
    format!("<trans id='{name}'><text>{name}</text>{regions}</trans>\n")
}

fn subst(name: &str, page: &str, pairs: &str) -> String {
    format!(
        "<trans id='{name}'><text>{name}</text><subst subpage='{page}' portsock='{pairs}'/></trans>\n"
    )
}

fn arc(orientation: &str, transition: &str, place: &str, text: &str) -> String {
    let text = escaped(text);
    format!(
        "<arc id='{orientation} {transition} {place}' orientation='{orientation}'>\
         <transend idref='{transition}'/><placeend idref='{place}'/>\
         <annot><text>{text}</text></annot></arc>\n"
    )
}

fn page(name: &str, parts: &[String]) -> String {
    format!("<page id='{name}'><pageattr name='{name}'/>\n{}</page>\n", parts.concat())
}

/// A model with `size` = 3, with further declarations and other parts.
fn model(ml: &str, rest: &str) -> String {
    let ml = escaped(ml);
    format!(
        "<workspaceElements><cpnet><globbox><ml id='m0'>val size = 3;</ml>{DECLARATIONS}\
         <ml id='m1'>{ml}</ml></globbox>\n{rest}</cpnet></workspaceElements>"
    )
}

fn load_with(text: &str, options: &Options) -> Result<Net, LoadErrors> {
    let file = read_cpn_bytes("model.cpn", text.as_bytes(), &Limits::default())?;
    Net::load(&file, options)
}

fn load(rest: &str) -> Result<Net, LoadErrors> {
    load_with(&model("", rest), &Options::default())
}

/// A model that must load.
#[track_caller]
fn net(rest: &str) -> Net {
    load(rest).unwrap_or_else(|errors| panic!("{errors}: {:#?}", errors.errors))
}

/// The messages of a model that must not load, without the file.
#[track_caller]
fn errors(result: Result<Net, LoadErrors>) -> Vec<String> {
    let errors = result.map(|net| net.name).unwrap_err();
    errors.errors.iter().map(|error| format!("{}: {}", error.subject, error.problem)).collect()
}

fn warnings(net: &Net) -> Vec<String> {
    let shown = |warning: &crate::Finding| format!("{}: {}", warning.subject, warning.problem);
    net.warnings.iter().map(shown).collect()
}
