//! Remoteness and suspense: how long a game lasts when the winner hurries, and how long when he lingers.
//!
//! Steinhaus, *Definicje potrzebne do teorji gry i poscigu* (1925) for remoteness; Smith, *Graphs and composite games* (1966)
//! for both and for what they say of compounds; Conway, *On Numbers and Games* (1976), chapter 14.
//!
//! Both are 0 at the end. A position is lost for the player to move iff its number is even in normal play, odd in misère play.
//! Remoteness: the winner takes the shortest way, the loser the longest. Suspense: the other way round.

/// The remoteness of a position whose options have these.
#[must_use]
pub fn remoteness(options: &[u64], misere: bool) -> u64 {
    let winning = options.iter().filter(|plies| is_lost(**plies, misere));
    match winning.min() {
        Some(shortest) => shortest + 1,
        None => options.iter().max().map_or(0, |longest| longest + 1),
    }
}

/// The suspense of a position whose options have these.
#[must_use]
pub fn suspense(options: &[u64], misere: bool) -> u64 {
    let winning = options.iter().filter(|plies| is_lost(**plies, misere));
    match winning.max() {
        Some(longest) => longest + 1,
        None => options.iter().min().map_or(0, |shortest| shortest + 1),
    }
}

/// Whether the player to move loses a position of this remoteness or suspense.
#[must_use]
pub fn is_lost(plies: u64, misere: bool) -> bool {
    plies.is_multiple_of(2) != misere
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heaps_of_nim_end_at_once_or_after_two() {
        // Of one heap of Nim: (end rule, remoteness and suspense of heaps 0 to 5).
        for (misere, remote, suspended) in [
            (false, [0, 1, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1]),
            (true, [0, 1, 2, 2, 2, 2], [0, 1, 2, 2, 2, 2]),
        ] {
            for heap in 0..6 {
                assert_eq!(remoteness(&remote[..heap], misere), remote[heap]);
                assert_eq!(suspense(&suspended[..heap], misere), suspended[heap]);
            }
        }
    }
}
