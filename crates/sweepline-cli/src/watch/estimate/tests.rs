//! The estimator on layer sizes of real runs: how often the true share is in the range.

use super::*;

/// Stop-and-wait with 20 packets along `sent + received`, from 0.
const STOP_AND_WAIT: [u64; 41] = [
    4, 16, 31, 24, 31, 24, 31, 24, 31, 24, 31, 24, 31, 24, 31, 24, 31, 24, 31, 24, 31, 24, 31, 24,
    31, 24, 31, 24, 31, 24, 31, 24, 31, 24, 31, 24, 31, 24, 31, 24, 15,
];
/// Kanban with 6 cards along a sum that the user wrote, from -6.
const KANBAN_6: [u64; 43] = [
    1, 3, 15, 39, 112, 252, 571, 1107, 2212, 3756, 6895, 10731, 18269, 26823, 41662, 56442, 82187,
    103197, 138979, 161211, 200168, 252112, 284568, 320652, 400264, 437348, 482829, 566193, 614427,
    654617, 742342, 757466, 778404, 818184, 771578, 677738, 649720, 468860, 321713, 202517, 122892,
    60368, 21952,
];
/// Kanban with 4 cards along a found measure: values and sizes.
const KANBAN_4: [(i64, u64); 105] = [
    (-232, 1),
    (-228, 1),
    (-224, 3),
    (-220, 3),
    (-216, 6),
    (-212, 8),
    (-208, 16),
    (-206, 3),
    (-204, 19),
    (-202, 3),
    (-200, 32),
    (-198, 9),
    (-196, 36),
    (-194, 9),
    (-192, 57),
    (-190, 18),
    (-188, 69),
    (-186, 24),
    (-184, 102),
    (-182, 48),
    (-180, 117),
    (-178, 57),
    (-176, 162),
    (-174, 96),
    (-172, 184),
    (-170, 108),
    (-168, 258),
    (-166, 171),
    (-164, 314),
    (-162, 207),
    (-160, 412),
    (-158, 306),
    (-156, 478),
    (-154, 343),
    (-152, 599),
    (-150, 478),
    (-148, 707),
    (-146, 528),
    (-144, 906),
    (-142, 750),
    (-140, 1122),
    (-138, 894),
    (-136, 1364),
    (-134, 1172),
    (-132, 1567),
    (-130, 1306),
    (-128, 1811),
    (-126, 1645),
    (-124, 2031),
    (-122, 1865),
    (-120, 2301),
    (-118, 2430),
    (-116, 2610),
    (-114, 2910),
    (-112, 2748),
    (-110, 3540),
    (-108, 2904),
    (-106, 3885),
    (-104, 2907),
    (-102, 4500),
    (-100, 3195),
    (-98, 4800),
    (-96, 3570),
    (-94, 5440),
    (-92, 4680),
    (-90, 5775),
    (-88, 5535),
    (-86, 5750),
    (-84, 6735),
    (-82, 5440),
    (-80, 7260),
    (-78, 4945),
    (-76, 8445),
    (-74, 4850),
    (-72, 8820),
    (-70, 5150),
    (-68, 10050),
    (-66, 6900),
    (-64, 10350),
    (-62, 7800),
    (-60, 10110),
    (-58, 9500),
    (-56, 9060),
    (-54, 9550),
    (-52, 7980),
    (-50, 11300),
    (-48, 7275),
    (-46, 10800),
    (-44, 7725),
    (-42, 12600),
    (-40, 10350),
    (-38, 11250),
    (-36, 11700),
    (-34, 9900),
    (-32, 14250),
    (-30, 6000),
    (-28, 14325),
    (-26, 3750),
    (-24, 16950),
    (-20, 16200),
    (-16, 18900),
    (-12, 16875),
    (-8, 14850),
    (-4, 9000),
    (0, 5625),
];

fn visit(layers: &mut Layers, value: i64, states: u64) {
    let before = layers.explored.unwrap_or(0);
    layers.advance(&Value::from([value]), before);
    layers.count(before + states);
}

fn of(first: i64, sizes: &[u64]) -> Vec<(i64, u64)> {
    (first..).zip(sizes.iter().copied()).collect()
}

/// For each tenth of the states, the true share explored when the layer was closed, and the estimated one.
fn tenths(layers: &[(i64, u64)], end: (i64, i64)) -> Vec<(f64, Option<Range>)> {
    let all: u64 = layers.iter().map(|(_, states)| states).sum();
    let (mut seen, mut explored, mut found) = (Layers::default(), 0, Vec::new());
    for &(value, states) in layers {
        visit(&mut seen, value, states);
        explored += states;
        if explored < all && explored * 10 / all > (explored - states) * 10 / all {
            let estimate = seen.all_states(&Extent { end: Some(end), states: None }, explored);
            let share = |all: f64| explored as f64 / all;
            let range = estimate.map(|e| Range { least: share(e.most), most: share(e.least) });
            found.push((share(all as f64), range));
        }
    }
    found
}

/// How many estimates there are, and how many ranges do not contain the truth.
fn misses(found: &[(f64, Option<Range>)]) -> (usize, usize) {
    let given = || found.iter().filter_map(|(truth, range)| Some((*truth, (*range)?)));
    let is_off = |(truth, range): &(f64, Range)| !(range.least..=range.most).contains(truth);
    (given().count(), given().filter(is_off).count())
}

#[test]
fn the_true_share_is_in_the_range() {
    let runs = [
        ("stop-and-wait", of(0, &STOP_AND_WAIT), 40, 5),
        ("kanban 6", of(-6, &KANBAN_6), 36, 4),
        ("kanban 4", KANBAN_4.to_vec(), 0, 5),
    ];
    for (name, layers, end, least) in runs {
        let found = tenths(&layers, (end, end));
        let (given, off) = misses(&found);
        assert!(given >= least && off <= 1, "{name}: {off} of {given} off: {found:?}");
        // Where it is off, it is not off by much.
        for (truth, range) in found.iter().filter_map(|(truth, range)| Some((truth, (*range)?))) {
            let is_near = range.least - 0.05 <= *truth && *truth <= range.most + 0.05;
            assert!(is_near, "{name}: {truth} is far from {range:?}");
        }
    }
}

#[test]
fn an_end_that_is_not_known_exactly_widens_the_range() {
    let layers = of(-6, &KANBAN_6);
    let (exact, wide) = (tenths(&layers, (36, 36)), tenths(&layers, (33, 40)));
    assert!(misses(&wide).0 <= misses(&exact).0, "{wide:?}");
    assert_eq!(misses(&wide).1, 0, "{wide:?}");
}

#[test]
fn nothing_is_said_where_nothing_is_known() {
    let all_states = |layers: &[(i64, u64)], extent: Extent| {
        let mut seen = Layers::default();
        layers.iter().for_each(|&(value, states)| visit(&mut seen, value, states));
        seen.all_states(&extent, layers.iter().map(|(_, states)| states).sum())
    };
    let (layers, end) =
        (of(0, &STOP_AND_WAIT), |end| Extent { end: Some((end, end)), states: None });
    assert!(all_states(&layers[..30], end(40)).is_some());
    assert_eq!(all_states(&layers[..30], Extent::default()), None);
    // Too few layers; an end that is passed.
    assert_eq!(all_states(&layers[..9], end(40)), None);
    assert_eq!(all_states(&layers[..30], end(20)), None);
    // The first layers of Kanban say nothing about how many states follow.
    assert_eq!(all_states(&KANBAN_4[..20], end(0)), None);
    assert_eq!(all_states(&[], end(40)), None);
    // A resumed run does not know the layers of the earlier one.
    let mut seen = Layers::default();
    layers[20..].iter().for_each(|&(value, states)| visit(&mut seen, value, states));
    assert_eq!(seen.all_states(&end(40), 1_080), None);
}

#[test]
fn a_count_of_all_states_is_exact() {
    let extent = Extent { end: None, states: Some(400) };
    let all = Layers::default().all_states(&extent, 100);
    assert_eq!(all, Some(Range { least: 400.0, most: 400.0 }));
    // Then it was of another run.
    assert_eq!(Layers::default().all_states(&extent, 401), None);
}

#[test]
fn many_layers_are_grouped() {
    let mut layers = Layers::default();
    for value in 0..1_000_000 {
        visit(&mut layers, value, 7);
    }
    assert!(layers.groups.len() <= MOST_GROUPS);
    let all =
        layers.all_states(&Extent { end: Some((1_999_999, 1_999_999)), states: None }, 7_000_000);
    let all = all.unwrap();
    assert!(all.least <= 14_000_000.0 && 14_000_000.0 <= all.most, "{all:?}");
}
