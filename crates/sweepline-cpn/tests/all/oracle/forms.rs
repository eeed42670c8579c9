//! Models converted to text form, and back to CPN Tools files, have the same state spaces.

use std::path::{Path, PathBuf};

use sweepline_cpn::{
    File, Limits, LoadErrors, Net, Options, format_cpnt, read_cpn, read_cpn_bytes, read_cpnt_bytes,
    to_cpn, to_cpnt,
};

use super::explored;
use super::rows::{corpus, row};

fn in_text(file: File) -> Result<File, LoadErrors> {
    read_cpnt_bytes("model.cpnt", to_cpnt(&file).as_bytes(), &Limits::default())
}

fn and_back(file: File) -> Result<File, LoadErrors> {
    let text = in_text(file)?;
    read_cpn_bytes("model.cpn", to_cpn(&text).as_bytes(), &Limits::default())
}

/// Explores the models with at most this many nodes in all three forms.
fn compare(most: u64) {
    let Some((corpus, rows)) = corpus() else { return };
    let (mut same, mut wrong) = (0, Vec::new());
    for row in rows.lines().filter_map(row).filter(|row| row.nodes <= most && !row.is_outside()) {
        let found = |model: Result<_, String>| model.and_then(|model| explored(&model));
        let wanted = found(row.model(&corpus)).expect("it is explored as it is");
        let text = found(row.model_in(&corpus, in_text));
        let back = found(row.model_in(&corpus, and_back));
        for (form, found) in [("text", text), ("back", back)] {
            match found {
                Ok(found) if found == wanted => same += 1,
                Ok(found) => {
                    let (nodes, arcs, dead) = (found.nodes, found.arcs, found.dead);
                    let name = row.file;
                    wrong.push(format!("{name} {form}: {nodes}/{arcs} dead {dead} or bounds"));
                }
                Err(error) => wrong.push(format!("{} {form}: {error}", row.file)),
            }
        }
    }
    println!("{same} state spaces of converted models are the same");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(same >= 120, "{same}");
}

#[test]
fn small_state_spaces_survive_conversion() {
    compare(1_000);
}

#[test]
#[ignore = "takes minutes: ./test-corpus"]
fn all_state_spaces_survive_conversion() {
    compare(u64::MAX);
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.expect("a folder entry").path()) {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "cpn") {
            found.push(path);
        }
    }
}

/// The names of all places with their members, and of all transitions.
fn names(file: &File, path: &Path) -> Result<Vec<String>, LoadErrors> {
    let folder = path.parent().map(Path::to_owned);
    let net = Net::load(file, &Options { folder, ..Options::default() })?;
    let members = net.places.iter().flat_map(|place| &place.members);
    let places = members.map(|member| format!("{} {:?}", member.name, member.role));
    let transitions = net.transitions.iter().map(|transition| transition.name.clone());
    let mut names: Vec<String> = places.chain(transitions).collect();
    names.sort();
    Ok(names)
}

#[test]
fn every_model_that_loads_does_so_in_text_form() {
    let Some(corpus) = sweepline_testkit::corpus("cpn", "models") else { return };
    let mut paths = Vec::new();
    files(&corpus.join("models"), &mut paths);
    let (mut n_files, mut wrong) = (0, Vec::new());
    for path in &paths {
        let Ok(file) = read_cpn(path, &Limits::default()) else { continue };
        let text = to_cpnt(&file);
        match format_cpnt("model.cpnt", text.as_bytes(), &Limits::default()) {
            Ok(again) if again == text => {}
            Ok(_) => wrong.push(format!("{}: not canonical", path.display())),
            Err(error) => wrong.push(format!("{}: {error:?}", path.display())),
        }
        let Ok(wanted) = names(&file, path) else { continue };
        n_files += 1;
        for (form, changed) in [("text", in_text(file.clone())), ("back", and_back(file.clone()))] {
            match changed.and_then(|changed| names(&changed, path)) {
                Ok(found) if found == wanted => {}
                Ok(found) => {
                    let other = found.iter().find(|name| !wanted.contains(name));
                    let lost = wanted.iter().find(|name| !found.contains(name));
                    wrong.push(format!("{} {form}: {lost:?} is {other:?}", path.display()));
                }
                Err(error) => wrong.push(format!("{} {form}: {error}", path.display())),
            }
        }
    }
    println!("{n_files} of {} models load in every form", paths.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
