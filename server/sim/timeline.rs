//! When the server could not serve, and when somebody else was at fault: what a clock may be charged for, and what not.

use grundy_shared::ids::MatchId;
use rustc_hash::FxHashMap;

/// A stretch of virtual time, in milliseconds.
pub(crate) type Span = (u64, u64);

/// What happened to time in a world.
#[derive(Default, Debug)]
pub(crate) struct Timeline {
    /// Nobody was served: from the death of the only server until the next was ready.
    pub(crate) down: Vec<Span>,
    /// Time that may be given back: outages from the last heartbeat on, pauses, and whenever the store did not commit at once.
    pub(crate) forgiven: Vec<Span>,
    /// From the last heartbeat before each start to the start.
    pub(crate) started: Vec<Span>,
    /// For how long the store took nothing, each time until it was good again.
    pub(crate) stalls: Vec<Span>,
    /// While what servers ask a database did not get its answer at once.
    pub(crate) slow: Vec<Span>,
    /// When processes were gone, or stood still.
    pub(crate) upsets: Vec<u64>,
    /// When it refused to store something of a match.
    refused: FxHashMap<MatchId, Vec<u64>>,
}

impl Timeline {
    /// How much of this stretch fell into outages.
    pub(crate) fn down_within(&self, span: Span) -> u64 {
        overlap(&self.down, span)
    }

    /// The store refused to store something of a match, because it took nothing from anybody.
    pub(crate) fn refused(&mut self, id: MatchId, at_ms: u64) {
        self.refused.entry(id).or_default().push(at_ms);
    }

    /// How much of this stretch was no player's time in this match: nobody was served, or a store that had refused something of the match
    /// still took nothing.
    pub(crate) fn lost_within(&self, id: MatchId, span: Span) -> u64 {
        let refused = self.refused.get(&id).into_iter().flatten();
        let rest_of_stall = |at: &u64| {
            let mut stalls = self.stalls.iter();
            stalls
                .find(|(began, until)| (*began..*until).contains(at))
                .map(|(_, until)| (*at, *until))
        };
        let stalled = refused.filter_map(rest_of_stall);
        let lost: Vec<Span> = self.down.iter().copied().chain(stalled).collect();
        overlap(&lost, span)
    }

    /// The last heartbeat of the server that was started last at this moment.
    pub(crate) fn heartbeat_before(&self, at_ms: u64) -> Option<u64> {
        let mut latest = self.started.iter().rev();
        latest
            .find(|(_, start)| *start <= at_ms)
            .map(|(beat, _)| *beat)
    }

    /// Whether something happened in this stretch to a process or to the store of all.
    pub(crate) fn is_upset_within(&self, (from, to): Span) -> bool {
        let upset = self.upsets.iter().any(|at| (from..=to).contains(at));
        let stretch = (from, to);
        upset || overlap(&self.stalls, stretch) > 0 || overlap(&self.slow, stretch) > 0
    }

    /// Whether for so long in this stretch the store of all answered at once, and from its beginning until then nothing happened to a process.
    pub(crate) fn is_quiet_for(&self, time: u64, (from, to): Span) -> bool {
        const STEP: usize = 250;
        let upset = self.upsets.iter().filter(|at| **at >= from).min();
        let to = upset.map_or(to, |upset| to.min(*upset));
        let Some(last) = to.checked_sub(time) else {
            return false;
        };
        let mut starts = (from..=last).step_by(STEP);
        starts.any(|start| !self.is_upset_within((start, start + time)))
    }

    /// How much of this stretch may be given back.
    pub(crate) fn forgiven_within(&self, span: Span) -> u64 {
        overlap(&self.forgiven, span)
    }
}

/// How much of a stretch at least one of these covers.
fn overlap(spans: &[Span], (from, to): Span) -> u64 {
    let mut within: Vec<Span> = spans
        .iter()
        .map(|(begin, end)| ((*begin).max(from), (*end).min(to)))
        .filter(|(begin, end)| begin < end)
        .collect();
    within.sort_unstable();
    let (mut covered, mut until) = (0, from);
    for (begin, end) in within {
        if end > until {
            covered += end - begin.max(until);
            until = end;
        }
    }
    covered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_overlaps_is_counted_once() {
        assert_eq!(overlap(&[(5, 10), (8, 20), (30, 40)], (0, 35)), 20);
        assert_eq!(overlap(&[(5, 10), (6, 7)], (8, 35)), 2);
        assert_eq!(overlap(&[], (8, 35)), 0);
    }
}
