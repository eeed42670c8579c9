//! Published sizes of state spaces.

use sweepline::progress::Trivial;
use sweepline::{Options, WitnessMode, explore};
use sweepline_testkit::corpus;

use super::rows::Row;

/// A family of state spaces: a file, and for each change nodes, arcs, and dead markings where known.
type Family = (&'static str, &'static [(&'static str, u64, u64, Option<u64>)]);

/// The sample nets of CPN Tools (their handbook), the book of Jensen and Kristensen and its course, and
/// the auction of Garfatta and others, whose figures Helena confirms.
const PUBLISHED: &[Family] = &[
    (
        "svn2github__cpntools-gui/cpntools__Sample_Nets__DiningPhilosophers__DiningPhilosophers.cpn",
        &[
            ("n=2", 3, 4, Some(0)),
            ("n=5", 11, 30, Some(0)),
            ("n=10", 123, 680, Some(0)),
            ("n=15", 1_364, 11_310, Some(0)),
            ("n=20", 15_127, 167_240, Some(0)),
        ],
    ),
    (
        "svn2github__cpntools-gui/cpntools__Sample_Nets__ResourceAllocation__ResourceAllocation_OG.cpn",
        &[("", 13, 20, Some(0))],
    ),
    (
        "svn2github__cpntools-gui/cpntools__Sample_Nets__SimpleProtocol__SimpleProtocol_OG.cpn",
        &[
            ("init:Limit=1`e", 33, 44, Some(1)),
            ("", 428, 1_130, Some(1)),
            ("init:Limit=3`e", 3_329, 12_825, Some(1)),
            ("init:Limit=4`e", 18_520, 91_220, Some(1)),
            ("init:Limit=5`e", 82_260, 483_562, Some(1)),
        ],
    ),
    (
        "svn2github__cpntools-gui/cpntools__Sample_Nets__DistributedDataBase__DistributedDataBase_OG.cpn",
        &[
            ("n=2", 7, 8, Some(0)),
            ("n=3", 28, 42, Some(0)),
            ("n=5", 406, 1_090, Some(0)),
            ("n=7", 5_104, 20_426, Some(0)),
            ("n=8", 17_497, 81_664, Some(0)),
            ("n=9", 59_050, 314_946, Some(0)),
            ("n=10", 196_831, 1_181_000, Some(0)),
        ],
    ),
    (
        "lmkr__cpnbook/models__chapter7__7-2LimitProtocol.cpn",
        &[("", 13_215, 52_784, Some(1)), ("init:Limit=1`()", 49, 66, Some(1))],
    ),
    (
        "lmkr__cpncourse/models__lecture6-statespaces.cpn",
        &[
            ("W=1", 11, 10, Some(2)),
            ("W=2", 47, 64, Some(4)),
            ("W=3", 289, 512, Some(8)),
            ("W=4", 2_339, 4_774, Some(16)),
            ("W=5", 23_497, 52_192, Some(32)),
        ],
    ),
    (
        "garfatta__solidity2cpn/case_studies__models__Blind_Auction_without_hierarchy.cpn",
        &[
            ("", 24, 26, Some(3)),
            ("nBidders=2", 235, 378, Some(10)),
            ("nBidders=3", 3_118, 7_106, Some(35)),
            ("nBidders=4", 47_621, 145_062, Some(124)),
            // The published number is 65 dead markings; CPN Tools computes 49.
            ("nPSK=2,nPB=2,nPD=2", 484, 555, Some(49)),
            ("nPSK=3,nPB=3,nPD=3", 19_984, 22_980, None),
            ("nBidders=5", 766_548, 3_002_038, Some(437)),
        ],
    ),
];

fn check(most: u64) {
    let Some(corpus) = corpus("cpn", "models") else { return };
    let options = Options { witness: WitnessMode::Off, ..Options::default() };
    let mut checked = 0;
    for &(file, changes) in PUBLISHED {
        let file = format!("models/{file}");
        for &(change, nodes, arcs, dead) in changes.iter().filter(|(_, nodes, ..)| *nodes <= most) {
            let row = Row { file: &file, change, nodes, arcs, components: None, dead };
            let model =
                row.model(&corpus).unwrap_or_else(|error| panic!("{file} {change}: {error}"));
            let run = explore(&model, &Trivial, &options, &mut ());
            assert!(run.stop.is_none(), "{file} {change}: {:?}", run.stop);
            let statistics = run.statistics;
            assert_eq!((statistics.explored, statistics.edges), (nodes, arcs), "{file} {change}");
            assert!(dead.is_none_or(|dead| dead == statistics.dead), "{file} {change}");
            checked += 1;
        }
    }
    println!("{checked} published state spaces are the same");
}

#[test]
fn published_state_spaces_are_found() {
    check(if cfg!(debug_assertions) { 500 } else { 100_000 });
}

#[test]
#[ignore = "takes longer: ./test-corpus"]
fn large_published_state_spaces_are_found() {
    check(u64::MAX);
}
