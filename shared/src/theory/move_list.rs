//! Long lists of moves, of which only the first are kept.

/// Some of the moves that reach a goal, and how many there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveList<M> {
    /// The first of them in the order of the list of moves; as many as were asked for.
    pub first: Vec<M>,
    /// How many there are in all, saturating.
    pub total: u128,
}

impl<M> Default for MoveList<M> {
    fn default() -> Self {
        Self {
            first: Vec::new(),
            total: 0,
        }
    }
}

impl<M> MoveList<M> {
    /// Adds a move; it is kept while fewer than `want` are.
    pub fn push(&mut self, want: usize, mv: impl FnOnce() -> M) {
        if self.first.len() < want {
            self.first.push(mv());
        }
        self.total = self.total.saturating_add(1);
    }

    /// The same moves in another form.
    pub fn map<N>(self, form: impl FnMut(M) -> N) -> MoveList<N> {
        MoveList {
            first: self.first.into_iter().map(form).collect(),
            total: self.total,
        }
    }

    /// Adds the moves that come after these in the list.
    pub fn append(&mut self, later: Self) {
        self.first.extend(later.first);
        self.total = self.total.saturating_add(later.total);
    }
}
