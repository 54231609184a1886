//! Values for sums that are over as soon as one component is: foreclosed Grundy values.
//!
//! Conway, *On Numbers and Games* (1976), chapter 14, "diminished disjunctive" compounds.
//!
//! In normal play whoever ends a component wins. A position with a move that ends it is *hot*: nobody moves to it, because the opponent
//! ends it. What is left is an ordinary sum in normal play, of the moves to positions that are not hot; who has none of them loses.
//! In misère play whoever ends a component loses: again an ordinary sum, of the moves that do not end a component; who has none of them loses.
//! So in both end rules the value is the mex over the moves that are left, and the values add by xor (Sprague 1935, Grundy 1939).

use super::mex;

/// In place of a value: the component is over.
pub const OVER: u64 = u64::MAX;

/// In place of a value, in normal play: a move ends the component and wins.
pub const HOT: u64 = u64::MAX - 1;

/// The foreclosed value of a component whose options have these, or [`OVER`], or [`HOT`].
#[must_use]
pub fn value(options: &[u64], misere: bool) -> u64 {
    if options.is_empty() {
        return OVER;
    }
    if !misere && options.contains(&OVER) {
        return HOT;
    }
    let left = options.iter().copied().filter(|value| *value < HOT);
    mex(&left.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heap_of_nim_is_hot_or_one_smaller() {
        let mut normal = Vec::new();
        let mut misere = Vec::new();
        for heap in 0..6u64 {
            normal.push(value(&normal, false));
            misere.push(value(&misere, true));
            let expected = if heap == 0 {
                (OVER, OVER)
            } else {
                (HOT, heap - 1)
            };
            assert_eq!((normal[heap as usize], misere[heap as usize]), expected);
        }
    }
}
