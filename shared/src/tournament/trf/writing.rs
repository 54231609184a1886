//! Writing a report.

use std::fmt;

use super::Trf;
use crate::tournament::cross_table::{Colour, Entry};

impl fmt::Display for Trf {
    /// The report as a file, each line ended by a line feed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (code, rest) in &self.headers {
            writeln!(f, "{code}{rest}")?;
        }
        for (place, player) in self.players.iter().enumerate() {
            let number = place as u32 + 1;
            let cut = |text: &str, most: usize| text.chars().take(most).collect::<String>();
            let rating = match player.rating {
                0 => String::new(),
                rating => rating.to_string(),
            };
            let rank = player.rank.map(|rank| rank.to_string());
            let mut line = format!(
                "001 {number:>4} {:1}{:>3} {:<33} {rating:>4} {:<3} {:>11} {:<10} {:>4} {:>4}",
                cut(&player.sex, 1),
                cut(&player.title, 3),
                cut(&player.name, 33),
                cut(&player.federation, 3),
                cut(&player.fide_number, 11),
                cut(&player.birth, 10),
                self.table.points(number),
                rank.unwrap_or_default(),
            );
            let next = self.next_byes.get(&number);
            for entry in self.table.row(number).iter().chain(next) {
                line.push_str("  ");
                line.push_str(&entry_text(*entry));
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        if let Some(rounds) = self.total_rounds {
            writeln!(f, "XXR {rounds}")?;
        }
        if let Some(colour) = self.initial_colour {
            let word = match colour {
                Colour::White => "white1",
                Colour::Black => "black1",
            };
            writeln!(f, "XXC {word}")?;
        }
        if !self.absent.is_empty() {
            let numbers: Vec<String> = self.absent.iter().map(u32::to_string).collect();
            writeln!(f, "XXZ {}", numbers.join(" "))?;
        }
        for (one, two) in &self.forbidden {
            writeln!(f, "XXP {one} {two}")?;
        }
        Ok(())
    }
}

/// The eight columns of an entry. A score between a win, a draw and a loss has no letter and is written as the next lower.
fn entry_text(entry: Entry) -> String {
    let letter = |colour: Option<Colour>| match colour {
        Some(Colour::White) => 'w',
        Some(Colour::Black) => 'b',
        None => '-',
    };
    match entry {
        Entry::Played {
            opponent,
            colour,
            score,
        } => {
            let result = match score.0 {
                0 => '0',
                1 => '=',
                _ => '1',
            };
            format!("{opponent:>4} {} {result}", letter(Some(colour)))
        }
        Entry::Forfeit {
            opponent,
            colour,
            won,
        } => {
            let result = if won { '+' } else { '-' };
            format!("{opponent:>4} {} {result}", letter(colour))
        }
        Entry::PairingBye => "0000 - U".to_owned(),
        Entry::FullBye => "0000 - F".to_owned(),
        Entry::HalfBye => "0000 - H".to_owned(),
        Entry::ZeroBye => "0000 - Z".to_owned(),
    }
}
