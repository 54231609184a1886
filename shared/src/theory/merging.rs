//! Taking one stone or pouring two heaps together: who wins in normal play, by two numbers.
//!
//! Let a be the number of heaps of one stone, and b the stones plus heaps less one of the larger heaps together (0 without any): the
//! moves that those last while none of them becomes one stone. **The player to move loses iff b is 0 or 2 and 3 divides a, or b is at least 3
//! and a and b are even.**
//!
//! The moves: take a one, to (a-1, b); pour two ones, to (a-2, b+3), from b = 0 to (a-2, 2); pour a one into a larger heap, to (a-1, b+1); take from a heap of
//! three or more, or pour two larger heaps, to (a, b-1); take from a heap of two, to (a+1, b-3), from b = 2 to (a+1, 0). *Proof* by induction.
//!
//! * b = 0. If 3 | a, neither (a-1, 0) nor (a-2, 2) is lost. Else one of them is.
//! * b = 2. If 3 | a, neither (a-1, 2) nor (a+1, 0) is lost, nor (a-2, 5) or (a-1, 3) with odd b. Else one of the first two is.
//! * b >= 3, both even. Each move makes one of them odd, and leaves b at 3 or more: there is no heap of two when b = 4, and b-3 is odd.
//! * b >= 3, a odd. If b is even take a one, else pour a one into a larger heap: both even.
//! * b >= 3 odd, a even. From b >= 5 go to (a, b-1): there is a heap of three or more, or there are two larger heaps. From b = 3, a heap of three, go to
//!   (a, 2) if 3 | a; else a >= 2, and (a-2, 6) is lost. ∎

/// What counts of the heaps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Heaps {
    /// Heaps of one stone.
    pub ones: u64,
    larger: u64,
    /// The stones of the larger heaps.
    stones: u128,
}

impl Heaps {
    /// Counts the heaps. O(heaps).
    #[must_use]
    pub fn of(heaps: &[u64]) -> Self {
        heaps
            .iter()
            .fold(Self::default(), |counted, heap| counted.with(*heap))
    }

    fn with(mut self, heap: u64) -> Self {
        match heap {
            0 => {}
            1 => self.ones += 1,
            _ => {
                self.larger += 1;
                self.stones += u128::from(heap);
            }
        }
        self
    }

    fn without(mut self, heap: u64) -> Self {
        match heap {
            0 => {}
            1 => self.ones -= 1,
            _ => {
                self.larger -= 1;
                self.stones -= u128::from(heap);
            }
        }
        self
    }

    /// After a stone was taken from one of these heaps.
    #[must_use]
    pub fn taken(self, heap: u64) -> Self {
        self.without(heap).with(heap - 1)
    }

    /// After two of these heaps were poured together.
    #[must_use]
    pub fn poured(self, one: u64, other: u64) -> Self {
        self.without(one).without(other).with(one + other)
    }

    /// The moves that the larger heaps last: b.
    #[must_use]
    pub fn moves(self) -> u128 {
        (self.stones + u128::from(self.larger)).saturating_sub(1)
    }

    /// Whether the player to move loses in normal play, nothing else being on the board.
    #[must_use]
    pub fn is_lost(self) -> bool {
        match self.moves() {
            0 | 2 => self.ones.is_multiple_of(3),
            moves => moves.is_multiple_of(2) && self.ones.is_multiple_of(2),
        }
    }
}
