//! The losing pairs of Wythoff's game in exact integer arithmetic.
//!
//! W. A. Wythoff, *A modification of the game of Nim* (1907): pair number k is (⌊kφ⌋, ⌊kφ⌋ + k). Floating point is
//! wrong from k = 102,334,155 on, so ⌊kφ⌋ = ⌊(k + ⌊√(5k²)⌋) / 2⌋ is computed with an integer root.
//!
//! In misère play (0,0) and (1,2) give way to (0,1) and (2,2), and the other pairs stay (Fraenkel 1984).

/// The smaller number of pair k, for k up to 10^18.
#[must_use]
pub fn lower(k: u64) -> u64 {
    let k = u128::from(k);
    ((k + (5 * k * k).isqrt()) / 2) as u64
}

/// The pair whose numbers differ by this, smaller number first.
#[must_use]
pub fn pair_of_difference(difference: u64, misere: bool) -> (u64, u64) {
    let low = match (misere, difference) {
        (true, 0) => 2,
        (true, 1) => 0,
        _ => lower(difference),
    };
    (low, low + difference)
}

/// The number that makes a losing pair with this one: every number is in exactly one pair (Beatty 1926).
#[must_use]
pub fn partner(number: u64, misere: bool) -> u64 {
    match (misere, number) {
        (true, 0) => return 1,
        (true, 1) => return 0,
        (true, 2) => return 2,
        _ => {}
    }
    let wide = u128::from(number);
    let root = (5 * wide * wide).isqrt();
    let near_lower = ((root - wide) / 2) as u64;
    for k in near_lower..=near_lower + 2 {
        if lower(k) == number {
            return number + k;
        }
    }
    let near_upper = ((3 * wide - root) / 2) as u64;
    let mut k = near_upper.saturating_sub(2);
    while lower(k) + k < number {
        k += 1;
    }
    number - k
}

/// Whether the player to move loses at these two heaps, with nothing else on the board.
#[must_use]
pub fn is_lost(a: u64, b: u64, misere: bool) -> bool {
    partner(a, misere) == b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_agree_with_the_greedy_definition() {
        let mut used = vec![false; 4000];
        for k in 0..1500u64 {
            let low = used
                .iter()
                .position(|used| !used)
                .expect("the list is long enough");
            for n in [low, low + k as usize] {
                if let Some(place) = used.get_mut(n) {
                    *place = true;
                }
            }
            assert_eq!(pair_of_difference(k, false), (low as u64, low as u64 + k));
            assert_eq!(partner(low as u64, false), low as u64 + k);
            assert_eq!(partner(low as u64 + k, false), low as u64);
        }
    }

    #[test]
    fn floating_point_would_be_wrong_here() {
        assert_eq!(lower(102_334_155), 165_580_140);
        for number in (999_999_999_999_990_000..=1_000_000_000_000_000_000).step_by(7) {
            assert_eq!(partner(partner(number, false), false), number);
        }
    }
}
