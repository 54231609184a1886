//! Facts in the terms of games, each against something that knows less: plain recursion on small positions, or the definition.

use crate::board_facts;
use crate::truth::Judge;
use grundy_shared::Position;
use grundy_shared::fact::{GameFact, HeadLaw, HeapReason, Sized, Terms};
use grundy_shared::ids::Seat;

/// Positions met in plain recursion before a part of a position is passed over as too large.
pub(crate) const MOST: usize = 20_000;

/// One component of a position whose facts are checked.
pub(crate) struct Component<'c> {
    /// Its name and parameters.
    pub(crate) head: &'c str,
    pub(crate) state: &'c str,
    /// Nothing, or `@misere`.
    ending: &'static str,
}

impl<'c> Component<'c> {
    /// Of its text without an ending.
    pub(crate) fn new(text: &'c str, misere: bool) -> Self {
        let (head, state) = text.split_once(':').expect("a component has a state");
        let ending = if misere { "@misere" } else { "" };
        Self {
            head,
            state,
            ending,
        }
    }

    /// The whole text.
    pub(crate) fn text(&self) -> String {
        format!("{}:{}{}", self.head, self.state, self.ending)
    }

    pub(crate) fn is_misere(&self) -> bool {
        !self.ending.is_empty()
    }

    pub(crate) fn numbers(&self) -> Vec<u64> {
        let items = self.state.split(',').filter(|item| *item != "_");
        let number = |item: &str| item.parse().expect("a number");
        items.map(number).collect()
    }

    /// The same game in another state and in normal play.
    fn normal(&self, state: &str) -> Position {
        parse(&format!("{}:{state}", self.head))
    }

    /// The nim-value of a heap.
    fn value(&self, heap: u64, judge: &mut Judge) -> Option<u64> {
        judge
            .verdict(&self.normal(&heap.to_string()), Seat::First, MOST)?
            .value
    }

    fn check_sized(&self, heap: Sized, judge: &mut Judge) {
        if let Some(value) = self.value(heap.size, judge) {
            assert_eq!(heap.value, value, "{}:{}", self.head, heap.size);
        }
    }

    /// What is on the steps, or in the gaps from the right.
    fn steps(&self) -> Vec<u64> {
        let mut coins = self.numbers();
        if self.head != "silver" {
            return coins;
        }
        coins.sort_unstable();
        let below = [None].into_iter().chain(coins.iter().copied().map(Some));
        let gaps = coins.iter().zip(below);
        let gap = |(coin, below): (&u64, Option<u64>)| coin - below.map_or(0, |below| below + 1);
        let mut gaps: Vec<u64> = gaps.map(gap).collect();
        gaps.reverse();
        gaps
    }

    /// The value of a row with only this coin heads up.
    fn head_at(&self, place: &str, judge: &mut Judge) -> Option<u64> {
        let place: usize = place.parse().expect("the place of a coin");
        let row = format!("{}H", "T".repeat(place - 1));
        judge.verdict(&self.normal(&row), Seat::First, MOST)?.value
    }
}

fn parse(text: &str) -> Position {
    Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// The index of a lettered heap.
fn heap_index(name: &str) -> usize {
    let letters = name.bytes();
    letters.fold(0, |index, letter| {
        index * 26 + usize::from(letter - b'A') + 1
    }) - 1
}

fn xor(terms: &Terms) -> u64 {
    let all = terms.all().expect("all are named");
    all.into_iter().fold(0, |xor, value| xor ^ value)
}

/// Whether the player to move loses heaps of Nim.
pub(crate) fn nim_is_lost(heaps: &[u64], misere: bool) -> bool {
    let xor = heaps.iter().fold(0, |xor, heap| xor ^ heap);
    match misere && heaps.iter().all(|heap| *heap <= 1) {
        true => xor == 1,
        false => xor == 0,
    }
}

/// Checks a fact about a position in which only this component has a move; `lost` is whether the player to move loses.
pub(crate) fn check(fact: &GameFact, component: &Component<'_>, lost: bool, judge: &mut Judge) {
    let shown = component.text();
    match fact {
        GameFact::HeapValue { name, heap, reason } => {
            let index = heap_index(name);
            assert_eq!(component.numbers()[index], heap.size, "{shown}");
            component.check_sized(*heap, judge);
            check_reason(*heap, reason, component, judge);
        }
        GameFact::Distance {
            target,
            left,
            modulus,
            value,
        } => {
            assert_eq!(target - left, component.numbers()[0], "{shown}");
            assert!(value < modulus && (left - value).is_multiple_of(*modulus));
            let truth = judge.verdict(&component.normal(component.state), Seat::First, MOST);
            assert_eq!(truth.and_then(|truth| truth.value), Some(*value), "{shown}");
        }
        GameFact::GoldenPair {
            heaps,
            lost: pair,
            golden,
        } => {
            let [low, high] = *pair;
            let difference = high - low;
            assert_eq!(difference, heaps[1] - heaps[0], "{shown}");
            assert_eq!(lost, heaps == pair, "{shown}");
            check_lost(&format!("{low},{high}"), component, judge);
            // floor(k x 1.618...) is the largest n with n x n <= n x k + k x k.
            let is_below = |n: u64| n * n <= n * difference + difference * difference;
            assert_eq!(*golden, is_below(low) && !is_below(low + 1), "{shown}");
        }
        GameFact::GoldenPartner { heap, partner } => {
            check_lost(&format!("{heap},{partner}"), component, judge);
        }
        GameFact::OddSteps {
            gaps,
            steps,
            xor,
            large,
        } => {
            assert_eq!(*gaps, component.head == "silver");
            let odd: Vec<u64> = component.steps().into_iter().step_by(2).collect();
            let filled: Vec<u64> = odd.iter().copied().filter(|step| *step > 0).collect();
            assert_eq!(steps.all(), Some(filled), "{shown}");
            assert_eq!(*xor, odd.iter().fold(0, |xor, step| xor ^ step));
            assert_eq!(*large, odd.iter().filter(|step| **step > 1).count() as u64);
            assert_eq!(lost, nim_is_lost(&odd, component.is_misere()), "{shown}");
        }
        GameFact::Zeckendorf {
            counted,
            parts,
            quota,
        } => {
            assert_eq!(parts.iter().sum::<u64>(), *counted, "{shown}");
            let fibonacci = [1, 2, 3, 5, 8, 13, 21, 34];
            let places: Vec<usize> = parts
                .iter()
                .map(|part| fibonacci.iter().position(|n| n == part).expect("small"))
                .collect();
            assert!(places.windows(2).all(|two| two[0] > two[1] + 1), "{shown}");
            assert_eq!(
                lost,
                parts.last().is_none_or(|least| quota < least),
                "{shown}"
            );
        }
        GameFact::Ratio {
            small,
            large,
            above,
        } => {
            assert_eq!(*above, large * large > large * small + small * small);
            let equal = small == large;
            assert_eq!(lost, !above && (!equal || component.is_misere()), "{shown}");
        }
        GameFact::Columns { modulus, columns } => {
            let heaps = component.numbers();
            for term in &columns.first {
                let place: u64 = term.name.parse().expect("a power of two");
                let ones = heaps.iter().filter(|heap| **heap & place != 0).count() as u64;
                assert_eq!(ones % modulus, term.value, "{shown}");
            }
            assert_eq!(lost, columns.total == 0, "{shown}");
        }
        GameFact::OnlyOnes { modulus, heaps } => {
            assert_eq!(component.numbers().iter().sum::<u64>(), *heaps);
            assert_eq!(lost, heaps % modulus == 1, "{shown}");
        }
        GameFact::TakeOrMerge { ones, moves } => {
            let heaps = component.numbers();
            let larger = heaps.iter().filter(|heap| **heap > 1);
            let lasts: u64 = larger.map(|heap| heap + 1).sum();
            assert_eq!(*moves, lasts.saturating_sub(1), "{shown}");
            assert_eq!(
                *ones,
                heaps.iter().filter(|heap| **heap == 1).count() as u64
            );
            let expected = match moves {
                0 | 2 => ones.is_multiple_of(3),
                _ => ones.is_multiple_of(2) && moves.is_multiple_of(2),
            };
            assert_eq!(lost, expected, "{shown}");
        }
        GameFact::HeadValues { law } => check_law(law, component, judge),
        GameFact::Heads { coins, xor: all } => {
            check_coins(coins, component, judge);
            assert_eq!(xor(coins), *all);
            let truth = judge.verdict(&component.normal(component.state), Seat::First, MOST);
            assert_eq!(truth.and_then(|truth| truth.value), Some(*all), "{shown}");
        }
        _ => board_facts::check(fact, component, lost, judge),
    }
}

/// The law for single heads, on the first places.
fn check_law(law: &HeadLaw, component: &Component<'_>, judge: &mut Judge) {
    let mut values = Vec::new();
    for place in 1..=8_u64 {
        let Some(value) = component.head_at(&place.to_string(), judge) else {
            break;
        };
        let expected = match law {
            HeadLaw::One {} => 1,
            HeadLaw::Place {} => place,
            HeadLaw::PlaceLessOne {} => place - 1,
            HeadLaw::Odious {} => odious(place),
            HeadLaw::PowerOfTwo { most } => {
                let power = 1 << place.trailing_zeros();
                most.map_or(power, |most| power.min(most))
            }
            HeadLaw::BaseThree {} => {
                let mut rest = place - 1;
                let mut digits = 1;
                while rest > 0 && rest % 3 != 2 {
                    rest /= 3;
                    digits += 1;
                }
                if rest == 0 { 0 } else { odious(digits) }
            }
            HeadLaw::Splits {} => {
                let heap = parse(&format!("grundy:{}", place - 1));
                let truth = judge.verdict(&heap, Seat::First, MOST);
                truth.and_then(|truth| truth.value).expect("small")
            }
            HeadLaw::Mex { others } => {
                let sums: Vec<u64> = (0..1_u32 << values.len())
                    .filter(|set| others.contains(&set.count_ones()))
                    .map(|set| {
                        let chosen = values.iter().enumerate();
                        let chosen = chosen.filter(|(at, _)| set >> at & 1 == 1);
                        chosen.fold(0, |xor, (_, value)| xor ^ value)
                    })
                    .collect();
                (0..).find(|value| !sums.contains(value)).expect("a mex")
            }
        };
        assert_eq!(value, expected, "{} at {place}", component.text());
        values.push(value);
    }
}

/// The number at this place, from 1, among those with an odd number of binary ones.
fn odious(place: u64) -> u64 {
    let mut odd = (1_u64..).filter(|number| number.count_ones() % 2 == 1);
    odd.nth(place as usize - 1).expect("there is no last one")
}

fn check_lost(state: &str, component: &Component<'_>, judge: &mut Judge) {
    let pair = parse(&format!("{}:{state}{}", component.head, component.ending));
    let truth = judge.verdict(&pair, Seat::First, MOST);
    assert_eq!(truth.expect("small").wins, Some(false), "{pair}");
}

fn check_coins(coins: &Terms, component: &Component<'_>, judge: &mut Judge) {
    for coin in &coins.first {
        let value = component.head_at(&coin.name, judge);
        assert_eq!(value, Some(coin.value), "{} {coin:?}", component.head);
    }
}

fn check_reason(heap: Sized, reason: &HeapReason, component: &Component<'_>, judge: &mut Judge) {
    match reason {
        HeapReason::Remainder { modulus, quotient } => {
            assert_eq!(heap.size, quotient * modulus + heap.value);
            assert!(heap.value < *modulus);
        }
        HeapReason::Exchanged {} => {
            let expected = match heap.size % 4 {
                3 => heap.size + 1,
                0 => heap.size.saturating_sub(1),
                _ => heap.size,
            };
            assert_eq!(heap.value, expected);
        }
        HeapReason::Odious {} => {
            let odious = (0u64..).filter(|n| n.count_ones() % 2 == 1);
            let nth = [0].into_iter().chain(odious).nth(heap.size as usize);
            assert_eq!(Some(heap.value), nth);
        }
        HeapReason::Period {
            start,
            length,
            like,
        } => {
            assert!(*like >= *start && *like < start + length);
            assert!((heap.size - like).is_multiple_of(*length));
            assert_eq!(component.value(*like, judge), Some(heap.value));
        }
        HeapReason::Mex { reached } => {
            let position = component.normal(component.state);
            let Some(before) = judge.verdict(&position, Seat::First, MOST) else {
                return;
            };
            assert_eq!(reached.len() as u64, heap.value);
            for (value, reached) in (0..).zip(reached) {
                assert_eq!(reached.value, value);
                let mv = position
                    .parse_move(Seat::First, &reached.mv)
                    .expect("legal");
                let after = judge.verdict(&position.play(&mv), Seat::First, MOST);
                let changed = before.value.map(|all| all ^ heap.value ^ value);
                assert_eq!(after.expect("smaller").value, changed, "{position} {mv}");
            }
        }
    }
}

/// Checks what a move changes in a component.
pub(crate) fn check_change(
    fact: &GameFact,
    before: &Component<'_>,
    after: &Component<'_>,
    judge: &mut Judge,
) {
    match fact {
        GameFact::HeapChange {
            name,
            before: heap,
            after: left,
            after_total,
            classes,
        } => {
            let index = heap_index(name);
            let (old, new) = (before.numbers(), after.numbers());
            assert_eq!(old[index], heap.size);
            assert_eq!(new[index], left[0].size);
            assert_eq!(old.len() as u64 + after_total - 1, new.len() as u64);
            assert_eq!(left.len() as u64, (*after_total).min(8));
            let split = left.iter().skip(1).map(|part| part.size);
            assert!(
                split.eq(new[old.len()..].iter().copied().take(7)),
                "{new:?}"
            );
            if !classes {
                before.check_sized(*heap, judge);
                left.iter()
                    .for_each(|part| before.check_sized(*part, judge));
            }
        }
        GameFact::StepChange {
            step,
            before: had,
            after: has,
            ..
        } => {
            let step = *step as usize - 1;
            assert!(step.is_multiple_of(2));
            assert_eq!((before.steps()[step], after.steps()[step]), (*had, *has));
            assert_ne!(had, has);
        }
        GameFact::TurnedCoins { coins, xor: all } => {
            check_coins(coins, before, judge);
            assert_eq!(xor(coins), *all);
            let mut value = |of: &Component<'_>| {
                let truth = judge.verdict(&of.normal(of.state), Seat::First, MOST);
                truth.and_then(|truth| truth.value).expect("small")
            };
            assert_eq!(value(before) ^ value(after), *all);
        }
        _ => board_facts::check_change(fact, before, after, judge),
    }
}
