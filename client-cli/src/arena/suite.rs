//! The starts of games: from a file, or made from a seed so that the winning side can go wrong.

use std::fs;
use std::path::Path;

use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::suite::{BadRecipe, MOST, Recipe};
use grundy_words::Message;
use sha2::{Digest as _, Sha256};

use super::files::STARTS;
use super::head::hex;
use super::settings::Settings;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::system;

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
            Some(recipe) => made(recipe, wanted)?,
            None if text.contains(':') && !Path::new(text).exists() => {
                vec![playable(text, text)?]
            }
            None => from_file(Path::new(text))?,
        };
        Ok(Self::of(positions))
    }

    /// The starts of an arena that goes on: those that it wrote down, or else those that its settings name.
    ///
    /// # Errors
    /// Both have other positions than when the arena began.
    pub(crate) fn of_arena(directory: &Path, settings: &Settings) -> Result<Self, Failure> {
        let kept = fs::read_to_string(directory.join(STARTS)).ok();
        let kept = kept.and_then(|text| Self::listed(&text, STARTS).ok());
        if let Some(kept) = kept.filter(|kept| kept.hash == settings.suite) {
            return Ok(kept);
        }
        let suite = Self::read(&settings.start, settings.starts_wanted())?;
        if suite.hash == settings.suite {
            return Ok(suite);
        }
        let message = Message::new("suite-changed").text("start", &settings.start);
        Err(Failure::told(Exit::Input, "suite", message).help(Message::new("suite-changed-how")))
    }

    /// Reads the positions of a text, one a line.
    ///
    /// # Errors
    /// The first line that is wrong, with a remedy.
    pub(crate) fn listed(text: &str, place: &str) -> Result<Self, Failure> {
        Ok(Self::of(positions_of(text, place)?))
    }

    fn of(positions: Vec<Position>) -> Self {
        let mut suite = Self {
            positions,
            hash: String::new(),
        };
        suite.hash = hex(&Sha256::digest(suite.text()));
        suite
    }

    /// One position a line.
    pub(crate) fn text(&self) -> String {
        let lines = self.positions.iter();
        lines.map(|position| format!("{position}\n")).collect()
    }
}

fn made(recipe: &str, wanted: usize) -> Result<Vec<Position>, Failure> {
    let refuse = |bad: BadRecipe| {
        let message = Message::new("suite-recipe")
            .text("recipe", recipe)
            .text("said", bad.why);
        let how = Message::new("suite-recipe-how").text("said", bad.hint);
        Failure::told(Exit::Input, "suite", message).help(how)
    };
    Recipe::read(recipe)
        .and_then(|recipe| recipe.make(wanted))
        .map_err(refuse)
}

/// A position in which the first player has a move.
fn playable(text: &str, place: &str) -> Result<Position, Failure> {
    let position = Position::parse_typed(text).map_err(|error| {
        let failure = Failure::notation(text, &error);
        match place == text {
            true => failure,
            false => {
                let message = Message::new("suite-position")
                    .text("place", place)
                    .text("column", error.column)
                    .text("said", error.message);
                Failure::told(Exit::Input, error.code.as_str(), message)
                    .help(Message::new("suite-position-how").text("example", error.help))
            }
        }
    })?;
    match position.is_over(Seat::First) {
        true => {
            let message = Message::new("suite-finished")
                .text("place", place)
                .text("position", &position);
            Err(Failure::told(Exit::Input, "finished_start", message)
                .help(Message::new("suite-finished-how")))
        }
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
        let message = Message::new("suite-file")
            .text("file", path.display())
            .message("why", system::said(&error));
        Failure::told(exit, "suite", message).help(Message::new("suite-file-how"))
    })?;
    positions_of(&text, &shown.to_string())
}

fn positions_of(text: &str, shown: &str) -> Result<Vec<Position>, Failure> {
    let mut positions = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        if positions.len() >= MOST {
            let message = Message::new("suite-too-long")
                .text("file", shown)
                .text("most", MOST);
            return Err(Failure::told(Exit::Input, "suite", message));
        }
        positions.push(playable(line, &format!("{shown}, line {}", number + 1))?);
    }
    match positions.is_empty() {
        true => {
            let message = Message::new("suite-empty").text("file", shown);
            Err(Failure::told(Exit::Input, "suite", message).help(Message::new("suite-empty-how")))
        }
        false => Ok(positions),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use grundy_shared::solver::{Budget, standing};

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
    fn games_on_squares_rows_boards_and_graphs_have_recipes() {
        for recipe in [
            "welter,max=9",
            "turtles",
            "mockturtles",
            "ruler,size=6-8",
            "arckayles",
            "nodekayles,size=7",
            "col,size=5",
            "snort,size=5",
            "poset",
            "domineering,size=3",
            "clobber,size=2-3",
            "toads,share=0.5",
            "cram,size=3,misere",
            "fork.3-1/2.3-0.2-0/1.1-0,heaps=2-4,max=3,share=0.5",
        ] {
            let suite = Suite::read(&format!("random:{recipe},count=4"), 4);
            let suite = suite.unwrap_or_else(|failure| panic!("{recipe}: {failure}"));
            assert!(!suite.positions.is_empty(), "{recipe}");
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_a_remedy() {
        for text in [
            "random:",
            "random:chess",
            "random:cram,heaps=3",
            "random:cram,size=0",
            "random:nim,size=3",
            "random:northcott,size=9,count=1",
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
            assert!(failure.to_string().contains("help: "), "{text}: {failure}");
        }
    }
}
