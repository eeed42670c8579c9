//! What a sweep held along its way: so many points, however long it was.

use serde::Serialize;
use sweepline::observe::{ClosedLayer, Flow, Observer};
use sweepline::{Model, Statistics, Value};

/// Points kept at most.
const MOST: usize = 512;
/// Sizes of layers are told apart by their number of bits.
const CLASSES: usize = 65;

/// Layers next to each other, as one point of a curve.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Point {
    /// The progress of the first of them, and of the last.
    pub(crate) from: Vec<i64>,
    pub(crate) to: Vec<i64>,
    /// How many.
    pub(crate) layers: u64,
    /// States in them together, and in the largest.
    pub(crate) states: u64,
    pub(crate) largest: u64,
    /// Most states held when one of them was left behind.
    pub(crate) held: u64,
}

impl Point {
    fn add(&mut self, next: Point) {
        self.to = next.to;
        self.layers += next.layers;
        self.states += next.states;
        self.largest = self.largest.max(next.largest);
        self.held = self.held.max(next.held);
    }
}

/// Layers of about the same size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct SizeClass {
    /// The least and the greatest number of states.
    pub(crate) least: u64,
    pub(crate) most: u64,
    /// How many layers have so many.
    pub(crate) layers: u64,
    /// Their states together.
    pub(crate) states: u64,
}

/// The curve of a sweep, and the sizes of its layers.
pub(crate) struct Profile {
    points: Vec<Point>,
    /// Layers that a point stands for.
    stride: u64,
    sizes: [(u64, u64); CLASSES],
}

impl Default for Profile {
    fn default() -> Self {
        Profile { points: Vec::new(), stride: 1, sizes: [(0, 0); CLASSES] }
    }
}

impl Profile {
    /// A layer was left behind while so many states were held.
    fn pass(&mut self, value: &Value, states: u64, held: u64) {
        let class = &mut self.sizes[(u64::BITS - states.leading_zeros()) as usize];
        *class = (class.0 + 1, class.1 + states);
        let from = value.components().to_vec();
        let to = from.clone();
        let point = Point { from, to, layers: 1, states, largest: states, held };
        match self.points.last_mut().filter(|last| last.layers < self.stride) {
            Some(last) => last.add(point),
            None => self.points.push(point),
        }
        if self.points.len() > MOST {
            self.stride *= 2;
            let mut pairs = std::mem::take(&mut self.points).into_iter();
            while let Some(mut first) = pairs.next() {
                if let Some(second) = pairs.next() {
                    first.add(second);
                }
                self.points.push(first);
            }
        }
    }

    /// The curve.
    pub(crate) fn points(&self) -> &[Point] {
        &self.points
    }

    /// The sizes that occurred.
    pub(crate) fn sizes(&self) -> Vec<SizeClass> {
        let class = |(bits, &(layers, states)): (usize, &(u64, u64))| SizeClass {
            least: if bits == 0 { 0 } else { 1 << (bits - 1) },
            most: if bits == 0 { 0 } else { u64::MAX >> (64 - bits) },
            layers,
            states,
        };
        let classes: Vec<SizeClass> = self.sizes.iter().enumerate().map(class).collect();
        let occurs = |class: &&SizeClass| class.layers > 0;
        let (Some(first), Some(last)) =
            (classes.iter().position(|c| occurs(&c)), classes.iter().rposition(|c| occurs(&c)))
        else {
            return Vec::new();
        };
        classes[first..=last].to_vec()
    }
}

impl<M: Model> Observer<M> for Profile {
    fn layer_closed(&mut self, layer: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        self.pass(layer.value, layer.states, statistics.stored);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_way_takes_no_more_points_and_loses_no_state() {
        for layers in [1, 511, 512, 513, 10_000, 100_001u64] {
            let mut profile = Profile::default();
            for layer in 0..layers {
                profile.pass(&Value::from([layer as i64]), layer % 7, layer);
            }
            let points = profile.points();
            assert!(points.len() <= MOST && points.len() as u64 >= layers.min(MOST as u64 / 2));
            assert_eq!(points.iter().map(|p| p.layers).sum::<u64>(), layers);
            let states: u64 = (0..layers).map(|layer| layer % 7).sum();
            assert_eq!(points.iter().map(|p| p.states).sum::<u64>(), states);
            assert_eq!(profile.sizes().iter().map(|c| c.states).sum::<u64>(), states);
            let joined = points.windows(2).all(|p| p[0].to[0] + 1 == p[1].from[0]);
            assert!(joined, "points follow each other");
            assert_eq!(
                points.last().map(|p| (p.to[0], p.held)),
                Some((layers as i64 - 1, layers - 1))
            );
        }
    }

    #[test]
    fn sizes_go_by_powers_of_two() {
        let mut profile = Profile::default();
        for states in [1, 2, 3, 9] {
            profile.pass(&Value::default(), states, states);
        }
        let sizes: Vec<_> = profile.sizes().iter().map(|c| (c.least, c.most, c.layers)).collect();
        assert_eq!(sizes, [(1, 1, 1), (2, 3, 2), (4, 7, 0), (8, 15, 1)]);
    }
}
