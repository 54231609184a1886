//! The file of the deck, in the user's data directory beside the records.

use std::fs::{self, DirBuilder, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use grundy_words::Message;

use super::deck::{Damage, Deck};
use crate::config;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::identity::{remove_leftovers, write_whole};
use crate::record::{self, Kind};

/// Bytes of a deck that are read.
const MOST: usize = 64 << 20;
/// Only the user may read it: it names people.
const FILE_MODE: u32 = 0o600;
const DIRECTORY_MODE: u32 = 0o700;
/// How often the lock is tried, and the time between.
const TRIES: usize = 250;
const PAUSE: Duration = Duration::from_millis(20);

/// The file of the deck.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    directory: PathBuf,
}

impl Store {
    /// The deck of the user. Nothing is created.
    ///
    /// # Errors
    /// There is no home directory.
    pub(crate) fn open() -> Result<Self, Failure> {
        let directory = config::data_directory().ok_or_else(|| {
            Failure::usage(Message::new("no-home-deck")).help(Message::new("no-home-data-how"))
        })?;
        Ok(Self { directory })
    }

    /// The deck: an empty one if there is no file.
    ///
    /// # Errors
    /// The file is damaged or cannot be read. It stays as it is.
    pub(crate) fn read(&self) -> Result<Deck, Failure> {
        let path = self.path();
        let kind = Kind {
            name: "deck",
            code: "bad_deck",
            made_by: "made-by-learn",
        };
        record::check_regular(&path)?;
        match path.try_exists() {
            Ok(false) => return Ok(Deck::default()),
            Ok(true) => {}
            Err(error) => return Err(record::about(&path, &error)),
        }
        let bytes = record::bytes(&path, MOST, &kind)?;
        let text = match String::from_utf8(bytes) {
            Ok(text) if text.len() <= MOST => text,
            Ok(_) => {
                let words = format!("it has more than {MOST} bytes");
                return Err(self.damaged(&Damage {
                    line: 0,
                    column: 0,
                    words,
                    is_newer: false,
                }));
            }
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let before = &error.as_bytes()[..valid];
                let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
                let words = "it is not UTF-8".to_owned();
                return Err(self.damaged(&Damage {
                    line,
                    column: 0,
                    words,
                    is_newer: false,
                }));
            }
        };
        Deck::read(&text).map_err(|damage| self.damaged(&damage))
    }

    /// Changes the deck as it is in the file at this moment, so that two programs at once lose nothing. The file is replaced as a whole, and is on the disk when this
    /// returns.
    ///
    /// # Errors
    /// The file is damaged, cannot be written, or another program has held its lock for five seconds. The file stays as it is.
    pub(crate) fn update<T>(
        &self,
        change: impl FnOnce(&mut Deck) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut make = DirBuilder::new();
        make.recursive(true).mode(DIRECTORY_MODE);
        let path = self.path();
        let unusable = |error: io::Error| record::about(&path, &error);
        make.create(&self.directory).map_err(unusable)?;
        let lock = self.directory.join("practice.lock");
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(FILE_MODE)
            .open(&lock)
            .map_err(|error| record::about(&lock, &error))?;
        let mut tries = 0;
        while let Err(error) = lock.try_lock() {
            tries += 1;
            match error {
                TryLockError::WouldBlock if tries < TRIES => sleep(PAUSE),
                TryLockError::WouldBlock => {
                    let message = Message::new("deck-in-use");
                    return Err(Failure::told(Exit::Refused, "in_use", message)
                        .help(Message::new("deck-in-use-how")));
                }
                TryLockError::Error(error) => return Err(unusable(error)),
            }
        }
        let mut deck = self.read()?;
        let old = deck.clone();
        let result = change(&mut deck)?;
        if deck != old {
            let text = deck.to_text().map_err(|error| unusable(error.into()))?;
            // A link stays one, for example into a directory that is synchronized.
            let target = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
            write_whole(&target, text.as_bytes(), FILE_MODE).map_err(unusable)?;
        }
        remove_leftovers(&self.directory);
        Ok(result)
    }

    fn path(&self) -> PathBuf {
        self.directory.join("practice.ndjson")
    }

    fn damaged(&self, damage: &Damage) -> Failure {
        let place = match (damage.line, damage.column) {
            (0, _) => "file",
            (_, 0) => "line",
            _ => "column",
        };
        let message = Message::new("deck-damaged")
            .text("place", place)
            .text("file", self.path().display())
            .text("line", damage.line)
            .text("column", damage.column)
            .text("said", &damage.words);
        Failure::told(Exit::Input, "bad_deck", message).help(Message::new(match damage.is_newer {
            true => "deck-newer-how",
            false => "deck-damaged-how",
        }))
    }
}

#[cfg(test)]
mod tests {
    use grundy_shared::Position;
    use grundy_shared::ids::{MatchId, Ply, Seat};
    use grundy_shared::practice::{Exercise, Key, Origin, Performance, Theme};
    use grundy_shared::rated::Family;

    use super::*;
    use crate::practice::schedule::Day;

    fn store() -> (tempfile::TempDir, Store) {
        let directory = tempfile::tempdir().expect("a directory");
        let store = Store {
            directory: directory.path().join("grundy"),
        };
        (directory, store)
    }

    fn exercise(heaps: usize, ply: u32) -> Exercise {
        let position = Position::parse(&format!("nim:1,{heaps}")).expect("a position");
        Exercise {
            family: Family::of(&position),
            theme: Theme::Pairs,
            bits: 1.0,
            legal_moves: 3,
            origin: Origin {
                match_id: MatchId::from_random(u64::from(ply)),
                ply: Ply(ply),
                player: Some("Ada".to_owned()),
                played: "A-1".to_owned(),
            },
            to_move: Seat::First,
            position,
        }
    }

    fn add(store: &Store, exercise: &Exercise) {
        let added = store.update(|deck| {
            deck.add_match(exercise.origin.match_id, std::slice::from_ref(exercise));
            Ok(())
        });
        added.expect("written");
    }

    #[test]
    fn a_deck_is_read_back_and_a_position_that_is_missed_twice_is_one_exercise() {
        let (_kept, store) = store();
        assert_eq!(store.read().expect("none yet"), Deck::default());
        for (heaps, ply) in [(4, 1), (5, 2), (4, 3), (4, 3)] {
            add(&store, &exercise(heaps, ply));
        }
        let key = exercise(4, 1).key();
        let graded = store.update(|deck| deck.grade(&key, Performance::AtOnce, Day(100)));
        let wait = graded.expect("written").expect("in the deck");
        let deck = store.read().expect("a deck");
        assert_eq!((deck.cards.len(), deck.matches.len()), (2, 3));
        let card = &deck.cards[0];
        assert_eq!((card.origins.len(), card.tries.at_once), (2, 1));
        assert_eq!(card.due_day, Some(Day(100 + wait)));
        assert!(!card.is_due(Day(100)) && card.is_due(Day(100 + wait)));
        assert!(deck.cards[1].is_new() && deck.cards[1].is_due(Day(0)));
        assert_eq!(Deck::read(&deck.to_text().expect("JSON")), Ok(deck));
        let unknown: Key = "nim:9".parse().expect("a key");
        let none = store.update(|deck| deck.grade(&unknown, Performance::Shown, Day(1)));
        assert_eq!(none.expect("nothing to write"), None);
    }

    /// Each line cut at each place, and each line changed: damage is named with its line, and the file stays.
    #[test]
    fn a_damaged_deck_is_refused_with_its_line_and_stays() {
        let (_kept, store) = store();
        add(&store, &exercise(4, 1));
        add(&store, &exercise(5, 2));
        let whole = fs::read_to_string(store.path()).expect("a deck");
        for end in 1..whole.len() - 1 {
            let torn = &whole[..end];
            // Whole lines are a deck.
            if torn.ends_with('\n') {
                continue;
            }
            fs::write(store.path(), torn).expect("ours");
            let line = torn.lines().count();
            let failure = store.read().expect_err("it is torn");
            let line = format!("practice.ndjson, line {line}");
            assert!(failure.message().contains(&line), "{}", failure.message());
            assert_eq!(failure.exit(), Exit::Input);
            let failed = store.update(|deck| {
                deck.cards.clear();
                Ok(())
            });
            assert!(failed.is_err());
            assert_eq!(fs::read_to_string(store.path()).expect("there"), torn);
        }
        for (old, new, line) in [
            ("deck/1", "deck/2", 1),
            ("\"bits\":1.0", "\"bits\":-1.0", 4),
            ("\"bits\":1.0", "\"bites\":1.0", 4),
            ("\"pairs\"", "\"pears\"", 4),
            ("nim:1,4", "nim:1,x", 4),
            ("nim:1,4", "nim: 1,4", 4),
            ("nim:1,5", "nim:1,4", 5),
            ("\"last_day\":null", "\"last_day\":7", 4),
            (
                "\"memory\":null",
                "\"memory\":{\"stability\":0.0,\"difficulty\":5.0}",
                4,
            ),
        ] {
            let changed = whole.replacen(old, new, 1);
            assert_ne!(changed, whole, "{old}");
            let damage = Deck::read(&changed).expect_err(new);
            assert_eq!(damage.line, line, "{new}: {damage:?}");
        }
        fs::write(store.path(), b"{\"schema\":\"grundy/deck/1\"}\n\xff\n").expect("ours");
        let failure = store.read().expect_err("no UTF-8");
        assert!(
            failure.message().contains("line 2"),
            "{}",
            failure.message()
        );
    }

    /// Many programs at once: every grade is kept.
    #[test]
    fn programs_at_once_lose_nothing() {
        let (_kept, store) = store();
        add(&store, &exercise(4, 1));
        let key = exercise(4, 1).key();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..5 {
                        let graded =
                            store.update(|deck| deck.grade(&key, Performance::Shown, Day(7)));
                        graded.expect("written");
                    }
                });
            }
        });
        assert_eq!(store.read().expect("a deck").cards[0].tries.shown, 20);
    }
}
