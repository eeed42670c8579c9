//! The room left on a page: where a text or a box goes so that it covers no node and no other text.

use super::layers::{Point, Size};

/// A rectangle, by its centre and its size.
pub(crate) type Area = (Point, Size);

/// Between two areas at least.
const CLEAR: f64 = 2.0;
/// How often the search around a point goes farther out, by a seventh each time: beyond any drawing.
const RINGS: usize = 300;
/// The directions of that search.
const DIRECTIONS: u32 = 24;

/// What is taken on a page.
#[derive(Default)]
pub(crate) struct Room {
    areas: Vec<Area>,
    /// The pieces of each line, by the number of the line.
    pieces: Vec<(usize, Point, Point)>,
}

impl Room {
    /// Takes an area, whether it is free or not.
    pub(crate) fn take(&mut self, area: Area) {
        self.areas.push(area);
    }

    /// Takes a line. Areas avoid lines where they can, and cross them where they must.
    pub(crate) fn take_line(&mut self, number: usize, points: &[Point]) {
        self.pieces.extend(points.windows(2).map(|pair| (number, pair[0], pair[1])));
    }

    /// Takes an area of this size and gives its centre: the first of the wanted ones that is free and crosses no
    /// line but its own, else the first that is free, else the nearest free one around the first.
    pub(crate) fn place(&mut self, size: Size, wanted: &[Point], own: Option<usize>) -> Point {
        let free: Vec<Point> =
            wanted.iter().copied().filter(|&at| self.is_free((at, size))).collect();
        let clear = free.iter().copied().find(|&at| !self.crosses_line((at, size), own));
        let first = wanted.first().copied().unwrap_or_default();
        let at = clear.or(free.first().copied()).unwrap_or_else(|| self.nearest(size, first));
        self.areas.push((at, size));
        at
    }

    /// The corners of all that is taken.
    pub(crate) fn extent(&self) -> (Point, Point) {
        let areas = self.areas.iter().copied();
        let ends = self.pieces.iter().flat_map(|&(_, a, b)| [(a, (2.0, 2.0)), (b, (2.0, 2.0))]);
        let (mut low, mut high) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
        for ((x, y), (w, h)) in areas.chain(ends) {
            low = (low.0.min(x - w / 2.0), low.1.min(y - h / 2.0));
            high = (high.0.max(x + w / 2.0), high.1.max(y + h / 2.0));
        }
        if low.0 > high.0 { ((0.0, 0.0), (0.0, 0.0)) } else { (low, high) }
    }

    fn is_free(&self, area: Area) -> bool {
        self.areas.iter().all(|&other| gap(area, other) >= CLEAR)
    }

    fn crosses_line(&self, area: Area, own: Option<usize>) -> bool {
        self.pieces.iter().any(|&(number, a, b)| Some(number) != own && crosses(area, a, b))
    }

    fn nearest(&self, size: Size, (x, y): Point) -> Point {
        let mut radius = 0.0;
        for _ in 0..RINGS {
            for direction in 0..DIRECTIONS {
                let angle = std::f64::consts::TAU * f64::from(direction) / f64::from(DIRECTIONS);
                let at = (x + radius * angle.cos(), y + radius * angle.sin());
                if self.is_free((at, size)) {
                    return at;
                }
            }
            radius += 4.0 + radius / 7.0;
        }
        (x, self.extent().1.1 + CLEAR + size.1 / 2.0)
    }
}

/// How far two areas are apart, along the axis on which they are farther apart; negative where they overlap.
pub(crate) fn gap(((x, y), (w, h)): Area, ((x2, y2), (w2, h2)): Area) -> f64 {
    f64::max((x - x2).abs() - (w + w2) / 2.0, (y - y2).abs() - (h + h2) / 2.0)
}

/// Whether a piece of a line goes through an area: what is left of it within both strips is not empty.
fn crosses(((x, y), (w, h)): Area, (ax, ay): Point, (bx, by): Point) -> bool {
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for (start, step, middle, size) in [(ax, bx - ax, x, w), (ay, by - ay, y, h)] {
        let (low, high) = (middle - size / 2.0 - start, middle + size / 2.0 - start);
        if step == 0.0 {
            if low > 0.0 || high < 0.0 {
                return false;
            }
        } else {
            from = from.max(f64::min(low / step, high / step));
            to = to.min(f64::max(low / step, high / step));
        }
    }
    from <= to
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_cross_areas() {
        let area = ((0.0, 0.0), (10.0, 4.0));
        assert!(crosses(area, (-20.0, 0.0), (20.0, 0.0)) && crosses(area, (0.0, 0.0), (1.0, 1.0)));
        assert!(!crosses(area, (-20.0, 3.0), (20.0, 3.0)));
        assert!(
            !crosses(area, (-20.0, 0.0), (-6.0, 0.0)) && !crosses(area, (0.0, 9.0), (9.0, 0.0))
        );
    }

    /// However many areas are wanted at one point, no two overlap, and lines are avoided while there is a choice.
    #[test]
    fn areas_never_overlap() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut room = Room::default();
        room.take_line(0, &[(-500.0, 0.0), (500.0, 0.0)]);
        assert_eq!(room.place((20.0, 10.0), &[(0.0, 0.0), (0.0, 30.0)], None), (0.0, 30.0));
        assert_eq!(room.place((20.0, 10.0), &[(0.0, 0.0), (0.0, 60.0)], Some(0)), (0.0, 0.0));
        for _ in 0..150 {
            let size = (random.f64() * 90.0 + 2.0, random.f64() * 40.0 + 2.0);
            room.place(size, &[(random.f64() * 30.0, 0.0)], None);
        }
        for (i, &area) in room.areas.iter().enumerate() {
            assert!(room.areas[..i].iter().all(|&other| gap(area, other) > 1.9));
        }
        let (low, high) = room.extent();
        assert!(low.0 <= -500.0 && high.0 >= 500.0);
    }
}
