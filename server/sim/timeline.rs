//! When the server could not serve, and when somebody else was at fault: what a clock may be charged for, and what not.

/// A stretch of virtual time, in milliseconds.
pub(crate) type Span = (u64, u64);

/// What happened to time in a world.
#[derive(Default, Debug)]
pub(crate) struct Timeline {
    /// When each server served nobody: from its death until the next of its processes was ready.
    pub(crate) down: Vec<Vec<Span>>,
    /// Time that may be given back: outages from the last heartbeat on, pauses, and whenever the store did not commit at once.
    pub(crate) forgiven: Vec<Span>,
}

impl Timeline {
    /// How much of this stretch fell into outages.
    pub(crate) fn down_within(&self, span: Span) -> u64 {
        let (first, others) = match self.down.split_first() {
            Some((first, others)) => (first.clone(), others),
            None => return 0,
        };
        let nobody = others
            .iter()
            .fold(first, |down, other| common(&down, other));
        overlap(&nobody, span)
    }

    /// A server served nobody for this long.
    pub(crate) fn was_down(&mut self, server: usize, span: Span) {
        self.down[server].push(span);
    }

    /// How much of this stretch may be given back.
    pub(crate) fn forgiven_within(&self, span: Span) -> u64 {
        overlap(&self.forgiven, span)
    }
}

/// The stretches that lie in both.
fn common(one: &[Span], other: &[Span]) -> Vec<Span> {
    let pairs = one.iter().flat_map(|a| other.iter().map(move |b| (a, b)));
    let both = pairs.map(|(a, b)| (a.0.max(b.0), a.1.min(b.1)));
    both.filter(|(from, to)| from < to).collect()
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

    #[test]
    fn nobody_is_served_only_while_all_servers_are_down() {
        let mut timeline = Timeline {
            down: vec![Vec::new(); 2],
            ..Timeline::default()
        };
        timeline.was_down(0, (10, 30));
        assert_eq!(timeline.down_within((0, 100)), 0);
        timeline.was_down(1, (25, 50));
        assert_eq!(timeline.down_within((0, 100)), 5);
    }
}
