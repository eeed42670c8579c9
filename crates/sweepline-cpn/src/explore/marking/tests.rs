//! Adding and removing tokens, compared with simple multi-sets.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn bag(tokens: &[(Vec<u8>, u64, Stamp)], kind: Kind) -> Bag {
    let mut bag = Bag::default();
    for (colour, count, stamp) in tokens {
        bag.add(*count, *stamp, colour);
    }
    bag.sort(kind);
    bag
}

fn tokens() -> impl Strategy<Value = Vec<(Vec<u8>, u64, Stamp)>> {
    vec((vec(0..3u8, 0..3), 0..4u64, -3..9i64), 0..9)
}

fn ranks() -> impl Strategy<Value = Vec<(Vec<u8>, u64, Stamp)>> {
    vec((vec(any::<u8>(), 1..2), 0..3u64, Just(0)), 0..9)
}

proptest! {
    #[test]
    fn an_exchange_is_that_of_multi_sets(here in tokens(), minus in tokens(), plus in tokens()) {
        let mut plain: BTreeMap<Vec<u8>, i128> = BTreeMap::new();
        let mut segment = Vec::new();
        prop_assert!(exchange(&[], &Bag::default(), &bag(&here, Kind::Plain), &mut segment));
        here.iter().for_each(|(c, n, _)| *plain.entry(c.clone()).or_default() += i128::from(*n));
        minus.iter().for_each(|(c, n, _)| *plain.entry(c.clone()).or_default() -= i128::from(*n));
        let contained = plain.values().all(|&n| n >= 0);
        plus.iter().for_each(|(c, n, _)| *plain.entry(c.clone()).or_default() += i128::from(*n));
        let mut out = Vec::new();
        prop_assert_eq!(exchange(&segment, &bag(&minus, Kind::Plain), &bag(&plus, Kind::Plain), &mut out), contained);
        if contained {
            plain.retain(|_, n| *n > 0);
            let found: BTreeMap<Vec<u8>, i128> =
                Tokens { rest: &out }.map(|(c, n)| (c.to_vec(), i128::from(n))).collect();
            prop_assert_eq!(&found, &plain);
            let mut again = Vec::new();
            prop_assert!(exchange(&out, &Bag::default(), &Bag::default(), &mut again));
            prop_assert_eq!(again, out);
        }
    }

    #[test]
    fn an_exchange_of_ranks_is_that_of_bytes(
        colours in prop::sample::select(vec![1usize, 7, 8, 9, 16, 81, 256]),
        here in ranks(), minus in ranks(), plus in ranks(),
    ) {
        let fit = |tokens: &[(Vec<u8>, u64, Stamp)]| {
            let fit = |c: &[u8]| vec![(usize::from(c[0]) % colours) as u8];
            let tokens: Vec<_> = tokens.iter().map(|(c, n, s)| (fit(c), *n, *s)).collect();
            tokens
        };
        let (here, minus, plus) = (fit(&here), fit(&minus), fit(&plus));
        let run = |kind: Kind| {
            let (here, minus, plus) = (bag(&here, kind), bag(&minus, kind), bag(&plus, kind));
            let (mut segment, mut out) = (Vec::new(), Vec::new());
            assert!(kind.exchange(&[], &Bag::default(), &here, &mut segment));
            let there = kind.exchange(&segment, &minus, &plus, &mut out);
            (there, if there { out } else { Vec::new() })
        };
        let ((there, ranked), (also, plain)) = (run(Kind::Ranked(colours)), run(Kind::Plain));
        prop_assert_eq!(there, also);
        let found: Vec<(Vec<u8>, u64)> =
            Ranked::new(colours, &ranked).map(|(rank, n)| (vec![rank], n)).collect();
        let plainly: Vec<(Vec<u8>, u64)> =
            Tokens { rest: &plain }.map(|(c, n)| (c.to_vec(), n)).collect();
        prop_assert_eq!(&found, &plainly);
        // Adding all tokens at once produces the same bytes.
        let again: Vec<_> = found.into_iter().map(|(c, n)| (c, n, 0)).collect();
        let mut canonical = Vec::new();
        let kind = Kind::Ranked(colours);
        kind.exchange(&[], &Bag::default(), &bag(&again, kind), &mut canonical);
        prop_assert_eq!(canonical, ranked);
    }

    #[test]
    fn timed_exchanges_keep_all_stamps_in_order(here in tokens(), minus in tokens(), plus in tokens()) {
        let mut segment = Vec::new();
        prop_assert!(exchange_timed(&[], &Bag::default(), &bag(&here, Kind::Timed), &mut segment));
        let mut plain: BTreeMap<Vec<u8>, Vec<Stamp>> = BTreeMap::new();
        for (colour, count, stamp) in &here {
            let stamps = plain.entry(colour.clone()).or_default();
            stamps.extend(std::iter::repeat_n(*stamp, *count as usize));
            stamps.sort_unstable();
        }
        let (mut wanted, mut contained) = (minus.clone(), true);
        wanted.sort_by_key(|(_, _, stamp)| *stamp);
        for (colour, count, latest) in &wanted {
            for _ in 0..*count {
                let stamps = plain.entry(colour.clone()).or_default();
                match stamps.iter().rposition(|stamp| stamp <= latest) {
                    Some(at) => drop(stamps.remove(at)),
                    None => contained = false,
                }
            }
        }
        let mut out = Vec::new();
        prop_assert_eq!(exchange_timed(&segment, &bag(&minus, Kind::Timed), &bag(&plus, Kind::Timed), &mut out), contained);
        if contained {
            for (colour, count, stamp) in &plus {
                let stamps = plain.entry(colour.clone()).or_default();
                stamps.extend(std::iter::repeat_n(*stamp, *count as usize));
                stamps.sort_unstable();
            }
            plain.retain(|_, stamps| !stamps.is_empty());
            let found: BTreeMap<Vec<u8>, Vec<Stamp>> =
                TimedTokens { rest: &out }.map(|(c, stamps)| (c.to_vec(), stamps.collect())).collect();
            prop_assert_eq!(found, plain);
        }
    }

    #[test]
    fn markings_are_decoded_as_they_were(places in vec(tokens(), 0..5), time in any::<i64>()) {
        let empty = Marking::empty(places.len());
        let mut marking = Marking::default();
        let all: Vec<usize> = (0..places.len()).collect();
        marking.replace(&empty, Some(time), &all, |place, before, out| {
            exchange(before, &Bag::default(), &bag(&places[place], Kind::Plain), out)
        });
        let bytes = marking.bytes().to_vec();
        let mut again = Marking::default();
        prop_assert_eq!(again.decode(places.len(), true, &bytes), Some(()));
        prop_assert_eq!(&again, &marking);
        for end in 0..bytes.len() {
            prop_assert!(Marking::default().decode(places.len(), true, &bytes[..end]).is_none());
        }
    }

    #[test]
    fn wrong_bytes_are_no_marking(bytes in vec(any::<u8>(), 0..40)) {
        let mut marking = Marking::default();
        if marking.decode(3, true, &bytes).is_some() {
            (0..3).for_each(|place| {
                marking.each_available(place, Kind::Plain, 0, |_, _| ());
                marking.each_available(place, Kind::Ranked(5), 0, |_, _| ());
                marking.each_available(place, Kind::Ranked(60), 0, |_, _| ());
                marking.timed_tokens(place).for_each(|(_, stamps)| stamps.take(99).for_each(drop));
            });
        }
    }
}
