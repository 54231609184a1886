//! The odds of many starts, as far as they are found in the time available.

use std::time::{Duration, Instant};

use grundy_shared::Position;
use grundy_shared::odds::{Chance, Even, Family, NotComputed, Player, Table};
use grundy_words::Message;

use super::not_computed;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// No further start is looked at after this time.
const TIME: Duration = Duration::from_secs(10);
/// The numbers of heaps that are tried if the user names none: some games have a fixed number.
const HEAPS: [[usize; 2]; 4] = [[2, 4], [2, 2], [1, 4], [1, 1]];

/// What was found.
pub(super) struct Compared {
    /// How many starts were compared, each with either player to move first.
    pub(super) compared: usize,
    /// How many starts were left out: too many positions can be reached from them, or the time was over.
    pub(super) left_out: usize,
    /// All odds, the most even first.
    pub(super) starts: Vec<Even>,
}

/// Which starts are compared.
pub(super) struct Wanted {
    /// The name of a game.
    pub(super) game: String,
    /// The fewest and the most heaps; `None` for what suits the game.
    pub(super) heaps: Option<[usize; 2]>,
    /// The size of the largest heap.
    pub(super) max: u64,
    /// Whether the last move loses.
    pub(super) misere: bool,
}

impl Wanted {
    /// The starts.
    ///
    /// # Errors
    /// The game has none: those of the first number of heaps that was tried.
    fn starts(&self) -> Result<Vec<Position>, Failure> {
        let of = |heaps: [usize; 2]| {
            let family = Family {
                game: self.game.to_ascii_lowercase(),
                heaps,
                max: self.max,
                misere: self.misere,
            };
            let starts = family.starts();
            starts.map_err(|bad| {
                let message = Message::new("fair-family").text("said", bad.why);
                let how = Message::new("fair-family-how").text("said", bad.hint);
                Failure::told(Exit::Input, "bad_family", message).help(how)
            })
        };
        if let Some(heaps) = self.heaps {
            return of(heaps);
        }
        let [first, others @ ..] = HEAPS;
        of(first).or_else(|failure| {
            let mut others = others.into_iter();
            others.find_map(|heaps| of(heaps).ok()).ok_or(failure)
        })
    }
}

/// The odds of the starts, with either player to move first. A start from which too many positions can be reached is left out. Cost: at most what one start may cost more
/// than [`TIME`].
///
/// # Errors
/// The game has no such starts, or none of them has odds.
pub(super) fn compared(
    context: &Context,
    wanted: &Wanted,
    players: [Player; 2],
) -> Result<Compared, Failure> {
    let starts = wanted.starts()?;
    let line = context.output.progress_line();
    let (begun, of) = (Instant::now(), starts.len());
    let mut tables = Tables::new(players);
    let (mut compared, mut left_out) = (0, 0);
    let mut even = Vec::new();
    let mut refusal = NotComputed::TooLarge;
    for (number, start) in starts.into_iter().enumerate() {
        let progress = Message::new("fair-progress")
            .text("number", number)
            .text("of", of);
        line.show(&progress.said(context.output.words()));
        if begun.elapsed() >= TIME {
            left_out += 1;
            continue;
        }
        match tables.first_wins(&start) {
            Ok(chances) => {
                compared += 1;
                let chances = chances.into_iter().enumerate();
                even.extend(chances.map(|(first, first_wins)| Even {
                    start: start.clone(),
                    first,
                    first_wins,
                }));
            }
            Err(why) => {
                left_out += 1;
                refusal = why;
            }
        }
    }
    if compared == 0 {
        return Err(
            Failure::told(Exit::Input, "no_odds", not_computed(&refusal))
                .help(Message::new("fair-refused-how")),
        );
    }
    // The sort is stable.
    even.sort_by(|one: &Even, two| one.distance().total_cmp(&two.distance()));
    Ok(Compared {
        compared,
        left_out,
        starts: even,
    })
}

/// A table for each order of the players; one for two equal players.
struct Tables {
    players: [Player; 2],
    tables: Vec<Table>,
}

impl Tables {
    fn new(players: [Player; 2]) -> Self {
        let [one, two] = players;
        let mut tables = vec![Table::new(one, two)];
        if one != two {
            tables.push(Table::new(two, one));
        }
        Self { players, tables }
    }

    /// The chance of the player who moves first, for each order. A table that is full is replaced by an empty one, in which the start is tried again.
    fn first_wins(&mut self, start: &Position) -> Result<Vec<Chance>, NotComputed> {
        let was_empty = self.tables.iter().all(|table| table.positions() == 0);
        let tried = self.try_start(start);
        if tried.is_ok() {
            return tried;
        }
        *self = Self::new(self.players);
        if was_empty {
            return tried;
        }
        let again = self.try_start(start);
        if again.is_err() {
            *self = Self::new(self.players);
        }
        again
    }

    fn try_start(&mut self, start: &Position) -> Result<Vec<Chance>, NotComputed> {
        let tables = self.tables.iter_mut();
        tables.map(|table| table.first_wins(start)).collect()
    }
}
