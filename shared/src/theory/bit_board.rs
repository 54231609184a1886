//! A board of at most 64 bits, on which each move tests, clears and sets some of them: boards that are searched move by move
//! are kept in one word.

/// What a move needs and what it changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitMove {
    /// The move is legal while all these bits are set.
    pub needs: u64,
    /// Bits that it clears.
    pub clears: u64,
    /// Bits that it sets afterwards.
    pub sets: u64,
}

impl BitMove {
    /// A move that takes the bits that it needs.
    #[must_use]
    pub fn taking(bits: u64) -> Self {
        Self {
            needs: bits,
            clears: bits,
            sets: 0,
        }
    }

    /// Whether it is legal.
    #[must_use]
    pub fn is_legal(self, bits: u64) -> bool {
        bits & self.needs == self.needs
    }

    /// The bits after it.
    #[must_use]
    pub fn play(self, bits: u64) -> u64 {
        bits & !self.clears | self.sets
    }

    /// The same move of a board whose bits begin at `at`.
    #[must_use]
    pub fn shifted(self, at: u32) -> Self {
        Self {
            needs: self.needs << at,
            clears: self.clears << at,
            sets: self.sets << at,
        }
    }
}

/// A state of a board, with every move that can become legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BitBoard {
    /// The state.
    pub bits: u64,
    /// How many bits there are, at most 64.
    pub width: u32,
    /// The moves of the first and of the second player. Those that are legal now come first, in the order of the game's list of moves.
    pub moves: [Vec<BitMove>; 2],
    /// Neither player has more moves than this, whatever happens.
    pub most_moves: u32,
}

impl BitBoard {
    /// The most bits of a board.
    pub const BITS: usize = 64;

    /// The bit that stands for the item at this place in a sorted list.
    #[must_use]
    pub fn bit<T: Ord>(sorted: &[T], item: &T) -> u64 {
        sorted.binary_search(item).map_or(0, |place| 1 << place)
    }
}
