//! Which puzzles are meant.

use std::path::PathBuf;

use clap::Args;
use grundy_shared::practice::Theme;
use grundy_shared::puzzle::{Collection, Difficulty, Puzzle};
use grundy_shared::rated::Family;
use grundy_words::Message;

use crate::misread::Misread;

/// What puzzles have in common.
#[derive(Debug, Args)]
pub(super) struct Chosen {
    /// Only this game family: the name of a game, or sum
    #[arg(long, value_name = "FAMILY")]
    family: Option<Family>,
    /// Only puzzles won by this idea, which is also their first hint: nim_sum, pairs, parity, splitting, mirror, misere_ending, coloured_edges, …
    #[arg(long, value_name = "THEME", value_parser = theme)]
    theme: Option<Theme>,
    /// Only this difficulty: easy, medium or hard
    #[arg(long, value_name = "DIFFICULTY")]
    difficulty: Option<Difficulty>,
    /// Take the puzzles from this file, which 'grundy puzzle make' has written
    #[arg(long, value_name = "FILE")]
    pub(super) from: Option<PathBuf>,
}

impl Chosen {
    /// The puzzles that are meant, with their numbers.
    pub(super) fn of<'c>(
        &'c self,
        collection: &'c Collection,
    ) -> impl Iterator<Item = (usize, &'c Puzzle)> {
        collection.numbered().filter(|(_, puzzle)| {
            self.theme.is_none_or(|theme| theme == puzzle.theme)
                && self
                    .difficulty
                    .is_none_or(|wanted| wanted == puzzle.difficulty())
                && self.family.is_none_or(|family| family == puzzle.family())
        })
    }
}

/// Reads the name of a theme.
fn theme(text: &str) -> Result<Theme, Misread> {
    let name = text.replace('-', "_");
    let mut themes = Theme::ALL.into_iter();
    themes.find(|theme| theme.name() == name).ok_or_else(|| {
        let names: Vec<&str> = Theme::ALL.iter().map(|theme| theme.name()).collect();
        Misread(Message::new("misread-theme").text("names", names.join(", ")))
    })
}
