//! The starts of games: from a file, or made from a seed so that the winning side can go wrong.

use std::collections::BTreeSet;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, standing};
use sha2::{Digest as _, Sha256};

use super::seed::Chance;
use crate::exit::Exit;
use crate::failure::Failure;

/// The most positions of a suite.
const MOST: usize = 100_000;
/// Draws for each position that is wanted.
const DRAWS: usize = 200;
/// Work on the quality of one position, in nodes.
const NODES: u64 = 1_000_000;
/// Moves of a lost start whose answers are looked at.
const LOOKED_AT: u128 = 64;

/// Positions that games begin from.
#[derive(Clone, Debug)]
pub(crate) struct Suite {
    pub(crate) positions: Vec<Position>,
    /// The SHA-256 of the positions' text, in hexadecimal digits.
    pub(crate) hash: String,
}

impl Suite {
    /// Reads `random:nim,heaps=3-5,max=15,seed=7`, a position, or a file of positions; makes at most `wanted` positions.
    ///
    /// # Errors
    /// What is wrong, with its place and a remedy.
    pub(crate) fn read(text: &str, wanted: usize) -> Result<Self, Failure> {
        let positions = match text.strip_prefix("random:") {
            Some(recipe) => Recipe::read(recipe)?.make(wanted)?,
            None if text.contains(':') && !Path::new(text).exists() => {
                vec![playable(text, text)?]
            }
            None => from_file(Path::new(text))?,
        };
        let mut hash = Sha256::new();
        for position in &positions {
            hash.update(position.to_string());
            hash.update("\n");
        }
        let hash = hash.finalize();
        Ok(Self {
            positions,
            hash: hash.iter().map(|byte| format!("{byte:02x}")).collect(),
        })
    }
}

/// A position in which the first player has a move.
fn playable(text: &str, place: &str) -> Result<Position, Failure> {
    let position = Position::parse(text).map_err(|error| {
        let failure = Failure::notation(text, &error);
        match place == text {
            true => failure,
            false => Failure::new(
                Exit::Input,
                error.code.as_str(),
                format!("{place}, column {}: {}", error.column, error.message),
            )
            .hint(format!("a position looks like {}", error.help)),
        }
    })?;
    match position.is_over(Seat::First) {
        true => Err(Failure::new(
            Exit::Input,
            "finished_start",
            format!("{place}: {position} is over before the first move"),
        )
        .hint("remove it, or add an object, as in nim:3,5,7")),
        false => Ok(position),
    }
}

fn from_file(path: &Path) -> Result<Vec<Position>, Failure> {
    let shown = path.display();
    let text = fs::read_to_string(path).map_err(|error| {
        let exit = match error.kind() {
            std::io::ErrorKind::NotFound => Exit::NotFound,
            _ => Exit::Input,
        };
        Failure::new(exit, "suite", format!("--start {shown}: {error}")).hint(
            "name a file with one position a line, one position such as nim:3,5,7, or random:nim,heaps=3-5,max=15,seed=7",
        )
    })?;
    let mut positions = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        if positions.len() >= MOST {
            return Err(Failure::new(
                Exit::Input,
                "suite",
                format!("{shown}: more than {MOST} positions"),
            ));
        }
        positions.push(playable(line, &format!("{shown}, line {}", number + 1))?);
    }
    match positions.is_empty() {
        true => Err(Failure::new(
            Exit::Input,
            "suite",
            format!("{shown}: there is no position in it"),
        )
        .hint("write one position a line, such as nim:3,5,7")),
        false => Ok(positions),
    }
}

/// How positions of heaps are made.
#[derive(Clone, Debug)]
struct Recipe {
    game: String,
    ending: &'static str,
    heaps: RangeInclusive<u64>,
    max: u64,
    seed: u64,
    count: Option<usize>,
    /// The share of positions that the first player wins.
    first: f64,
    /// Winning moves among all moves at most.
    share: f64,
}

const RECIPE: &str =
    "random:nim,heaps=3-5,max=15,seed=7 (also count=, first=0.5, share=0.34, misere)";

impl Recipe {
    fn read(text: &str) -> Result<Self, Failure> {
        let refuse = |why: String| {
            Failure::new(
                Exit::Input,
                "suite",
                format!("--start random:{text}: {why}"),
            )
            .hint(format!("a recipe looks like {RECIPE}"))
        };
        let mut items = text.split(',');
        let game = items.next().unwrap_or_default().to_owned();
        let heaps = if game == "wythoff" { 2..=2 } else { 3..=5 };
        let mut recipe = Self {
            game,
            ending: "",
            heaps,
            max: 15,
            seed: 1,
            count: None,
            first: 0.5,
            share: 0.34,
        };
        for item in items {
            let (key, value) = item.split_once('=').unwrap_or((item, ""));
            let number = |value: &str| -> Result<u64, Failure> {
                value
                    .parse()
                    .map_err(|_| refuse(format!("'{item}' needs a whole number")))
            };
            let fraction = |value: &str| -> Result<f64, Failure> {
                let number = value.parse().ok();
                number
                    .filter(|share| (0.0..=1.0).contains(share))
                    .ok_or_else(|| refuse(format!("'{item}' needs a number from 0 to 1")))
            };
            match key {
                "heaps" => {
                    let (low, high) = value.split_once('-').unwrap_or((value, value));
                    recipe.heaps = number(low)?..=number(high)?;
                }
                "max" => recipe.max = number(value)?,
                "seed" => recipe.seed = number(value)?,
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
        // Which games have lists of heaps is what their own reader says.
        let example = vec!["1"; low as usize].join(",");
        let example = format!("{}:{example}{}", recipe.game, recipe.ending);
        match Position::parse(&example) {
            Ok(_) => Ok(recipe),
            Err(error) => Err(refuse(format!(
                "'{}' is not a game whose positions are lists of {low} heaps: {}",
                recipe.game, error.message
            ))),
        }
    }

    /// Different positions, as many as wanted if there are so many.
    fn make(&self, wanted: usize) -> Result<Vec<Position>, Failure> {
        let wanted = self.count.unwrap_or(wanted.min(1_000)).clamp(1, MOST);
        let mut chance = Chance::new(self.seed);
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
            let spread = self.heaps.end() - self.heaps.start() + 1;
            let count = self.heaps.start() + chance.below(spread);
            let mut heaps: Vec<u64> = (0..count).map(|_| 1 + chance.below(self.max)).collect();
            let text = self.text(&heaps);
            heaps.sort_unstable();
            if !seen.insert(heaps.clone()) || is_trivial(&heaps) {
                continue;
            }
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
            return Err(Failure::new(
                Exit::Input,
                "suite",
                format!(
                    "--start random:{}: no position meets the rules (more than one heap, no pairs of equal heaps alone, at most {} of the moves win)",
                    self.game, self.share
                ),
            )
            .hint("raise max, heaps or share"));
        }
        let mut positions: Vec<Position> = won.into_iter().chain(lost).collect();
        chance.shuffle(&mut positions);
        Ok(positions)
    }

    fn text(&self, heaps: &[u64]) -> String {
        let heaps: Vec<String> = heaps.iter().map(ToString::to_string).collect();
        format!("{}:{}{}", self.game, heaps.join(","), self.ending)
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

/// One heap, or nothing but pairs of equal heaps: anybody finds the win by copying.
fn is_trivial(sorted: &[u64]) -> bool {
    sorted.len() < 2
        || (sorted.len().is_multiple_of(2) && sorted.chunks(2).all(|pair| pair[0] == pair[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_makes_the_same_good_positions_each_time() {
        let recipe = "random:nim,heaps=3-5,max=15,seed=7";
        let suite = Suite::read(recipe, 60).expect("a suite");
        let again = Suite::read(recipe, 60).expect("a suite");
        assert_eq!(suite.hash, again.hash);
        assert_ne!(
            suite.hash,
            Suite::read("random:nim,heaps=3-5,max=15,seed=8", 60)
                .expect("a suite")
                .hash
        );
        assert_eq!(suite.positions.len(), 60);
        let budget = Budget::nodes(100_000);
        let mut won = 0;
        for position in &suite.positions {
            let now = standing(position, Seat::First, &budget).expect("nim");
            if now.winner == Some(Seat::First) {
                won += 1;
                assert!(now.winning * 100 <= now.legal * 34, "{position}");
            }
        }
        assert_eq!(won, 30);
        let texts: BTreeSet<String> = suite.positions.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), 60);
    }

    #[test]
    fn a_small_space_gives_what_there_is() {
        let suite = Suite::read("random:nim,heaps=2,max=4,share=0.5", 60).expect("a suite");
        assert!((1..10).contains(&suite.positions.len()));
        let other = Suite::read("random:kayles,heaps=2-3,max=9,misere", 20).expect("a suite");
        assert!(other.positions[0].to_string().ends_with("@misere"));
    }

    #[test]
    fn what_is_wrong_is_named_with_a_remedy() {
        for text in [
            "random:",
            "random:chess",
            "random:cram",
            "random:nim,heaps=0",
            "random:nim,heaps=5-3",
            "random:nim,max=x",
            "random:nim,odd=1",
            "random:nim,share=2",
            "random:nim,heaps=1,max=3",
            "nim:3,x",
            "nim:0",
            "no-such-file.txt",
        ] {
            let failure = Suite::read(text, 10).expect_err("not a suite");
            assert!(failure.remedy().is_some(), "{text}: {failure}");
        }
    }
}
