//! The reason for the verdict on a compound: a table of its components, and the law that combines them.

use crate::ids::Seat;
use crate::solver::compound::Compounded;
use crate::theory::Meter;
use crate::theory::compound::Compound;
use crate::theory::foreclosed::{HOT, OVER};
use crate::theory::suspense::is_lost;

/// Components shown in the table.
const SHOWN: usize = 12;

impl Compounded<'_> {
    /// The rule, the components with their numbers, and the law in words. Plain ASCII, at most twenty lines.
    pub(super) fn explain(&mut self, meter: &mut Meter<'_>) -> Vec<String> {
        let numbers: Vec<Option<u64>> = self
            .components
            .iter()
            .map(|component| self.number(component, meter))
            .collect();
        let end = match self.misere {
            false => "The player who is then to move loses.",
            true => "In misere play the player who is then to move wins.",
        };
        let mut lines = vec![self.compound.rule().to_owned(), end.to_owned()];
        let titles = self
            .components
            .iter()
            .map(|component| component.info().title);
        let titles: Vec<&str> = titles.collect();
        let widest = titles.iter().take(SHOWN).map(|title| title.len()).max();
        let widest = widest.unwrap_or(0);
        for (index, title) in titles.iter().enumerate().take(SHOWN) {
            let found = match numbers[index] {
                _ if self.components[index].move_count(Seat::First) == 0 => "finished".to_owned(),
                Some(number) => self.said(number),
                None => "too large to search".to_owned(),
            };
            lines.push(format!("  {:>2}  {title:<widest$}  {found}", index + 1));
        }
        if titles.len() > SHOWN {
            lines.push(format!("  and {} more components", titles.len() - SHOWN));
        }
        lines.push(self.law_in_words().to_owned());
        let known: Option<Vec<u64>> = numbers.into_iter().collect();
        lines.extend(known.and_then(|numbers| self.comes_to(&numbers)));
        lines
    }

    /// What the number of an unfinished component says.
    fn said(&self, number: u64) -> String {
        let won = outcome(is_lost(number, self.misere));
        match self.compound {
            Compound::Every => format!("suspense {number}, {won}"),
            Compound::ShortSum if number == HOT => "hot: a move ends it".to_owned(),
            Compound::ShortSum => format!("value {number}"),
            Compound::UntilZero => format!("nim-value {number}"),
            Compound::Selective if self.misere => {
                let alone = |misere| outcome(self.law.is_p_position(number, misere));
                format!(
                    "{} in normal play, {} in misere play",
                    alone(false),
                    alone(true)
                )
            }
            Compound::Sum
            | Compound::Conjunctive
            | Compound::Selective
            | Compound::ShortSelective => format!("remoteness {number}, {won}"),
        }
    }

    fn law_in_words(&self) -> &'static str {
        match (self.compound, self.misere) {
            (Compound::Sum, _) => "",
            (Compound::Every, _) => {
                "The component that lasts longest decides. Suspense is how long a component lasts if its winner delays and its loser hurries."
            }
            (Compound::Conjunctive, _) => {
                "The component that ends first decides. Remoteness is how long a component lasts if its winner hurries and its loser delays."
            }
            (Compound::Selective, false) => {
                "The position is lost if every component is lost. Otherwise make all won components lost at once, and leave the lost ones alone."
            }
            (Compound::Selective, true) => {
                "While two or more components have a move, the position is lost if every component is, as in normal play. The last one is decided by its misere outcome."
            }
            (Compound::ShortSelective, false) => {
                "The position is lost if every component is lost. Otherwise end a component that a move can end, or make all won components lost at once."
            }
            (Compound::ShortSelective, true) => {
                "The position is lost if every component is lost. Otherwise make all won components lost at once, without ending any."
            }
            (Compound::UntilZero, false) => {
                "A move changes the nim-value of one component. The position is lost if the xor of the values is 0."
            }
            (Compound::UntilZero, true) => {
                "While a value is above 1, the position is lost if the xor of the values is 0. If none is, it is lost if the xor is 1. This holds for all games, since play ends at all 0."
            }
            (Compound::ShortSum, false) => {
                "The player who ends a component wins, so nobody moves to a hot one. The values of the remaining moves are added by xor."
            }
            (Compound::ShortSum, true) => {
                "The player who ends a component loses. The values of the moves that end no component are added by xor."
            }
        }
    }

    /// The conclusion from the numbers.
    fn comes_to(&self, numbers: &[u64]) -> Option<String> {
        let decides = |name: &str, number: u64| {
            let parity = if number.is_multiple_of(2) {
                "even"
            } else {
                "odd"
            };
            let outcome = outcome(is_lost(number, self.misere));
            format!("The {name} is {number}, {parity}: {outcome}.")
        };
        match self.compound {
            Compound::Every => {
                let most = numbers.iter().max();
                most.map(|most| decides("greatest suspense", *most))
            }
            Compound::Conjunctive => {
                let least = numbers.iter().min();
                least.map(|least| decides("least remoteness", *least))
            }
            Compound::ShortSum if numbers.contains(&HOT) || numbers.contains(&OVER) => None,
            Compound::ShortSum | Compound::UntilZero => {
                let shown: Vec<String> = numbers.iter().take(SHOWN).map(u64::to_string).collect();
                let more = if numbers.len() > SHOWN { " ^ ..." } else { "" };
                let xor = numbers.iter().fold(0, |xor, number| xor ^ number);
                Some(format!("{}{more} = {xor}", shown.join(" ^ ")))
            }
            Compound::Sum | Compound::Selective | Compound::ShortSelective => None,
        }
    }
}

/// What the player to move can do in that component.
fn outcome(lost: bool) -> &'static str {
    match lost {
        true => "lost",
        false => "won",
    }
}
