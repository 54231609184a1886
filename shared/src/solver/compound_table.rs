//! The components of a compound in a table, each with the number that the law asks of it.

use crate::ids::Seat;
use crate::solver::compound::Compounded;
use crate::theory::Meter;
use crate::theory::compound::Compound;
use crate::theory::foreclosed::HOT;
use crate::theory::suspense::is_lost;

/// Components shown in the table.
const SHOWN: usize = 12;

impl Compounded<'_> {
    /// The rule, and the components with their numbers. Plain ASCII, at most twenty lines.
    pub(super) fn table(&mut self, meter: &mut Meter<'_>) -> Vec<String> {
        let shown = self.components.iter().take(SHOWN);
        let numbers: Vec<Option<u64>> = shown
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
        if self.compound == Compound::UntilZero && self.misere {
            lines.push(
                "The values decide in misere play too, whatever the games are, because play ends when all values are 0."
                    .to_owned(),
            );
        }
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
}

/// What the player to move can do in that component.
fn outcome(lost: bool) -> &'static str {
    match lost {
        true => "lost",
        false => "won",
    }
}
