//! Exchanges of tokens against multi-sets of the plainest kind.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn bag(tokens: &[(Vec<u8>, u64, Stamp)]) -> Bag {
    let mut bag = Bag::default();
    for (colour, count, stamp) in tokens {
        bag.add(*count, *stamp, |bytes| bytes.extend_from_slice(colour));
    }
    bag.sort();
    bag
}

fn tokens() -> impl Strategy<Value = Vec<(Vec<u8>, u64, Stamp)>> {
    vec((vec(0..3u8, 0..3), 0..4u64, -3..9i64), 0..9)
}

proptest! {
    #[test]
    fn an_exchange_is_that_of_multi_sets(here in tokens(), minus in tokens(), plus in tokens()) {
        let mut plain: BTreeMap<Vec<u8>, i128> = BTreeMap::new();
        let mut segment = Vec::new();
        prop_assert!(exchange(&[], &Bag::default(), &bag(&here), &mut segment));
        here.iter().for_each(|(c, n, _)| *plain.entry(c.clone()).or_default() += i128::from(*n));
        minus.iter().for_each(|(c, n, _)| *plain.entry(c.clone()).or_default() -= i128::from(*n));
        let contained = plain.values().all(|&n| n >= 0);
        plus.iter().for_each(|(c, n, _)| *plain.entry(c.clone()).or_default() += i128::from(*n));
        let mut out = Vec::new();
        prop_assert_eq!(exchange(&segment, &bag(&minus), &bag(&plus), &mut out), contained);
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
    fn timed_exchanges_keep_all_stamps_in_order(here in tokens(), minus in tokens(), plus in tokens()) {
        let mut segment = Vec::new();
        prop_assert!(exchange_timed(&[], &Bag::default(), &bag(&here), &mut segment));
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
        prop_assert_eq!(exchange_timed(&segment, &bag(&minus), &bag(&plus), &mut out), contained);
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
        marking.replace(&empty, &all, |place, before, out| {
            assert!(exchange(before, &Bag::default(), &bag(&places[place]), out));
        });
        marking.time = time;
        let mut bytes = Vec::new();
        marking.encode(true, &mut bytes);
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
                marking.tokens(place).for_each(drop);
                marking.timed_tokens(place).for_each(|(_, stamps)| stamps.take(99).for_each(drop));
            });
        }
    }
}
