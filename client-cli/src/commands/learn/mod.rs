//! `grundy learn`: the user's own mistakes, to be unlearnt.

mod forget;
mod gather;

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use clap::{Args, Subcommand};
use grundy_shared::practice::{Attempt, Exercise, Key};
use grundy_shared::rated::Family;
use grundy_shared::record::Record;
use grundy_words::Message;

use self::gather::Found;
use super::games::chunks::{Piece, each_record};
use super::games::finished;
use super::lesson::{Removed, Task, announce, hold_removable};
use crate::context::Context;
use crate::duration::duration;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::local::now;
use crate::practice::deck::Card;
use crate::practice::event::{Event, Next, SCHEMA};
use crate::practice::progress::Progress;
use crate::practice::schedule::Day;
use crate::practice::store::Store;
use crate::render::practice as words;
use crate::thinking::Limits;

/// What else can be done with exercises.
#[derive(Debug, Subcommand)]
enum What {
    /// Take exercises out for good
    Forget(forget::Arguments),
}

/// Arguments of `learn`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    after_help = "\
Examples:
  grundy learn                         what is due today, from all matches on this computer
  grundy learn 7Kq2mVx9Rt              the mistakes of one match
  grundy learn match.ndjson --player Ada
  grundy learn --all --family nim --limit 5
  grundy learn --online                also from your matches on the server
  grundy learn --progress
  grundy learn forget nim:2,5,0        never ask for this position again
  printf 'hint\\nB-3\\n' | grundy learn match.ndjson --json

Each exercise is a position in which a player who is not a bot gave a win away. Any winning move is right. Type a move, or: \
hint, why, solution, skip, forget, moves, more, rules, board, help, quit. With --json, the lesson is one event \
a line on stdout, and the answers are read as lines from stdin.

An exercise that you solve at once is due again after some days, then after ever longer times; one that you do not solve stays \
due. A day begins at 0:00 UTC."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: Option<What>,
    /// A match on this computer or on the server, a record file ('-' for stdin), or a start position with moves [default: all matches on this computer]
    #[arg(value_name = "MATCH|FILE|POSITION")]
    source: Option<String>,
    /// The moves that were made from this position
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
    /// Look only in the library on this computer, without a server
    #[arg(long, requires = "source")]
    local: bool,
    /// Also go through your finished matches on the server
    #[arg(long, conflicts_with = "source")]
    online: bool,
    /// Also practise what is not due yet
    #[arg(long, conflicts_with = "source")]
    all: bool,
    /// Only the mistakes of the player with this name
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Only this game family: the name of a game, or sum
    #[arg(long, value_name = "FAMILY")]
    family: Option<Family>,
    /// The largest number of exercises
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    limit: u32,
    /// Show your progress in each game family instead
    #[arg(long, conflicts_with_all = ["source", "all", "online", "player", "family"])]
    progress: bool,
    /// Time limit for each answer of the solver
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    budget: Duration,
    /// Memory limit, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
}

impl Arguments {
    /// Puts the exercises, one at a time.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        if let Some(What::Forget(forget)) = self.what {
            return forget.run(context).await;
        }
        let store = Store::open()?;
        let today = Day::of(now());
        if self.progress {
            return Self::show_progress(context, &store, today);
        }
        // A damaged deck is found before the work begins.
        store.read()?;
        let exercises = match &self.source {
            Some(_) => self.of_match(context, &store).await?,
            None => self.of_all(context, &store, today).await?,
        };
        self.practise(context, &store, exercises).await?;
        if self.source.is_none() && !self.online {
            let words = context.output.words();
            context.output.talk(&words.say("learn-online"));
        }
        Ok(Exit::Done)
    }

    /// Puts these exercises, each with the number of earlier tries.
    async fn practise(
        &self,
        context: &Context,
        store: &Store,
        exercises: Vec<(Exercise, u64)>,
    ) -> Result<(), Failure> {
        let of = exercises.len();
        if of == 0 && !context.output.json {
            return Ok(());
        }
        let begin = Event::Begin {
            schema: SCHEMA,
            exercises: of,
        };
        announce(&context.output, &begin)?;
        let tasks = (1..)
            .zip(exercises)
            .map(|(number, (exercise, tries))| Task {
                attempt: Attempt::new(&exercise),
                put: Event::Exercise {
                    number,
                    of,
                    position: exercise.position.to_string(),
                    to_move: exercise.to_move,
                    family: exercise.family.name(),
                    match_id: exercise.origin.match_id,
                    ply: exercise.origin.ply,
                    tries,
                },
                of: exercise.key(),
            });
        let limits = Limits {
            time: self.budget,
            memory_bytes: self.memory << 20,
        };
        let keep = |key: &Key, performance| {
            let due = store.update(|deck| deck.grade(key, performance, Day::of(now())))?;
            Ok(due.map(|due_in_days| Event::Scheduled {
                performance,
                due_in_days,
            }))
        };
        let mut removed = 0;
        let remove = |key: &Key, why| {
            removed += 1;
            store.update(|deck| {
                match why {
                    Removed::Forgotten => deck.forget(key),
                    Removed::NotWon => deck.remove(key),
                }
                Ok(())
            })
        };
        let title = "screen-lesson";
        let tasks = tasks.collect();
        let results = hold_removable(context, title, limits, tasks, keep, Some(remove)).await?;
        let over = usize::try_from(results.total()).unwrap_or(of) + removed;
        let left = of.saturating_sub(over);
        let next = Next::Learn;
        announce(
            &context.output,
            &Event::End {
                results,
                left,
                next,
            },
        )
    }

    /// The exercises of one match, due or not, in the order of its moves; of a file, those of all matches in it.
    async fn of_match(
        &self,
        context: &Context,
        store: &Store,
    ) -> Result<Vec<(Exercise, u64)>, Failure> {
        let of_match = self.gathered(context).await?;
        let added = store.update(|deck| {
            let more = deck.add(&of_match.exercises);
            Ok((deck.clone(), more))
        });
        let (deck, more) = match added {
            Ok(added) => added,
            // The lesson is held all the same.
            Err(failure) => {
                let mut deck = store.read()?;
                let more = deck.add(&of_match.exercises);
                let words = context.output.words();
                let warning = words::not_saved(&failure.message_in(words), words);
                context.output.warn(&warning);
                (deck, more)
            }
        };
        if more > 0 {
            let message = Message::new("learn-more").number("count", more);
            context.output.talk(&message.said(context.output.words()));
        }
        let cards = deck.cards.iter();
        let tries: HashMap<&str, u64> = cards
            .map(|card| (&*card.position, card.tries.total()))
            .collect();
        let mut found: Vec<(Exercise, u64)> = Vec::new();
        let mut seen = HashSet::new();
        let mut is_forgotten = false;
        let Found {
            exercises,
            not_judged,
            draws,
        } = of_match;
        for exercise in exercises {
            let key = exercise.key();
            if deck.is_forgotten(&key) {
                is_forgotten = true;
                continue;
            }
            // One of too many is not in the deck.
            let Some(tried) = tries.get(key.as_str()) else {
                continue;
            };
            let wanted = self.player.as_ref().is_none_or(|name| {
                let player = exercise.origin.player.as_ref();
                player.is_some_and(|player| player.to_lowercase() == name.to_lowercase())
            });
            // A position that was missed twice is one exercise.
            if wanted && self.is_of_family(&exercise) && seen.insert(key) {
                found.push((exercise, *tried));
            }
        }
        found.truncate(self.limit as usize);
        let is_whole = self.player.is_none() && self.family.is_none();
        if found.is_empty() && is_forgotten {
            nothing(context, &context.output.words().say("learn-only-forgotten"))?;
        } else if found.is_empty() && not_judged == 0 {
            nothing(
                context,
                &words::no_mistake(is_whole, draws, context.output.words()),
            )?;
        } else if found.is_empty() && !context.output.json {
            nothing(
                context,
                &words::nothing_so_far(not_judged, context.output.words()),
            )?;
        } else if not_judged > 0 {
            let catalogue = context.output.words();
            let what = words::not_judged(not_judged, catalogue);
            let warning = Message::new("failure-warning").text("what", what);
            context.output.warn(&warning.said(catalogue));
        }
        Ok(found)
    }

    /// What the match that is named has for a lesson, or all matches of the file that is named.
    async fn gathered(&self, context: &Context) -> Result<Found, Failure> {
        let chosen = finished::Chosen {
            source: self.source.clone(),
            moves: self.moves.clone(),
            local: self.local,
        };
        let mut all = Found::default();
        let mut unplayed = None;
        let mut was_player = self.player.is_none();
        let mut add = |record: &Record| {
            if let Some(name) = &self.player {
                match gather::played_in(record, name) {
                    Ok(()) => was_player = true,
                    Err(failure) => unplayed = Some(failure),
                }
            }
            let line = context.output.progress_line();
            let found = gather::exercises(record, self.budget, self.memory << 20, &line);
            all.add(found);
        };
        match chosen.file().filter(|_| chosen.moves.is_empty()) {
            Some(path) => each_record(path, |piece| {
                match piece {
                    Piece::Record(record) => add(&record),
                    Piece::CutOff(warning) => {
                        context.output.warn(&warning.said(context.output.words()));
                    }
                }
                Ok(())
            })?,
            None => add(&finished::record(context, &chosen).await?),
        }
        match unplayed.filter(|_| !was_player) {
            Some(failure) => Err(failure),
            None => Ok(all),
        }
    }

    /// The exercises of all matches on this computer, and with `--online` on the server: those that are due, the longest overdue first and new ones after them; with `--all` then the
    /// others.
    async fn of_all(
        &self,
        context: &Context,
        store: &Store,
        today: Day,
    ) -> Result<Vec<(Exercise, u64)>, Failure> {
        let (time, memory_bytes) = (self.budget, self.memory << 20);
        gather::new_matches(context, store, time, memory_bytes)?;
        if self.online {
            gather::new_matches_of_server(context, store, time, memory_bytes).await?;
        }
        let deck = store.read()?;
        let wanted = |card: &&Card| self.player.as_ref().is_none_or(|name| card.is_by(name));
        let mut cards: Vec<&Card> = deck.cards.iter().filter(wanted).collect();
        cards.sort_by_key(|card| (!card.is_due(today), card.is_new(), card.due_day));
        let exercises = cards.into_iter().filter_map(|card| {
            let exercise = card
                .exercise()
                .filter(|exercise| self.is_of_family(exercise))?;
            Some((card.is_due(today), exercise, card.tries.total()))
        });
        let exercises: Vec<_> = exercises.collect();
        let total = exercises.len();
        let due = exercises
            .into_iter()
            .filter(|(is_due, ..)| self.all || *is_due);
        let mut due: Vec<(Exercise, u64)> =
            due.map(|(_, exercise, tries)| (exercise, tries)).collect();
        let all = due.len();
        due.truncate(self.limit as usize);
        if due.is_empty() {
            let message = match (deck.matches.is_empty(), total) {
                (true, 0) => {
                    let message = Message::new("learn-no-match").whether("online", self.online);
                    return Err(Failure::told(Exit::NotFound, "no_such_match", message)
                        .help(Message::new("learn-no-match-how")));
                }
                (false, 0) => Message::new("learn-no-win-lost"),
                (_, total) => Message::new("learn-nothing-due").number("count", total as u64),
            };
            nothing(context, &message.said(context.output.words()))?;
        } else if all > due.len() {
            let message = Message::new("learn-some")
                .text("some", due.len())
                .text("all", all);
            context.output.talk(&message.said(context.output.words()));
        }
        Ok(due)
    }

    fn is_of_family(&self, exercise: &Exercise) -> bool {
        self.family.is_none_or(|family| family == exercise.family)
    }

    fn show_progress(context: &Context, store: &Store, today: Day) -> Result<Exit, Failure> {
        let progress = Progress::of(&store.read()?, today);
        let output = &context.output;
        if output.json {
            output.object(&progress)?;
        } else if progress.families.is_empty() {
            output.sentences(&output.words().say("learn-none-yet"))?;
        } else {
            output.text(&words::progress(&progress, output.width(), output.words()))?;
        }
        Ok(Exit::Done)
    }
}

/// Says that there is no exercise; as JSON, the lesson is empty.
fn nothing(context: &Context, words: &str) -> Result<(), Failure> {
    match context.output.json {
        true => Ok(()),
        false => context.output.sentences(words),
    }
}
