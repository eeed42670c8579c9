//! The stored states during a sweep, as a bounded number of points.

use serde::Serialize;
use sweepline::observe::{ClosedLayer, Flow, Fork, Observer};
use sweepline::{Model, Statistics, Value};

/// The most points.
const MOST: usize = 512;
/// Layers are classified by the number of bits of their size.
const CLASSES: usize = 65;

/// Consecutive layers, as one point of a curve.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Point {
    /// The progress value of the first layer, and of the last.
    pub(crate) from: Vec<i64>,
    pub(crate) to: Vec<i64>,
    /// The number of layers.
    pub(crate) layers: u64,
    /// Their states together, and those of the largest layer.
    pub(crate) states: u64,
    pub(crate) largest: u64,
    /// The most states that were stored when one of them was dropped.
    #[serde(rename = "held")]
    pub(crate) stored: u64,
}

impl Point {
    fn add(&mut self, next: Point) {
        self.to = next.to;
        self.layers += next.layers;
        self.states += next.states;
        self.largest = self.largest.max(next.largest);
        self.stored = self.stored.max(next.stored);
    }
}

/// Layers of similar size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct SizeClass {
    /// The least and the greatest number of states.
    pub(crate) least: u64,
    pub(crate) most: u64,
    /// The number of layers.
    pub(crate) layers: u64,
    /// Their states together.
    pub(crate) states: u64,
}

/// The curve of a sweep, and the sizes of its layers.
pub(crate) struct Profile {
    points: Vec<Point>,
    /// The number of layers in a point.
    stride: u64,
    sizes: [(u64, u64); CLASSES],
}

impl Default for Profile {
    fn default() -> Self {
        Profile { points: Vec::new(), stride: 1, sizes: [(0, 0); CLASSES] }
    }
}

impl Profile {
    /// A layer was dropped while `stored` states were stored.
    pub(crate) fn drop_layer(&mut self, value: &Value, states: u64, stored: u64) {
        let class = &mut self.sizes[(u64::BITS - states.leading_zeros()) as usize];
        *class = (class.0 + 1, class.1 + states);
        let from = value.components().to_vec();
        let to = from.clone();
        let point = Point { from, to, layers: 1, states, largest: states, stored };
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

    /// The sizes between the smallest and the largest layer.
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
        self.drop_layer(layer.value, layer.states, statistics.stored);
        Ok(())
    }

    fn fork<'s>(&'s self, _model: &'s M) -> Option<Fork<'s, M>> {
        Some(Box::new(()))
    }

    fn merge(&mut self, _model: &M, saved: &[u8]) -> bool {
        saved.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_sweep_takes_no_more_points_and_loses_no_state() {
        for layers in [1, 511, 512, 513, 10_000, 100_001u64] {
            let mut profile = Profile::default();
            for layer in 0..layers {
                profile.drop_layer(&Value::from([layer as i64]), layer % 7, layer);
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
                points.last().map(|p| (p.to[0], p.stored)),
                Some((layers as i64 - 1, layers - 1))
            );
        }
    }

    #[test]
    fn sizes_go_by_powers_of_two() {
        let mut profile = Profile::default();
        for states in [1, 2, 3, 9] {
            profile.drop_layer(&Value::default(), states, states);
        }
        let sizes: Vec<_> = profile.sizes().iter().map(|c| (c.least, c.most, c.layers)).collect();
        assert_eq!(sizes, [(1, 1, 1), (2, 3, 2), (4, 7, 0), (8, 15, 1)]);
    }
}
