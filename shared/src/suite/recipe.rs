//! Positions of any game in which the winning side can go wrong.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::chance::Chance;
use super::shape::Shape;
use crate::ids::Seat;
use crate::position::Position;
use crate::solver::{Budget, standing};

/// The most positions of a suite.
pub const MOST: usize = 100_000;
/// Draws for each position that is wanted.
const DRAWS: usize = 200;
/// Work on the quality of one position, in nodes.
const NODES: u64 = 1_000_000;
/// Moves of a lost start whose answers are looked at.
const LOOKED_AT: u128 = 64;

/// Why a recipe cannot be followed: what is wrong, and what is right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct BadRecipe {
    /// What is wrong.
    pub why: String,
    /// What to do.
    pub hint: String,
}

/// How positions are made.
#[derive(Clone, Debug)]
pub struct Recipe {
    game: String,
    ending: &'static str,
    shape: Shape,
    /// Letters of a row, rows and columns of a board, vertices of a graph; none of heaps.
    size: Option<RangeInclusive<u64>>,
    heaps: RangeInclusive<u64>,
    max: u64,
    seed: Option<u64>,
    count: Option<usize>,
    /// The share of positions that the first player wins.
    first: f64,
    /// Winning moves among all moves at most.
    share: f64,
}

const RECIPE: &str =
    "nim,heaps=3-5,max=15,seed=7 (also size=, count=, first=0.5, share=0.34, misere)";

impl Recipe {
    /// Reads `nim,heaps=3-5,max=15,seed=7`.
    ///
    /// # Errors
    /// The word that is wrong, and a recipe that is right.
    pub fn read(text: &str) -> Result<Self, BadRecipe> {
        let refuse = |why: String| BadRecipe {
            why: format!("{text}: {why}"),
            hint: format!("a recipe looks like {RECIPE}"),
        };
        let mut items = text.split(',');
        let game = items.next().unwrap_or_default().to_owned();
        let heaps = if game == "wythoff" { 2..=2 } else { 3..=5 };
        let shape = Shape::of(&game);
        let mut recipe = Self {
            game,
            size: shape.usual_size(),
            shape,
            ending: "",
            heaps,
            max: 15,
            seed: None,
            count: None,
            first: 0.5,
            share: 0.34,
        };
        for item in items {
            let (key, value) = item.split_once('=').unwrap_or((item, ""));
            let number = |value: &str| -> Result<u64, BadRecipe> {
                value
                    .parse()
                    .map_err(|_| refuse(format!("'{item}' needs a whole number")))
            };
            let range = |value: &str| -> Result<RangeInclusive<u64>, BadRecipe> {
                let (low, high) = value.split_once('-').unwrap_or((value, value));
                Ok(number(low)?..=number(high)?)
            };
            let fraction = |value: &str| -> Result<f64, BadRecipe> {
                let number = value.parse().ok();
                number
                    .filter(|share| (0.0..=1.0).contains(share))
                    .ok_or_else(|| refuse(format!("'{item}' needs a number from 0 to 1")))
            };
            match key {
                "heaps" | "max" if recipe.size.is_some() => {
                    let why = format!("'{key}' is for games of heaps; here 'size' is meant");
                    return Err(refuse(why));
                }
                "heaps" => recipe.heaps = range(value)?,
                "size" if recipe.size.is_some() => recipe.size = Some(range(value)?),
                "max" => recipe.max = number(value)?,
                "seed" => recipe.seed = Some(number(value)?),
                "count" => recipe.count = Some(number(value)? as usize),
                "first" => recipe.first = fraction(value)?,
                "share" => recipe.share = fraction(value)?,
                "misere" if value.is_empty() => recipe.ending = "@misere",
                _ => return Err(refuse(format!("'{key}' is not known"))),
            }
        }
        let (low, high) = (*recipe.heaps.start(), *recipe.heaps.end());
        if low == 0 || low > high || high > 100 {
            return Err(refuse("heaps must be a range between 1 and 100".to_owned()));
        }
        if recipe.max == 0 || recipe.max > 1_000_000 {
            return Err(refuse("max must be between 1 and 1000000".to_owned()));
        }
        if let Some(size) = &recipe.size {
            let (low, high) = (*size.start(), *size.end());
            return match 1 <= low && low <= high && high <= 100 {
                true => Ok(recipe),
                false => Err(refuse("size must be a range between 1 and 100".to_owned())),
            };
        }
        // Which games have lists of heaps is what their own reader says.
        let distinct = matches!(recipe.shape, Shape::Numbers { distinct: true });
        let example: Vec<u64> = match distinct {
            true => (1..=low).collect(),
            false => vec![1; low as usize],
        };
        let example = recipe.text(&joined(&example));
        match Position::parse(&example) {
            Ok(_) => Ok(recipe),
            Err(error) => Err(refuse(format!(
                "'{}' is not a game whose positions are lists of {low} heaps: {}",
                recipe.game, error.message
            ))),
        }
    }

    /// How many positions it asks for.
    #[must_use]
    pub fn count(&self) -> Option<usize> {
        self.count
    }

    /// Whether it names its seed.
    #[must_use]
    pub fn has_seed(&self) -> bool {
        self.seed.is_some()
    }

    /// Different positions from the recipe's own seed, as many as it asks for, or as wanted, if there are so many.
    ///
    /// # Errors
    /// No position meets its rules.
    pub fn make(&self, wanted: usize) -> Result<Vec<Position>, BadRecipe> {
        let wanted = self.count.unwrap_or(wanted.min(1_000));
        self.make_with(self.seed.unwrap_or(1), wanted)
    }

    /// The same from another seed. Cost: some work of the solver for each position.
    ///
    /// # Errors
    /// No position meets its rules.
    pub fn make_with(&self, seed: u64, wanted: usize) -> Result<Vec<Position>, BadRecipe> {
        let wanted = wanted.clamp(1, MOST);
        let mut chance = Chance::new(seed);
        let mut seen = BTreeSet::new();
        let mut found = [Vec::new(), Vec::new()];
        let won_wanted = (wanted as f64 * self.first).round() as usize;
        let wanted_of = [won_wanted, wanted - won_wanted];
        for _ in 0..wanted * DRAWS {
            if found
                .iter()
                .zip(wanted_of)
                .all(|(found, of)| found.len() >= of)
            {
                break;
            }
            let Some(state) = self.draw(&mut chance, &mut seen) else {
                continue;
            };
            let text = self.text(&state);
            let Ok(position) = Position::parse(&text) else {
                continue;
            };
            if let Some(first_wins) = self.tests(&position) {
                let side = usize::from(!first_wins);
                if found[side].len() < wanted_of[side] {
                    found[side].push(position);
                }
            }
        }
        let [won, lost] = found;
        if won.is_empty() && lost.is_empty() {
            return Err(BadRecipe {
                why: format!(
                    "{}: no position meets the rules (more than one heap, no pairs of equal heaps alone, at most {} of the moves win)",
                    self.game, self.share
                ),
                hint: match self.size {
                    None => "raise max, heaps or share",
                    Some(_) => "change size, or raise share",
                }
                .to_owned(),
            });
        }
        let mut positions: Vec<Position> = won.into_iter().chain(lost).collect();
        chance.shuffle(&mut positions);
        Ok(positions)
    }

    /// A state that was not met before and is not trivial.
    fn draw(&self, chance: &mut Chance, seen: &mut BTreeSet<String>) -> Option<String> {
        if let Some(size) = &self.size {
            let state = self.shape.draw(size, chance);
            return seen.insert(state.clone()).then_some(state);
        }
        let spread = self.heaps.end() - self.heaps.start() + 1;
        let count = self.heaps.start() + chance.below(spread);
        let mut heaps: Vec<u64> = (0..count).map(|_| 1 + chance.below(self.max)).collect();
        let state = joined(&heaps);
        heaps.sort_unstable();
        let is_new = seen.insert(joined(&heaps)) && !is_trivial(&heaps);
        is_new.then_some(state)
    }

    fn text(&self, state: &str) -> String {
        format!("{}:{state}{}", self.game, self.ending)
    }

    /// Whether the winning side can go wrong easily enough; with whether that is the first player.
    fn tests(&self, position: &Position) -> Option<bool> {
        let budget = Budget::nodes(NODES);
        let is_hard =
            |winning: u128, legal: u128| legal > 1 && winning as f64 <= self.share * legal as f64;
        let now = standing(position, Seat::First, &budget)?;
        if now.winner? == Seat::First {
            return is_hard(now.winning, now.legal).then_some(true);
        }
        // Lost: some move must leave a problem.
        for n in 0..now.legal.min(LOOKED_AT) {
            let mv = position.nth_move(Seat::First, n)?;
            let after = standing(&position.play(&mv), Seat::Second, &budget)?;
            if is_hard(after.winning, after.legal) {
                return Some(false);
            }
        }
        None
    }
}

fn joined(numbers: &[u64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(",")
}

/// One heap, or nothing but pairs of equal heaps: anybody finds the win by copying.
fn is_trivial(sorted: &[u64]) -> bool {
    sorted.len() < 2
        || (sorted.len().is_multiple_of(2) && sorted.chunks(2).all(|pair| pair[0] == pair[1]))
}
