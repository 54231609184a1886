//! The pairing of a round, bracket by bracket from the top (C.04.3, articles 3 and 4).
//!
//! In each bracket the pairs are those of a matching of greatest weight over all players not yet paired. The weight
//! holds the criteria in their order and after them the order in which the rules generate candidates, so that the best
//! candidate that is generated first is the only greatest one. That every player below is matched too is what C4 asks.

use super::super::cross_table::HalfPoints;
use super::criteria::{Criteria, Part};
use super::player::Player;
use super::weight::{Field, Scale, Values, best_matching};

/// The most components of a weight while the order of transpositions is added to it.
const COMPONENTS: usize = 16;

/// The players of a round by rank, and whom they may meet.
pub(super) struct Entrants<'p> {
    pub(super) players: &'p [Player],
    /// C1 and C3.
    pub(super) may_meet: &'p dyn Fn(&Player, &Player) -> bool,
    /// How many rounds are finished.
    pub(super) rounds: usize,
}

/// The pairs of a round by rank, the higher first, and who has the bye.
#[derive(Debug)]
pub(super) struct Paired {
    pub(super) pairs: Vec<(usize, usize)>,
    pub(super) bye: Option<usize>,
}

/// Pairs the round; `None` if no pairing complies with the absolute criteria.
pub(super) fn pair(entrants: &Entrants<'_>) -> Option<Paired> {
    if let Some(paired) = first_round(entrants) {
        return Some(paired);
    }
    let count = entrants.players.len();
    let mut pairing = Pairing {
        entrants,
        bye_score: None,
        done: vec![false; count],
    };
    pairing.fix_bye_score()?;
    let mut pairs = Vec::new();
    let mut moved_down: Vec<usize> = Vec::new();
    let mut first = 0;
    while first < count {
        let score = entrants.players[first].score;
        let residents = entrants.players[first..].iter();
        let end = first + residents.take_while(|player| player.score == score).count();
        let mut bracket = Bracket {
            pairing: &pairing,
            moved_down: std::mem::take(&mut moved_down),
            residents: (first..end).collect(),
            bye_decides: false,
        };
        let made = bracket.pairs();
        for (higher, lower) in &made {
            pairing.done[*higher] = true;
            pairing.done[*lower] = true;
        }
        pairs.extend(made);
        moved_down = (0..end).filter(|player| !pairing.done[*player]).collect();
        first = end;
    }
    // By completion at most the player with the bye is left.
    Some(Paired {
        pairs,
        bye: moved_down.first().copied(),
    })
}

/// The pairing of a first round, in which no criterion tells players apart: the first candidate, upper half against lower half, and the
/// last player has the bye. One bracket of everybody would take a matching of all. `None` in a later round, and if a pair is forbidden.
fn first_round(entrants: &Entrants<'_>) -> Option<Paired> {
    let players = entrants.players;
    let half = players.len() / 2;
    let pairs: Vec<(usize, usize)> = (0..half).map(|rank| (rank, half + rank)).collect();
    let may_all_meet = pairs
        .iter()
        .all(|(one, two)| (entrants.may_meet)(&players[*one], &players[*two]));
    (entrants.rounds == 0 && may_all_meet).then(|| Paired {
        pairs,
        bye: (players.len() % 2 == 1).then(|| players.len() - 1),
    })
}

/// A round of which some players are paired.
struct Pairing<'p> {
    entrants: &'p Entrants<'p>,
    /// C5: the score of the player with the bye, if there is one.
    bye_score: Option<HalfPoints>,
    /// By rank, who is paired.
    done: Vec<bool>,
}

impl Pairing<'_> {
    fn player(&self, rank: usize) -> &Player {
        &self.entrants.players[rank]
    }

    fn may_meet(&self, one: usize, two: usize) -> bool {
        (self.entrants.may_meet)(self.player(one), self.player(two))
    }

    /// Whether the player can have the bye without breaking C2 or C5.
    fn may_have_bye(&self, rank: usize) -> bool {
        let player = self.player(rank);
        player.may_have_bye && self.bye_score.is_none_or(|score| player.score <= score)
    }

    /// The vertices of a matching: everybody not yet paired, by rank, and `None` for the bye of an odd number.
    fn vertices(&self) -> Vec<Option<usize>> {
        let open = (0..self.done.len()).filter(|player| !self.done[*player]);
        let mut vertices: Vec<Option<usize>> = open.map(Some).collect();
        if vertices.len() % 2 == 1 {
            vertices.push(None);
        }
        vertices
    }

    /// Finds the lowest score that the bye can have in a complete pairing (C5); `None` if no pairing is complete.
    fn fix_bye_score(&mut self) -> Option<()> {
        let vertices = self.vertices();
        let (mut scale, used) = Scale::new(vertices.len());
        let highest = self.entrants.players.first()?.score.0;
        let low_bye = scale.field(u64::from(highest));
        let mate = best_matching(vertices.len(), &scale, |i, j| {
            match (vertices[i]?, vertices[j]) {
                (one, Some(two)) => self.may_meet(one, two).then(|| vec![(used, 1)]),
                (one, None) => self.may_have_bye(one).then(|| {
                    let gap = highest - self.player(one).score.0;
                    vec![(used, 1), (low_bye, i64::from(gap))]
                }),
            }
        });
        if mate.iter().any(Option::is_none) {
            return None;
        }
        let with_bye = vertices.iter().position(Option::is_none);
        let assignee = with_bye.and_then(|bye| vertices[mate[bye]?]);
        self.bye_score = assignee.map(|player| self.player(player).score);
        Some(())
    }
}

/// One bracket: players moved down and residents, by rank.
struct Bracket<'p> {
    pairing: &'p Pairing<'p>,
    moved_down: Vec<usize>,
    residents: Vec<usize>,
    /// Whether C9 holds here.
    bye_decides: bool,
}

impl Bracket<'_> {
    /// The pairs made in the bracket.
    fn pairs(&mut self) -> Vec<(usize, usize)> {
        let most = self.most_pairs();
        let players = self.moved_down.len() + self.residents.len();
        let resident_score = self
            .residents
            .first()
            .map(|rank| self.pairing.player(*rank).score);
        // C9: exactly one player is left over, and nobody below can have the bye.
        self.bye_decides = players == 2 * most + 1
            && self
                .pairing
                .bye_score
                .is_some_and(|score| resident_score.is_some_and(|resident| score >= resident));
        let mut pairs = if self.moved_down.is_empty() {
            Vec::new()
        } else {
            self.moved_down_pairs()
        };
        let rest = most - pairs.len();
        let opponents: Vec<usize> = pairs.iter().map(|(_, lower)| *lower).collect();
        let remainder = self.residents.iter().copied();
        let remainder: Vec<usize> = remainder.filter(|rank| !opponents.contains(rank)).collect();
        self.pair_remainder(&remainder, rest, &mut pairs);
        pairs
    }

    /// Where a player stands.
    fn part(&self, rank: usize) -> Part {
        let Some(last) = self.residents.last() else {
            return Part::Below;
        };
        let player = self.pairing.player(rank);
        if self.residents.contains(&rank) {
            Part::Resident
        } else if rank < *last {
            Part::MovedDown
        } else {
            let next = self.pairing.entrants.players.get(last + 1);
            match next {
                Some(next) if next.score == player.score => Part::Next,
                _ => Part::Below,
            }
        }
    }

    /// The most pairs that the bracket can make if everybody is to be paired in the end (C6).
    fn most_pairs(&self) -> usize {
        let vertices = self.pairing.vertices();
        let parts = self.parts(&vertices);
        let (mut scale, used) = Scale::new(vertices.len());
        let inside = scale.field(vertices.len() as u64);
        let mate = best_matching(vertices.len(), &scale, |i, j| {
            self.allowed(&vertices, &parts, i, j).then(|| {
                let pair = parts[j] == Part::Resident;
                vec![(used, 1), (inside, i64::from(pair))]
            })
        });
        made(&mate, &parts).len()
    }

    fn parts(&self, vertices: &[Option<usize>]) -> Vec<Part> {
        let parts = vertices.iter();
        parts
            .map(|vertex| vertex.map_or(Part::Bye, |rank| self.part(rank)))
            .collect()
    }

    /// Whether there is an edge. Two players moved down never have one: they could have been paired above.
    fn allowed(&self, vertices: &[Option<usize>], parts: &[Part], i: usize, j: usize) -> bool {
        match (vertices[i], vertices[j]) {
            (Some(one), Some(two)) => {
                parts[j] != Part::MovedDown && self.pairing.may_meet(one, two)
            }
            (Some(one), None) => self.pairing.may_have_bye(one),
            (None, _) => false,
        }
    }

    fn criteria(&self, vertices: usize) -> (Scale, Criteria) {
        let mut scores: Vec<HalfPoints> = self
            .moved_down
            .iter()
            .map(|rank| self.pairing.player(*rank).score)
            .collect();
        scores.dedup();
        let resident = self
            .residents
            .first()
            .map(|rank| self.pairing.player(*rank).score);
        let rounds = self.pairing.entrants.rounds;
        Criteria::new(vertices, &scores, resident, rounds, self.bye_decides)
    }

    fn values(
        &self,
        criteria: &Criteria,
        vertices: &[Option<usize>],
        parts: &[Part],
        (i, j): (usize, usize),
    ) -> Option<Values> {
        let one = vertices[i]?;
        let higher = self.pairing.player(one);
        Some(match vertices[j] {
            Some(two) => criteria.of_pair((higher, parts[i]), (self.pairing.player(two), parts[j])),
            None => criteria.of_bye(higher),
        })
    }

    /// The pairs of players moved down. Of the best pairings those come first whose paired players have the smallest
    /// numbers in the bracket (4.4), then those whose opponents have, beginning with the first player's (4.2).
    fn moved_down_pairs(&self) -> Vec<(usize, usize)> {
        let vertices = self.pairing.vertices();
        let parts = self.parts(&vertices);
        let (mut scale, criteria) = self.criteria(vertices.len());
        let chosen: Vec<Field> = self.moved_down.iter().map(|_| scale.field(1)).collect();
        let residents = self.residents.len();
        let opponent: Vec<Field> = self
            .moved_down
            .iter()
            .map(|_| scale.field(residents as u64))
            .collect();
        let first_resident = self.residents.first().copied().unwrap_or_default();
        let mate = best_matching(vertices.len(), &scale, |i, j| {
            if !self.allowed(&vertices, &parts, i, j) {
                return None;
            }
            let mut values = self.values(&criteria, &vertices, &parts, (i, j))?;
            if parts[i] == Part::MovedDown && parts[j] == Part::Resident {
                let (one, two) = (vertices[i]?, vertices[j]?);
                let place = self.moved_down.iter().position(|rank| *rank == one)?;
                let number = two - first_resident;
                values.push((chosen[place], 1));
                values.push((opponent[place], (residents - number) as i64));
            }
            Some(values)
        });
        made(&mate, &parts)
            .into_iter()
            .filter(|(i, _)| parts[*i] == Part::MovedDown)
            .filter_map(|(i, j)| Some((vertices[i]?, vertices[j]?)))
            .collect()
    }

    /// Adds the `most` pairs of the remaining residents: of the best pairings those that the rules generate first, by the
    /// exchange between the two halves (4.3), then by the transposition of the second (4.2).
    fn pair_remainder(&self, remainder: &[usize], most: usize, pairs: &mut Vec<(usize, usize)>) {
        if most == 0 {
            return;
        }
        let mut step = Remainder {
            bracket: self,
            residents: remainder.to_vec(),
            most,
            first_half: None,
        };
        while !step.residents.is_empty() && step.most > 0 {
            let paired: Vec<usize> = pairs.iter().flat_map(|(one, two)| [*one, *two]).collect();
            let (made, first_half) = step.next(&paired);
            let all = step.first_half.is_none() && made.len() == step.most;
            step.first_half = Some(first_half);
            for (one, two) in &made {
                step.residents.retain(|rank| rank != one && rank != two);
            }
            step.most -= made.len();
            pairs.extend(made);
            if all {
                break;
            }
        }
    }
}

/// Residents that are still to be paired among themselves.
struct Remainder<'b> {
    bracket: &'b Bracket<'b>,
    residents: Vec<usize>,
    /// How many pairs they make.
    most: usize,
    /// Who is the higher-ranked player of a pair, once it is decided.
    first_half: Option<Vec<usize>>,
}

impl Remainder<'_> {
    /// Pairs as many as the size of a weight allows, from the top; also who the higher-ranked players of all pairs are.
    fn next(&self, paired: &[usize]) -> (Vec<(usize, usize)>, Vec<usize>) {
        let bracket = self.bracket;
        let mut vertices = bracket.pairing.vertices();
        vertices.retain(|vertex| vertex.is_none_or(|rank| !paired.contains(&rank)));
        let parts = bracket.parts(&vertices);
        let (mut scale, criteria) = bracket.criteria(vertices.len());
        let exchange = self
            .first_half
            .is_none()
            .then(|| Exchange::new(&mut scale, self.residents.len(), self.most));
        // The order of transpositions: one field a player, as many as there is room for.
        let count = self.residents.len();
        let bits = u64::from(usize::BITS - count.leading_zeros());
        let room = (scale.room(COMPONENTS) / (bits + 1)) as usize;
        let opponents: Vec<(usize, Field)> = self
            .residents
            .iter()
            .filter(|rank| {
                self.first_half
                    .as_ref()
                    .is_none_or(|half| half.contains(rank))
            })
            .take(room.max(1))
            .map(|rank| (*rank, scale.field(count as u64)))
            .collect();
        let number = |rank: usize| self.residents.iter().position(|other| *other == rank);
        let mate = best_matching(vertices.len(), &scale, |i, j| {
            if !bracket.allowed(&vertices, &parts, i, j) {
                return None;
            }
            let mut values = bracket.values(&criteria, &vertices, &parts, (i, j))?;
            if parts[j] == Part::Resident {
                // Players moved down who are still here go on down.
                let (one, two) = (vertices[i]?, vertices[j]?);
                let (a, b) = (number(one)?, number(two)?);
                if let Some(half) = &self.first_half
                    && (!half.contains(&one) || half.contains(&two))
                {
                    return None;
                }
                if let Some(exchange) = &exchange {
                    exchange.push(&mut values, a);
                }
                if let Some((_, field)) = opponents.iter().find(|(rank, _)| *rank == one) {
                    values.push((*field, (count - b) as i64));
                }
            }
            Some(values)
        });
        let made: Vec<(usize, usize)> = made(&mate, &parts)
            .into_iter()
            .filter_map(|(i, j)| Some((vertices[i]?, vertices[j]?)))
            .collect();
        let half = made.iter().map(|(one, _)| *one).collect();
        let decided = |one: &usize| opponents.iter().any(|(rank, _)| rank == one);
        let pairs = made.into_iter().filter(|(one, _)| decided(one)).collect();
        (pairs, half)
    }
}

/// The order of exchanges between the first half, of as many players as there are pairs, and the rest (4.3). In each
/// pair the higher-ranked player counts as of the first half, which is the first exchange that generates the pair.
struct Exchange {
    half: usize,
    players: usize,
    /// Fewest exchanged: the first-half players who stay.
    stay: Field,
    /// Smallest difference of the sums of numbers.
    sum: Field,
    /// From the last of the first half: whoever leaves it has the highest number.
    leave: Vec<Field>,
    /// From the first of the second half: whoever enters has the lowest number.
    enter: Vec<Field>,
}

impl Exchange {
    fn new(scale: &mut Scale, players: usize, half: usize) -> Self {
        let stay = scale.field(half as u64);
        let sum = scale.field((players * half) as u64);
        let mut leave: Vec<Field> = (0..half).map(|_| scale.field(1)).collect();
        leave.reverse();
        Self {
            half,
            players,
            stay,
            sum,
            leave,
            enter: (half..players).map(|_| scale.field(1)).collect(),
        }
    }

    /// Adds the values of a pair whose higher-ranked player has this number in the remainder, from 0.
    fn push(&self, values: &mut Values, number: usize) {
        values.push((self.sum, (self.players - 1 - number) as i64));
        if number < self.half {
            values.push((self.stay, 1));
            values.push((self.leave[number], -1));
        } else {
            values.push((self.enter[number - self.half], 1));
        }
    }
}

/// The pairs of a matching inside the bracket, by vertex, the higher-ranked first.
fn made(mate: &[Option<usize>], parts: &[Part]) -> Vec<(usize, usize)> {
    let pairs = mate.iter().enumerate();
    pairs
        .filter_map(|(i, partner)| Some((i, (*partner)?)))
        .filter(|(i, j)| i < j && parts[*j] == Part::Resident)
        .collect()
}
