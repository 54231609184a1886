//! The Dutch system against its own text: a literal generator of candidates in the order of articles 3 and 4, with every
//! criterion counted from its definition. It knows no matching and no weights, and is only fit for a few players.

use std::cell::RefCell;
use std::cmp::Reverse;

use proptest::prelude::*;

use super::super::cross_table::{Entry, HalfPoints};
use super::player::{Float, Strength};
use super::*;

const WIN: HalfPoints = HalfPoints(2);

/// A candidate of a bracket: pairs by rank, the higher first, and who is left over.
#[derive(Clone, Debug)]
struct Candidate {
    pairs: Vec<(usize, usize)>,
    down: Vec<usize>,
}

/// How many go down from a bracket, and their scores.
type Floats = [Vec<i64>; 2];
/// The pairs of a round by rank, and who has the bye.
type Round = (Vec<(usize, usize)>, Option<usize>);

struct Oracle<'t> {
    players: &'t [Player],
    may_meet: &'t dyn Fn(&Player, &Player) -> bool,
    /// Answers that were found: by the set of players, and by the sets moved down and below.
    byes: RefCell<BTreeMap<u32, Option<u32>>>,
    followings: RefCell<BTreeMap<(u32, u32), Floats>>,
}

/// The set of some ranks as bits.
fn bits(ranks: &[usize]) -> u32 {
    ranks.iter().map(|rank| 1 << rank).sum()
}

impl Oracle<'_> {
    fn meet(&self, one: usize, two: usize) -> bool {
        (self.may_meet)(&self.players[one], &self.players[two])
    }

    /// All complete pairings of these players: the lowest score that the bye can have, 0 without one; `None` if there is
    /// no complete pairing (C1 to C4).
    fn lowest_bye(&self, open: &[usize]) -> Option<u32> {
        if let Some(known) = self.byes.borrow().get(&bits(open)) {
            return *known;
        }
        let found = self.searched_bye(open);
        self.byes.borrow_mut().insert(bits(open), found);
        found
    }

    fn searched_bye(&self, open: &[usize]) -> Option<u32> {
        let Some((first, rest)) = open.split_first() else {
            return Some(0);
        };
        let without = |place: usize| {
            let mut left = rest.to_vec();
            left.remove(place);
            left
        };
        let paired = (0..rest.len())
            .filter(|place| self.meet(*first, rest[*place]))
            .filter_map(|place| self.lowest_bye(&without(place)));
        let bye = (open.len() % 2 == 1
            && self.players[*first].may_have_bye
            && self.lowest_bye(rest).is_some())
        .then(|| self.players[*first].score.0);
        paired.chain(bye).min()
    }

    fn score(&self, rank: usize) -> u32 {
        self.players[rank].score.0
    }

    /// Pairs everybody, bracket by bracket.
    fn round(&self) -> Option<Round> {
        let everybody: Vec<usize> = (0..self.players.len()).collect();
        let bye_score = self.lowest_bye(&everybody)?;
        let mut pairs = Vec::new();
        let mut moved_down: Vec<usize> = Vec::new();
        let mut below = everybody;
        while let Some(first) = below.first() {
            let score = self.score(*first);
            let end = below
                .iter()
                .take_while(|rank| self.score(**rank) == score)
                .count();
            let residents: Vec<usize> = below.drain(..end).collect();
            let best = self.best(&moved_down, &residents, &below, bye_score)?;
            pairs.extend(best.pairs);
            moved_down = best.down;
        }
        Some((pairs, moved_down.first().copied()))
    }

    /// The best candidate, of equals the one generated first.
    fn best(
        &self,
        moved_down: &[usize],
        residents: &[usize],
        below: &[usize],
        bye_score: u32,
    ) -> Option<Candidate> {
        let mut best: Option<(Vec<Vec<i64>>, Candidate)> = None;
        for candidate in self.candidates(moved_down, residents) {
            // C4 and C5: everybody left can be paired, and the bye goes to the lowest score.
            let mut left = candidate.down.clone();
            left.extend(below);
            let odd = left.len() % 2 == 1;
            if self
                .lowest_bye(&left)
                .is_none_or(|lowest| odd && lowest != bye_score)
            {
                continue;
            }
            let failures = self.failures(&candidate, moved_down, residents, below, bye_score);
            if best.as_ref().is_none_or(|(least, _)| failures < *least) {
                best = Some((failures, candidate));
            }
        }
        best.map(|(_, candidate)| candidate)
    }

    /// All legal candidates in the order of article 3: sets of players moved down, transpositions of their opponents,
    /// exchanges and transpositions of the remainder. The number of pairs is not fixed beforehand; fewer pairs fail C6.
    fn candidates(&self, moved_down: &[usize], residents: &[usize]) -> Vec<Candidate> {
        let mut sets: Vec<Vec<usize>> = subsets(moved_down);
        // 4.4: by the smallest differing number.
        sets.sort();
        let mut candidates = Vec::new();
        for chosen in sets {
            for opponents in arrangements(residents, chosen.len()) {
                let made: Vec<(usize, usize)> = chosen.iter().copied().zip(opponents).collect();
                if !made.iter().all(|(one, two)| self.meet(*one, *two)) {
                    continue;
                }
                let free = |rank: &usize| made.iter().all(|(_, two)| two != rank);
                let remainder: Vec<usize> = residents.iter().copied().filter(free).collect();
                for most in (0..=remainder.len() / 2).rev() {
                    for inner in self.homogeneous(&remainder, most) {
                        let mut pairs = made.clone();
                        pairs.extend(&inner.pairs);
                        let limbo = moved_down.iter().filter(|rank| !chosen.contains(rank));
                        let down = limbo.chain(&inner.down).copied().collect();
                        candidates.push(Candidate { pairs, down });
                    }
                }
            }
        }
        candidates
    }

    /// Candidates of a homogeneous group with so many pairs: exchanges (4.3), and in each all transpositions (4.2).
    fn homogeneous(&self, group: &[usize], most: usize) -> Vec<Candidate> {
        let (first, second) = group.split_at(most);
        let mut exchanges: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        for leaving in subsets(first) {
            for entering in subsets(second) {
                if leaving.len() == entering.len() {
                    exchanges.push((leaving.clone(), entering));
                }
            }
        }
        exchanges.sort_by_key(|(leaving, entering)| {
            let sum = |set: &[usize]| set.iter().sum::<usize>() as i64;
            let highest: Vec<Reverse<usize>> =
                leaving.iter().rev().map(|rank| Reverse(*rank)).collect();
            (
                leaving.len(),
                sum(entering) - sum(leaving),
                highest,
                entering.clone(),
            )
        });
        let mut candidates = Vec::new();
        for (leaving, entering) in exchanges {
            let swap = |half: &[usize], out: &[usize], into: &[usize]| -> Vec<usize> {
                let stay = half.iter().filter(|rank| !out.contains(rank));
                let mut half: Vec<usize> = stay.chain(into).copied().collect();
                half.sort_unstable();
                half
            };
            let one = swap(first, &leaving, &entering);
            let two = swap(second, &entering, &leaving);
            for opponents in arrangements(&two, most) {
                let legal = one.iter().zip(&opponents).all(|(a, b)| self.meet(*a, *b));
                if legal {
                    let ordered = |(a, b): (&usize, &usize)| (*a.min(b), *a.max(b));
                    candidates.push(Candidate {
                        pairs: one.iter().zip(&opponents).map(ordered).collect(),
                        down: two
                            .iter()
                            .copied()
                            .filter(|rank| !opponents.contains(rank))
                            .collect(),
                    });
                }
            }
        }
        candidates
    }

    /// C6 to C21 as failure values, each criterion a list that is compared from the left.
    fn failures(
        &self,
        candidate: &Candidate,
        moved_down: &[usize],
        residents: &[usize],
        below: &[usize],
        bye_score: u32,
    ) -> Vec<Vec<i64>> {
        let one = |value: usize| vec![value as i64];
        let mut scores: Vec<i64> = candidate
            .down
            .iter()
            .map(|rank| i64::from(self.score(*rank)))
            .collect();
        scores.sort_by_key(|score| Reverse(*score));
        let mut failures = vec![one(candidate.down.len()), scores];
        failures.extend(self.following(&candidate.down, below, bye_score));
        // C9: the one player left over has the bye.
        let resident_score = self.score(residents[0]);
        let total = self.players.len();
        let is_bye = candidate.down.len() == 1 && total % 2 == 1 && bye_score >= resident_score;
        let unplayed = candidate.down.first().filter(|_| is_bye);
        failures.push(vec![
            unplayed.map_or(0, |rank| -i64::from(self.players[*rank].games)),
        ]);
        failures.extend(self.colours(candidate));
        let is_resident = |rank: &usize| residents.contains(rank);
        let float = |rank: usize, ago: usize| self.players[rank].floats[ago];
        for ago in [0, 1] {
            let again = candidate
                .down
                .iter()
                .filter(|rank| is_resident(rank) && float(**rank, ago) == Float::Down);
            failures.push(one(again.count()));
            let ups = candidate
                .pairs
                .iter()
                .filter(|(high, low)| moved_down.contains(high) && float(*low, ago) == Float::Up);
            failures.push(one(ups.count()));
        }
        for ago in [0, 1] {
            // A player moved down who goes on down has a larger difference than any pair (the commentary on C18).
            let gap = |rank: usize, partner: Option<usize>| match partner {
                Some(partner) => i64::from(self.score(rank) - self.score(partner)),
                None => 1000 + i64::from(self.score(rank)),
            };
            let partner = |rank: usize| {
                candidate
                    .pairs
                    .iter()
                    .find(|(high, _)| *high == rank)
                    .map(|(_, low)| *low)
            };
            let downs = moved_down
                .iter()
                .filter(|rank| float(**rank, ago) == Float::Down);
            let mut gaps: Vec<i64> = downs.map(|rank| gap(*rank, partner(*rank))).collect();
            gaps.sort_by_key(|gap| Reverse(*gap));
            failures.push(gaps);
            let ups = candidate
                .pairs
                .iter()
                .filter(|(high, low)| moved_down.contains(high) && float(*low, ago) == Float::Up);
            let mut gaps: Vec<i64> = ups.map(|(high, low)| gap(*high, Some(*low))).collect();
            gaps.sort_by_key(|gap| Reverse(*gap));
            failures.push(gaps);
        }
        failures
    }

    /// C8: how many go down from the following bracket, and their scores, at best.
    fn following(&self, down: &[usize], below: &[usize], bye_score: u32) -> [Vec<i64>; 2] {
        let key = (bits(down), bits(below));
        if let Some(known) = self.followings.borrow().get(&key) {
            return known.clone();
        }
        let found = self.searched_following(down, below, bye_score);
        self.followings.borrow_mut().insert(key, found.clone());
        found
    }

    fn searched_following(&self, down: &[usize], below: &[usize], bye_score: u32) -> [Vec<i64>; 2] {
        let Some(first) = below.first() else {
            return [Vec::new(), Vec::new()];
        };
        let score = self.score(*first);
        let count = below
            .iter()
            .take_while(|rank| self.score(**rank) == score)
            .count();
        let (residents, rest) = below.split_at(count);
        let best = self
            .candidates(down, residents)
            .into_iter()
            .filter_map(|candidate| {
                let mut left = candidate.down.clone();
                left.extend(rest);
                let odd = left.len() % 2 == 1;
                let lowest = self.lowest_bye(&left)?;
                if odd && lowest != bye_score {
                    return None;
                }
                let mut scores: Vec<i64> = candidate
                    .down
                    .iter()
                    .map(|rank| i64::from(self.score(*rank)))
                    .collect();
                scores.sort_by_key(|score| Reverse(*score));
                Some((candidate.down.len() as i64, scores))
            })
            .min();
        best.map_or([vec![i64::MAX], Vec::new()], |(count, scores)| {
            [vec![count], scores]
        })
    }

    /// C10 to C13, from the colours that article 5 gives.
    fn colours(&self, candidate: &Candidate) -> [Vec<i64>; 4] {
        let mut counts = [0; 4];
        for (high, low) in &candidate.pairs {
            let (high, low) = (&self.players[*high], &self.players[*low]);
            let given = colour::colour_of_higher(high, low, Colour::White);
            for (player, colour) in [(high, given), (low, given.other())] {
                let step = if colour == Colour::White { 1 } else { -1 };
                counts[0] += i64::from((player.difference + step).abs() > 2);
                counts[1] += i64::from(player.repeated() == Some(colour));
                let denied = player
                    .preference
                    .is_some_and(|preference| preference != colour);
                counts[2] += i64::from(denied);
                counts[3] += i64::from(denied && player.strength == Strength::Strong);
            }
        }
        counts.map(|count| vec![count])
    }
}

/// All subsets, each ascending.
fn subsets(of: &[usize]) -> Vec<Vec<usize>> {
    (0..1usize << of.len())
        .map(|bits| {
            let chosen = of
                .iter()
                .enumerate()
                .filter(|(place, _)| bits & (1 << place) != 0);
            chosen.map(|(_, rank)| *rank).collect()
        })
        .collect()
}

/// All ways to take so many in order, in lexicographic order.
fn arrangements(of: &[usize], many: usize) -> Vec<Vec<usize>> {
    if many == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for (place, first) in of.iter().enumerate() {
        let mut rest = of.to_vec();
        rest.remove(place);
        for tail in arrangements(&rest, many - 1) {
            found.push([vec![*first], tail].concat());
        }
    }
    found
}

/// Plays a tournament whose results, byes and forfeits come from `chance`, and gives each round to `look`.
fn play(
    players: u32,
    total: usize,
    mut chance: impl FnMut(u32) -> u32,
    mut look: impl FnMut(&CrossTable, &SwissRules, Result<&SwissRound, SwissError>),
) {
    let mut table = CrossTable::new(players, WIN);
    for _ in 0..total {
        let mut rules = SwissRules::new(total);
        let mut entries = vec![Entry::ZeroBye; players as usize];
        for number in 1..=players {
            if chance(12) == 0 {
                rules.absent.insert(number);
                entries[number as usize - 1] =
                    [Entry::HalfBye, Entry::ZeroBye, Entry::FullBye][chance(3) as usize];
            }
        }
        let round = next_round(&table, &rules);
        look(&table, &rules, round.as_ref().map_err(|error| *error));
        let Ok(round) = round else { return };
        for (white, black) in &round.pairs {
            let result = chance(10);
            let entry = |opponent, colour, score| match result {
                9 => Entry::Forfeit {
                    opponent,
                    colour: Some(colour),
                    won: colour == Colour::White,
                },
                _ => Entry::Played {
                    opponent,
                    colour,
                    score: HalfPoints(score),
                },
            };
            let score = result % 3;
            entries[*white as usize - 1] = entry(*black, Colour::White, score);
            entries[*black as usize - 1] = entry(*white, Colour::Black, 2 - score);
        }
        if let Some(bye) = round.bye {
            entries[bye as usize - 1] = Entry::PairingBye;
        }
        table.push_round(&entries).expect("a round");
    }
}

fn seeded(seed: u64) -> impl FnMut(u32) -> u32 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as u32 % below
    }
}

#[test]
fn small_fields_are_paired_as_the_text_says() {
    let mut rounds = 0;
    for seed in 0..100 {
        let players = 4 + (seed % 4) as u32;
        play(players, 5, seeded(seed), |table, rules, round| {
            let players = present(table, rules);
            if players.len() < 2 {
                return;
            }
            let half = table.win().0 * table.rounds() as u32;
            let is_last = table.rounds() + 1 == rules.total_rounds;
            let topscorer = |player: &Player| is_last && player.score.0 * 2 > half;
            let may_meet = |one: &Player, two: &Player| {
                let same =
                    one.preference == two.preference && one.is_absolute() && two.is_absolute();
                !one.barred.contains(&two.number) && (!same || topscorer(one) || topscorer(two))
            };
            let oracle = Oracle {
                players: &players,
                may_meet: &may_meet,
                byes: RefCell::default(),
                followings: RefCell::default(),
            };
            let expected = oracle.round().map(|(pairs, bye)| {
                let number = |rank: usize| players[rank].number;
                let pairs: BTreeSet<(u32, u32)> = pairs
                    .into_iter()
                    .map(|(a, b)| (number(a).min(number(b)), number(a).max(number(b))))
                    .collect();
                (pairs, bye.map(number))
            });
            let found = round.ok().map(|round| {
                let pairs = round.pairs.iter().map(|(a, b)| (*a.min(b), *a.max(b)));
                (pairs.collect::<BTreeSet<_>>(), round.bye)
            });
            assert_eq!(found, expected, "seed {seed}, {table:?}, {rules:?}");
            rounds += 1;
        });
    }
    assert!(rounds > 250, "only {rounds} rounds were compared");
}

/// The example of round 2 of five players in which C5 breaks up the top bracket rather than give the bye to a higher score.
#[test]
fn the_bye_goes_to_the_lowest_score() {
    let mut table = CrossTable::new(5, WIN);
    let played = |opponent, colour, score| Entry::Played {
        opponent,
        colour,
        score: HalfPoints(score),
    };
    let round = [
        played(3, Colour::White, 2),
        played(4, Colour::Black, 2),
        played(1, Colour::Black, 0),
        played(2, Colour::White, 0),
        Entry::ZeroBye,
    ];
    table.push_round(&round).expect("a round");
    let found = next_round(&table, &SwissRules::new(3)).expect("a pairing");
    // Players 3, 4 and 5 have 0 points; 5 has no game yet, so C9 gives the bye to one who played.
    assert_eq!(found.pairs, [(2, 1), (3, 5)]);
    assert_eq!(found.bye, Some(4));
}

#[test]
fn the_first_round_pairs_halves() {
    let found = next_round(&CrossTable::new(9, WIN), &SwissRules::new(5)).expect("a pairing");
    assert_eq!(found.pairs, [(1, 5), (6, 2), (3, 7), (8, 4)]);
    assert_eq!((found.round, found.bye), (1, Some(9)));
    let mut rules = SwissRules::new(5);
    rules.initial_colour = Colour::Black;
    let found = next_round(&CrossTable::new(4, WIN), &rules).expect("a pairing");
    assert_eq!(found.pairs, [(3, 1), (2, 4)]);
}

#[test]
fn rounds_that_cannot_be_paired_say_why() {
    let table = CrossTable::new(3, WIN);
    let mut rules = SwissRules::new(3);
    rules.forbidden = BTreeSet::from([(1, 2), (1, 3), (2, 3)]);
    assert_eq!(next_round(&table, &rules), Err(SwissError::NoPairing(1)));
    rules.absent = BTreeSet::from([1, 2]);
    assert_eq!(
        next_round(&table, &rules),
        Err(SwissError::TooFewPlayers(1))
    );
    let many = CrossTable::new(MAX_SWISS_PLAYERS as u32 + 1, WIN);
    assert!(matches!(
        next_round(&many, &SwissRules::new(3)),
        Err(SwissError::TooManyPlayers(_))
    ));
    assert_eq!(
        next_round(&table, &SwissRules::new(0)),
        Err(SwissError::Finished(0))
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Nobody meets twice or has two byes; colours keep within their limits outside the last round; everybody plays.
    #[test]
    fn tournaments_keep_the_rules(players in 2u32..24, total in 1usize..8, seed: u64) {
        let mut problems = Vec::new();
        play(players, total, seeded(seed), |table, rules, round| {
            let Ok(round) = round else { return };
            let mut seen = BTreeSet::new();
            let present: Vec<u32> = table.numbers().filter(|number| !rules.absent.contains(number)).collect();
            for (white, black) in &round.pairs {
                let new = seen.insert(*white) && seen.insert(*black);
                let met = table.row(*white).iter().any(|entry| entry.met() == Some(*black));
                if !new || met {
                    problems.push(format!("{white}-{black}"));
                }
                for (player, colour) in [(*white, Colour::White), (*black, Colour::Black)] {
                    let colours: Vec<Colour> = table.row(player).iter().filter_map(|entry| entry.played_colour()).collect();
                    let last_two = colours.len() >= 2 && colours[colours.len() - 2..] == [colour; 2];
                    let surplus = colours.iter().map(|other| if *other == colour { 1 } else { -1 }).sum::<i32>();
                    if round.round < total && (last_two || surplus >= 2) {
                        problems.push(format!("{player} has {colour:?} again"));
                    }
                }
            }
            if let Some(bye) = round.bye {
                let again = table.row(bye).contains(&Entry::PairingBye);
                if again || !seen.insert(bye) {
                    problems.push(format!("bye of {bye}"));
                }
            }
            if seen.len() != present.len() {
                problems.push("not everybody plays".to_owned());
            }
        });
        prop_assert!(problems.is_empty(), "{:?}", problems);
    }
}
