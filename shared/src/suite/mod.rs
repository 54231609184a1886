//! The starts of games: made from a seed so that the winning side can go wrong, or listed by an organiser.

mod chance;
mod recipe;
mod shape;

pub use chance::Chance;
pub use recipe::{BadRecipe, MOST, Recipe};

use crate::ids::Seat;
use crate::notation::NotationError;
use crate::position::Position;
use crate::tournament::{Seed, Starts};

/// Positions of a tournament that names no number of them.
pub const USUAL_COUNT: usize = 32;
/// The most positions that a tournament makes from a recipe: each costs some work of the solver.
pub const MOST_OF_TOURNAMENT: usize = 256;

/// Why an organiser's starts cannot be used: what is wrong, and what is right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct BadStarts {
    /// What is wrong.
    pub why: String,
    /// What to do.
    pub hint: String,
}

impl From<BadRecipe> for BadStarts {
    fn from(BadRecipe { why, hint }: BadRecipe) -> Self {
        Self { why, hint }
    }
}

/// Checks what can be checked before the seed is known.
///
/// # Errors
/// The first position or word that is wrong.
pub fn check_starts(starts: &Starts) -> Result<(), BadStarts> {
    match starts {
        Starts::List { positions } => read_list(positions).map(drop),
        Starts::Random { recipe } => tournament_recipe(recipe).map(drop),
    }
}

/// Reads the positions that an organiser lists, each once.
///
/// # Errors
/// The first that is not a position in which the first player has a move.
pub fn read_list(positions: &[String]) -> Result<Vec<Position>, BadStarts> {
    let read = positions.iter().map(|text| {
        let position = Position::parse_typed(text).map_err(|error| unreadable(text, &error))?;
        playable(position)
    });
    read.collect()
}

/// Listed starts in an order drawn from the seed.
#[must_use]
pub fn in_drawn_order<T: Clone>(starts: &[T], seed: &Seed) -> Vec<T> {
    let order = seed.draw("starts", 0).order(starts.len() as u32);
    let drawn = order
        .iter()
        .map(|number| starts[*number as usize - 1].clone());
    drawn.collect()
}

/// The starts of a tournament in the order in which games use them: a list is put into an order drawn from the seed, a recipe is
/// carried out with a number drawn from it. Cost: for a recipe some work of the solver for each position.
///
/// # Errors
/// As [`check_starts`]; no position meets the rules of the recipe.
pub fn starts_of(starts: &Starts, seed: &Seed) -> Result<Vec<Position>, BadStarts> {
    match starts {
        Starts::List { positions } => {
            let read = in_drawn_order(positions, seed).into_iter().map(|text| {
                let position = Position::parse(&text).map_err(|error| unreadable(&text, &error))?;
                playable(position)
            });
            read.collect()
        }
        Starts::Random { recipe } => {
            let recipe = tournament_recipe(recipe)?;
            let count = recipe.count().unwrap_or(USUAL_COUNT);
            let number = seed.draw("recipe", 0).to_u64();
            Ok(recipe.make_with(number, count)?)
        }
    }
}

fn tournament_recipe(text: &str) -> Result<Recipe, BadStarts> {
    let recipe = Recipe::read(text)?;
    let refuse = |why: String, hint: &str| BadStarts {
        why,
        hint: hint.to_owned(),
    };
    if recipe.has_seed() {
        let why = format!("'{text}' names a seed, and a tournament has its own");
        return Err(refuse(why, "leave 'seed=' out"));
    }
    match recipe.count() {
        Some(count) if count == 0 || count > MOST_OF_TOURNAMENT => Err(refuse(
            format!(
                "'{text}' asks for {count} positions: a tournament makes 1 to {MOST_OF_TOURNAMENT}"
            ),
            "ask for fewer, as in count=64",
        )),
        _ => Ok(recipe),
    }
}

/// The refusal of a text that is not a position.
fn unreadable(text: &str, error: &NotationError) -> BadStarts {
    BadStarts {
        why: format!("'{text}', column {}: {}", error.column, error.message),
        hint: format!("a position looks like {}", error.help),
    }
}

/// Refuses a position in which the first player has no move.
fn playable(position: Position) -> Result<Position, BadStarts> {
    match position.is_over(Seat::First) {
        true => Err(BadStarts {
            why: format!("{position} is over before the first move"),
            hint: "remove it, or add an object, as in nim:3,5,7".to_owned(),
        }),
        false => Ok(position),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides_the_starts() {
        let list = Starts::List {
            positions: ["nim:1,2", "nim:3,4", "nim:5,6", "nim:7,8"]
                .map(str::to_owned)
                .to_vec(),
        };
        let orders: std::collections::BTreeSet<String> = (0..40)
            .map(|number| {
                let starts = starts_of(&list, &Seed::new([number; 32])).expect("starts");
                let texts: Vec<String> = starts.iter().map(ToString::to_string).collect();
                texts.join(" ")
            })
            .collect();
        assert!(orders.len() > 10, "{orders:?}");
        let random = Starts::Random {
            recipe: "nim,heaps=3-4,max=9,count=5".to_owned(),
        };
        let [one, two] = [1, 2].map(|seed| starts_of(&random, &Seed::new([seed; 32])));
        let again = starts_of(&random, &Seed::new([1; 32]));
        assert_eq!(one, again);
        assert_ne!(one, two);
        assert_eq!(one.expect("starts").len(), 5);
    }

    #[test]
    fn what_is_wrong_is_named_with_a_remedy() {
        let random = |recipe: &str| Starts::Random {
            recipe: recipe.to_owned(),
        };
        let list = |position: &str| Starts::List {
            positions: vec!["nim:3,5,7".to_owned(), position.to_owned()],
        };
        for starts in [
            random("nim,seed=7"),
            random("nim,count=0"),
            random("nim,count=5000"),
            random("chess"),
            list("nimm:3"),
            list("nim:0"),
        ] {
            let bad = check_starts(&starts).expect_err("wrong");
            assert!(!bad.why.is_empty() && !bad.hint.is_empty(), "{bad:?}");
        }
    }
}
