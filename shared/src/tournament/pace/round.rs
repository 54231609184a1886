//! A round as its dates show it.

/// One board.
#[derive(Clone, Debug)]
pub(super) struct Board {
    /// Games with a result.
    pub(super) ended: u32,
    /// When the newest of them ended, or the round began.
    pub(super) last_at: u64,
    /// When the last game of the pairing ended.
    pub(super) done_at: Option<u64>,
    /// How many games ended while so many boards were busy.
    pub(super) ended_by_busy: Vec<(u32, u32)>,
}

/// A round: its boards, and how many of them were busy at which time.
#[derive(Clone, Debug)]
pub(super) struct Round {
    pub(super) boards: Vec<Board>,
    /// Games of a pairing.
    pub(super) games: u32,
    /// From when on so many boards were busy: fewer and fewer.
    busy: Vec<(u64, u32)>,
}

impl Round {
    pub(super) fn begin(at: u64, boards: usize, games: u32) -> Self {
        let board = Board {
            ended: 0,
            last_at: at,
            done_at: None,
            ended_by_busy: Vec::new(),
        };
        Self {
            boards: vec![board; boards],
            games,
            busy: vec![(at, boards as u32)],
        }
    }

    /// A game ended on the board in this place.
    pub(super) fn end_game(&mut self, place: usize, at: u64) {
        let busy = self.busy.last().map_or(1, |(_, busy)| *busy);
        let games = self.games;
        let Some(board) = self.boards.get_mut(place) else {
            return;
        };
        board.ended += 1;
        board.last_at = at;
        match board.ended_by_busy.last_mut() {
            Some((same, ended)) if *same == busy => *ended += 1,
            _ => board.ended_by_busy.push((busy, 1)),
        }
        if board.ended >= games && board.done_at.is_none() {
            self.busy.push((at, busy.saturating_sub(1)));
        }
        if board.ended >= games {
            board.done_at = Some(at);
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.boards.iter().all(|board| board.done_at.is_some())
    }

    /// How many boards it has.
    pub(super) fn boards(&self) -> usize {
        self.boards.len()
    }

    /// The times from its beginning to `until`, in milliseconds, each with the number of boards that were busy.
    pub(super) fn spans(&self, until: u64) -> impl Iterator<Item = (u32, f64)> {
        let ends = self.busy.iter().skip(1).map(|(at, _)| *at);
        let ends = ends.chain([u64::MAX]);
        self.busy.iter().zip(ends).map(move |((from, busy), to)| {
            let length = to.min(until).saturating_sub((*from).min(until));
            ((*busy).max(1), length as f64)
        })
    }
}
