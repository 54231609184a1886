//! Who is to play whom: the pairs of one wave, of least cost, in bounded work.
//!
//! Seekers are compared in three rounds: those of equal terms, those of one game and one speed of clock, and all. In each round they are
//! taken in groups of at most [`GROUP`], the oldest first, and in each group the pairs are those of a matching of most players and of
//! least cost. A round looks at no more than [`GROUP`] others for each seeker, and a matching costs the cube of its group.

use std::collections::BTreeMap;

use grundy_shared::event::{PlayerInfo, TimeControl};
use grundy_shared::ids::{Millis, SeekId};
use grundy_shared::protocol::client::Side;
use grundy_shared::protocol::lobby::{BotFilter, Window};
use integer_blossom::max_weight_matching;

/// Seekers that are matched at once.
const GROUP: usize = 50;
/// Of those who find nobody in one group, so many are tried in the next one, too.
const CARRIED: usize = GROUP / 2;
/// What one step from equal terms costs. Less than that is for what will tell two opponents apart, such as a difference of ratings.
const STEP: i64 = 1_000_000;
/// More than all costs of a group: a pair more is worth every cost.
const PAIR: i64 = 1_000 * STEP;

/// Moves of each player for which the increments of a clock are counted.
const MOVES: u64 = 20;

/// How fast a clock is. Players who ask for one speed accept each other's clocks before others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Speed {
    /// Less than three minutes for each player.
    Fast,
    /// Less than a quarter of an hour.
    Medium,
    /// Longer.
    Slow,
    /// An hour for a move, or more.
    Days,
    /// No clock.
    Untimed,
}

impl Speed {
    pub(super) fn of(clock: TimeControl) -> Self {
        let ((base, each), is_days) = match clock {
            TimeControl::Untimed {} => return Self::Untimed,
            TimeControl::Fischer {
                base_ms,
                increment_ms,
            } => ((base_ms, increment_ms), false),
            TimeControl::Delay { base_ms, delay_ms }
            | TimeControl::Bronstein { base_ms, delay_ms } => ((base_ms, delay_ms), false),
            TimeControl::PerMove { move_ms } => ((Millis(0), move_ms), move_ms.0 >= 3_600_000),
            TimeControl::ByoYomi {
                base_ms, period_ms, ..
            } => ((base_ms, period_ms), false),
        };
        let seconds = base.0.saturating_add(each.0.saturating_mul(MOVES)) / 1_000;
        match seconds {
            _ if is_days => Self::Days,
            0..180 => Self::Fast,
            180..900 => Self::Medium,
            _ => Self::Slow,
        }
    }
}

/// A seeker as the pairing sees it.
#[derive(Clone, Debug)]
pub(super) struct Wish<'a> {
    pub(super) seek: SeekId,
    /// Grows with each seek: the smaller is the older.
    pub(super) number: u64,
    pub(super) player: &'a PlayerInfo,
    pub(super) position: &'a str,
    /// The names of its games.
    pub(super) family: &'a str,
    pub(super) clock: TimeControl,
    pub(super) games: u32,
    pub(super) rated: bool,
    pub(super) side: Side,
    pub(super) bots: BotFilter,
    /// How far its window is open now, and at most; `None` for an open seat, whose own terms stand.
    pub(super) window: Option<(Window, Window)>,
}

/// How far apart the terms of two seekers are.
fn distance(one: &Wish<'_>, other: &Wish<'_>) -> Window {
    if one.position == other.position && one.clock == other.clock {
        return Window::Exact;
    }
    match one.family == other.family && Speed::of(one.clock) == Speed::of(other.clock) {
        true => Window::Near,
        false => Window::Any,
    }
}

/// Whether two may be paired, and what that costs. The window of the one who has waited longer counts, as far as both accept it at all.
pub(super) fn cost(one: &Wish<'_>, other: &Wish<'_>) -> Option<i64> {
    let fit = one.player.id != other.player.id
        && one.games == other.games
        && one.rated == other.rated
        && (one.side == Side::Random || one.side != other.side)
        && one.bots.admits(other.player.bot)
        && other.bots.admits(one.player.bot);
    if !fit {
        return None;
    }
    let (now, most) = match (one.window, other.window) {
        (None, None) => return None,
        (Some(window), None) | (None, Some(window)) => window,
        (Some(one), Some(other)) => (one.0.max(other.0), one.1.min(other.1)),
    };
    let distance = distance(one, other);
    (distance <= now.min(most)).then_some(distance as i64 * STEP)
}

/// The pairs of one wave, and how often two were compared.
#[derive(Debug, Default)]
pub(super) struct Pairing {
    /// Indices of wishes; the first of a pair is the one whose terms are played: an open seat, or the older.
    pub(super) pairs: Vec<(usize, usize)>,
    pub(super) compared: u64,
}

/// Pairs seekers. No seeker is in two pairs; a player who has several seeks has to be among them once.
pub(super) fn pair(wishes: &[Wish<'_>]) -> Pairing {
    let mut pairing = Pairing::default();
    let mut left: Vec<usize> = (0..wishes.len()).collect();
    left.sort_by_key(|&index| wishes[index].number);
    for round in [Window::Exact, Window::Near, Window::Any] {
        let mut strata: BTreeMap<(u32, bool, &str, String), Vec<usize>> = BTreeMap::new();
        for &index in &left {
            let wish = &wishes[index];
            let key = match round {
                Window::Exact => (
                    wish.games,
                    wish.rated,
                    wish.position,
                    wish.clock.to_string(),
                ),
                Window::Near => {
                    let speed = format!("{:?}", Speed::of(wish.clock));
                    (wish.games, wish.rated, wish.family, speed)
                }
                Window::Any => (wish.games, wish.rated, "", String::new()),
            };
            strata.entry(key).or_default().push(index);
        }
        for stratum in strata.values() {
            pairing.pair_stratum(wishes, stratum);
        }
        let mut paired = vec![false; wishes.len()];
        for &(one, other) in &pairing.pairs {
            paired[one] = true;
            paired[other] = true;
        }
        left.retain(|&index| !paired[index]);
    }
    pairing
}

impl Pairing {
    fn pair_stratum(&mut self, wishes: &[Wish<'_>], stratum: &[usize]) {
        let seeks_more = |index: &usize| wishes[*index].window.is_some();
        if stratum.len() < 2 || !stratum.iter().any(seeks_more) {
            return;
        }
        // Open seats are not paired with each other: who looks for one comes first, and meets them all.
        let (mut queue, open): (Vec<usize>, Vec<usize>) =
            stratum.iter().partition(|index| seeks_more(index));
        queue.extend(open);
        let mut queue = queue.into_iter().peekable();
        let mut group: Vec<usize> = Vec::new();
        while queue.peek().is_some() {
            let room = GROUP - group.len();
            group.extend(queue.by_ref().take(room));
            let mut single = self.pair_group(wishes, &group);
            single.retain(seeks_more);
            single.truncate(CARRIED);
            group = single;
        }
    }

    /// Pairs a group; who is left.
    fn pair_group(&mut self, wishes: &[Wish<'_>], group: &[usize]) -> Vec<usize> {
        let count = group.len();
        let mut weights = vec![0i64; count * count];
        for i in 0..count {
            for j in i + 1..count {
                self.compared += 1;
                if let Some(cost) = cost(&wishes[group[i]], &wishes[group[j]]) {
                    weights[i * count + j] = PAIR - cost;
                }
            }
        }
        let mate = max_weight_matching(&weights, count);
        let mut single = Vec::new();
        for (i, partner) in mate.into_iter().enumerate() {
            match partner {
                None => single.push(group[i]),
                Some(j) if i < j => self.pairs.push(in_order(wishes, group[i], group[j])),
                Some(_) => {}
            }
        }
        single
    }
}

/// The one whose terms are played first.
fn in_order(wishes: &[Wish<'_>], one: usize, other: usize) -> (usize, usize) {
    let rank = |index: usize| (wishes[index].window.is_some(), wishes[index].number);
    match rank(one) <= rank(other) {
        true => (one, other),
        false => (other, one),
    }
}
