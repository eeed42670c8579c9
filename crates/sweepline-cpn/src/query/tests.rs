//! Expressions over the markings of a small net.

use sweepline::model::{initial, successors};
use sweepline::progress::Features;

use crate::{CpnModel, Limits, Marking, Net, Options, Scope, Worker, read_cpn_bytes};

const NET: &str = r#"<workspaceElements><cpnet>
  <globbox>
    <color id="c"><id>NO</id><int/></color>
    <color id="b"><id>BOOL</id><bool/></color>
    <color id="d"><id>PAIR</id><timed/><product><id>NO</id><id>BOOL</id></product></color>
    <color id="e"><id>NOS</id><list><id>NO</id></list></color>
    <var id="v"><type><id>NO</id></type><id>n</id></var>
    <ml id="m">fun double x = 2 * x</ml>
    <ml id="l">val calls = ref 0; fun count x = (calls := !calls + 1; x + !calls)</ml>
  </globbox>
  <page id="top"><pageattr name="Top"/>
    <place id="p"><text>Next</text><type><text>NO</text></type>
      <initmark><text>2`1++1`5</text></initmark></place>
    <place id="q"><text>Sent</text><type><text>PAIR</text></type></place>
    <place id="r"><text>Queue</text><type><text>NOS</text></type>
      <initmark><text>[7,8]</text></initmark></place>
    <place id="s"><text>size</text><type><text>NO</text></type></place>
    <trans id="t"><text>Send</text></trans>
    <arc id="a" orientation="PtoT"><transend idref="t"/><placeend idref="p"/>
      <annot><text>n</text></annot></arc>
    <arc id="o" orientation="TtoP"><transend idref="t"/><placeend idref="q"/>
      <annot><text>(n, n &gt; 3)@+4</text></annot></arc>
  </page></cpnet></workspaceElements>"#;

fn model() -> CpnModel {
    let file = read_cpn_bytes("test.cpn", NET.as_bytes(), &Limits::default()).unwrap();
    let net = Net::load(&file, &Options::default()).unwrap();
    CpnModel::new(&net, sweepline_ml::Limits::default()).unwrap()
}

fn last(model: &CpnModel) -> Marking {
    let mut marking = initial(model).remove(0);
    while let Some((_, next)) = successors(model, &marking).unwrap().pop() {
        marking = next;
    }
    marking
}

fn number(scope: &Scope, text: &str, marking: &Marking) -> i64 {
    let expression = scope.number("--bound", text).unwrap_or_else(|error| panic!("{error}"));
    expression.value(&mut Worker::default(), marking).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn places_are_multi_sets_under_all_their_names() {
    let (model, start) = (model(), initial(&model()).remove(0));
    let scope = model.scope();
    for place in ["Next", "Top'Next", "Mark.Top'Next 1", "(Mark.Top'Next 1)"] {
        assert_eq!(number(scope, place, &start), 3, "{place}");
        assert_eq!(number(scope, &format!("cf (1, {place})"), &start), 2);
        let holds = scope.predicate("--never", &format!("{place} == 2`1 ++ 1`5")).unwrap();
        assert!(holds.holds(&mut Worker::default(), &start).unwrap());
    }
    // A name that the model declares is not hidden by a place.
    assert_eq!(number(scope, "size Next + size Top'size", &start), 3);
    assert_eq!(number(scope, "double (length (List.nth (Queue, 0)))", &start), 4);
}

#[test]
fn values_are_cached_only_for_pure_expressions() {
    let model = model();
    let (scope, end) = (model.scope(), last(&model));
    let start = initial(&model).remove(0);
    let sizes = scope.number("--bound", "10 * size Next + size Sent").unwrap();
    let calls = scope.number("--bound", "count (size Queue)").unwrap();
    let mut worker = Worker::default();
    for round in 0..3 {
        assert_eq!(sizes.value(&mut worker, &start).unwrap(), 30);
        assert_eq!(sizes.value(&mut worker, &end).unwrap(), 3);
        assert_eq!(calls.value(&mut worker, &start).unwrap(), 2 + round);
    }
}

#[test]
fn timed_places_carry_stamps() {
    let model = model();
    let (scope, end) = (model.scope(), last(&model));
    assert_eq!(number(scope, "Sent", &end), 3);
    assert_eq!(number(scope, "cf ((5, true), ms Sent)", &end), 1);
    let stamps = scope.predicate("--never", "List.all (fn _ @ t => t = 4) (Mark.Top'Sent 1)");
    assert!(stamps.unwrap().holds(&mut Worker::default(), &end).unwrap());
}

#[test]
fn mistakes_point_into_the_expression() {
    let scope = model().scope().clone();
    let wrong = |text: &str| scope.predicate("--never", text).unwrap_err().to_string();
    assert_eq!(
        wrong("Next"),
        "--never:1:1: the expression has type `int list` but `bool` is needed here"
    );
    assert!(wrong("Nxt == empty").contains("`Nxt`"), "{}", wrong("Nxt == empty"));
    assert!(wrong("n > 1").contains("`n`"), "variables of transitions have no values");
    let unknown = scope.predicate("--never", "size Two_Words_Or_More > 1").unwrap_err();
    let help = miette::Diagnostic::help(&unknown).map(|help| help.to_string());
    assert!(help.is_some_and(|help| help.contains("sweepline info FILE --places")));
    let number = scope.number("--bound", "\"x\"").unwrap_err().to_string();
    assert!(number.contains("`int` is needed"), "{number}");
    let raised = scope.number("--bound", "hd (Mark.Top'size 1)").unwrap();
    let raised =
        raised.value(&mut Worker::default(), &initial(&model()).remove(0)).unwrap_err().to_string();
    assert!(raised.contains("Empty") && raised.starts_with("--bound:1:1"), "{raised}");
    let instance = scope.number("--bound", "Mark.Top'Next 2").unwrap();
    let instance = instance
        .value(&mut Worker::default(), &initial(&model()).remove(0))
        .unwrap_err()
        .to_string();
    assert!(instance.contains("no such instance"), "{instance}");
}

#[test]
fn features_are_what_their_names_say() {
    let model = model();
    for marking in [initial(&model).remove(0), last(&model)] {
        let mut values = Vec::new();
        model.features(&marking, &mut |value| values.push(value));
        assert!(values.len() >= 9, "{values:?}");
        for (feature, value) in values.into_iter().enumerate() {
            let name = model.feature_name(feature);
            assert_eq!(number(model.scope(), &name, &marking), value, "{name}");
        }
    }
}
