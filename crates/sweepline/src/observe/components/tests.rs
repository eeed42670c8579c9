//! The memory for edges follows the window.

use super::Gather;
use crate::observe::{ClosedLayer, Flow, Observer, StateId, Statistics};
use crate::progress::by;
use crate::{Options, System, explore};

/// Cycles of a hundred states, one after the other.
struct Rings {
    rings: u32,
}

const RING: u32 = 100;

impl System for Rings {
    type State = u32;
    type Action = u8;

    fn initial(&self) -> Vec<u32> {
        vec![0]
    }

    fn successors(&self, state: &u32, push: &mut dyn FnMut(u8, u32)) {
        let (ring, place) = (state / RING, state % RING);
        push(0, ring * RING + (place + 1) % RING);
        if ring + 1 < self.rings {
            push(1, (ring + 1) * RING + place);
        }
    }
}

/// Records the most memory that the edges took.
#[derive(Default)]
struct Weigh {
    gather: Gather<u8>,
    most: u64,
    components: usize,
}

impl Observer<Rings> for Weigh {
    fn link(&mut self, source: StateId, action: &u8, target: StateId, _new: bool) -> Flow {
        self.gather.link(source, action, target);
        self.most = self.most.max(self.gather.bytes());
        Ok(())
    }

    fn layer_closed(&mut self, layer: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        let graph = self.gather.close(layer, statistics).expect("the measure is monotone");
        self.components += self.gather.components(&graph, layer).components.len();
        Ok(())
    }

    fn watches_links(&self) -> bool {
        true
    }
}

fn weigh(rings: u32, window: u64) -> Weigh {
    let mut weigh = Weigh::default();
    let options = Options { window, ..Options::default() };
    let measure = by(|&state: &u32| i64::from(state / RING));
    let run = explore(&Rings { rings }, &measure, &options, &mut weigh);
    assert_eq!((run.stop, run.statistics.explored), (None, u64::from(rings * RING)));
    assert_eq!(weigh.components, rings as usize);
    weigh
}

#[test]
fn ten_times_the_layers_take_no_more_memory_for_edges() {
    for window in [0, 3] {
        assert_eq!(weigh(10, window).most, weigh(100, window).most, "window {window}");
    }
    assert!(weigh(100, 0).most < 200 * u64::from(RING));
}
