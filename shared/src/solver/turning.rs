//! The moves of a compound whose components are numbered states, one after the other.

use std::rc::Rc;

use crate::theory::compound::Breadth;

/// The moves of one position of a compound.
pub(super) struct Turning {
    breadth: Breadth,
    /// The states that each component can be moved to; none where it has no move.
    options: Vec<Rc<[u32]>>,
    /// The option of each component that is looked at; one more than there are: the component is left as it is.
    digits: Vec<usize>,
    ended: bool,
}

impl Turning {
    /// Looks at the first move. Ended at once if no component has a move.
    pub(super) fn new(breadth: Breadth, options: Vec<Rc<[u32]>>) -> Self {
        let first = options.iter().position(|options| !options.is_empty());
        let digits = match breadth {
            Breadth::Each | Breadth::Any => vec![0; options.len()],
            Breadth::One => {
                let all = options.iter().enumerate();
                let digits = all.map(|(place, options)| match Some(place) == first {
                    true => 0,
                    false => options.len(),
                });
                digits.collect()
            }
        };
        Self {
            breadth,
            options,
            digits,
            ended: first.is_none(),
        }
    }

    /// Whether all moves were looked at.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// The states after the move that is looked at.
    pub(super) fn read(&self, before: &[u32], after: &mut Vec<u32>) {
        after.clear();
        let places = self.digits.iter().zip(&self.options).zip(before);
        after.extend(places.map(|((digit, options), state)| options.get(*digit).unwrap_or(state)));
    }

    /// Looks at the next move.
    pub(super) fn go_on(&mut self) {
        if self.breadth == Breadth::One {
            let moving = self.digits.iter().zip(&self.options);
            let moving = moving.map(|(digit, options)| *digit < options.len());
            let place = moving.into_iter().position(|moves| moves).unwrap_or(0);
            self.digits[place] += 1;
            if self.digits[place] == self.options[place].len() {
                let mut later = self.options.iter().skip(place + 1);
                match later.position(|options| !options.is_empty()) {
                    Some(skipped) => self.digits[place + 1 + skipped] = 0,
                    None => self.ended = true,
                }
            }
            return;
        }
        let still = usize::from(self.breadth == Breadth::Any);
        for (digit, options) in self.digits.iter_mut().zip(&self.options) {
            *digit += 1;
            if *digit < options.len() + still {
                // All left as they are is no move; it comes last.
                self.ended = still == 1 && self.is_still();
                return;
            }
            *digit = 0;
        }
        self.ended = true;
    }

    fn is_still(&self) -> bool {
        let mut places = self.digits.iter().zip(&self.options);
        places.all(|(digit, options)| *digit == options.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned(breadth: Breadth, options: &[&[u32]]) -> Vec<Vec<u32>> {
        let options = options.iter().map(|options| Rc::from(*options));
        let mut turns = Turning::new(breadth, options.collect());
        let (mut all, mut after) = (Vec::new(), Vec::new());
        while !turns.ended() {
            turns.read(&[10, 20, 30], &mut after);
            all.push(after.clone());
            turns.go_on();
        }
        all.sort_unstable();
        all
    }

    #[test]
    fn components_without_a_move_stay_as_they_are() {
        let options: [&[u32]; 3] = [&[], &[21, 22], &[]];
        let moved = vec![vec![10, 21, 30], vec![10, 22, 30]];
        for breadth in [Breadth::One, Breadth::Any, Breadth::Each] {
            assert_eq!(turned(breadth, &options), moved, "{breadth:?}");
            let none = turned(breadth, &[&[], &[], &[]]);
            assert!(none.is_empty(), "{breadth:?}");
        }
        let options: [&[u32]; 3] = [&[11], &[], &[31, 32]];
        assert_eq!(
            turned(Breadth::Each, &options),
            [vec![11, 20, 31], vec![11, 20, 32]]
        );
        let one = [vec![10, 20, 31], vec![10, 20, 32], vec![11, 20, 30]];
        assert_eq!(turned(Breadth::One, &options), one);
        let mut any = one.to_vec();
        any.extend([vec![11, 20, 31], vec![11, 20, 32]]);
        assert_eq!(turned(Breadth::Any, &options), any);
    }
}
