//! A match on a server played by a program here: events become lines, lines become requests. A program that ends is started again and
//! goes on within its clock, since every request tells it the whole position.

use std::time::{Duration, Instant};

use grundy_shared::Position;
use grundy_shared::event::{Event, Outcome, TimeControl};
use grundy_shared::ids::{PlayerId, Ply, Seat, Seq};
use tokio::task::{JoinHandle, spawn_blocking};

use super::escape::quoted;
use super::request::{Go, NewGame, Pace};
use super::stdio::{Answer, Launch, StdioBot, Trouble};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::{Ask, Link, News};
use crate::output::Output;

/// Time for a move in a match without clocks.
const UNTIMED: Duration = Duration::from_secs(60);
/// Starts of the program for one move.
const STARTS: u32 = 4;

/// A program that can play one match after another.
#[derive(Debug)]
pub(crate) struct Bridge {
    pub(super) launch: Launch,
    /// The running program; none while it thinks, and after it has ended.
    pub(super) bot: Option<StdioBot>,
    pub(super) games: u64,
}

/// What came of thinking: the program if it still runs, and its move.
pub(super) type Thought = (Option<StdioBot>, Result<Option<String>, Failure>);

impl Bridge {
    /// Starts the program.
    ///
    /// # Errors
    /// It does not start, or does not greet.
    pub(crate) fn start(launch: Launch) -> Result<Self, Failure> {
        let bot = start(&launch)?;
        Ok(Self {
            launch,
            bot: Some(bot),
            games: 0,
        })
    }

    /// The name that the program gives itself.
    pub(crate) fn name(&self) -> Option<&str> {
        let about = self.bot.as_ref()?.about();
        about.fields.get("name").map(String::as_str)
    }

    /// Plays the match of this link to its end, from the seat of this player.
    ///
    /// # Errors
    /// The match is lost to us: the connection is gone for good, or another program of ours has taken the seat.
    pub(crate) async fn play(
        &mut self,
        link: &mut Link,
        us: PlayerId,
        output: &Output,
    ) -> Result<Option<Outcome>, Failure> {
        self.games += 1;
        let mut table = Table::new(us);
        let mut thinking: Option<JoinHandle<Thought>> = None;
        loop {
            if thinking.is_none()
                && let Some(turn) = table.turn()
            {
                thinking = Some(self.think(turn, output));
            }
            tokio::select! {
                news = link.hear() => match news {
                    None => return Ok(None),
                    Some(News::Event(seq, event)) => {
                        if let Some(outcome) = table.apply(seq, event)? {
                            // A program that still thinks is not waited for: it is started anew.
                            if thinking.is_some() {
                                self.launch.groups.kill_all();
                            }
                            if let Some(thought) = thinking.take() {
                                self.bot = thought.await.ok().and_then(|(bot, _)| bot);
                            }
                            self.tell_result(&table, outcome);
                            return Ok(Some(outcome));
                        }
                    }
                    Some(News::Attached { seq }) => table.past = seq,
                    Some(News::Refused(failure)) => return Err(failure),
                    Some(News::Gone(failure)) => return Err(failure),
                    Some(News::Superseded) => {
                        return Err(Failure::new(
                            Exit::Refused,
                            "superseded",
                            "another program of yours has taken the match over",
                        ));
                    }
                    Some(News::Lost(failure)) => output.talk(&format!("connection lost: {}", failure.message())),
                    Some(News::Back { away, .. }) => {
                        output.talk(&format!("reconnected after {:.1} s, no event lost", away.as_secs_f64()));
                    }
                    Some(_) => {}
                },
                thought = finished(&mut thinking) => {
                    let (bot, chosen) = thought?;
                    self.bot = bot;
                    let ply = table.asked;
                    match chosen {
                        Ok(Some(text)) => link.ask(Ask::Move { ply, text }).await,
                        Ok(None) => link.ask(Ask::Resign).await,
                        Err(failure) => {
                            output.warn(&format!("{failure}; the match is resigned"));
                            link.ask(Ask::Resign).await;
                        }
                    }
                }
            }
        }
    }

    pub(super) fn tell_result(&mut self, table: &Table, outcome: Outcome) {
        if let (Some(bot), Some(seat)) = (&mut self.bot, table.seat) {
            let word = match outcome.winner() {
                Some(winner) if winner == seat => "win",
                Some(_) => "loss",
                None if outcome == Outcome::Draw => "draw",
                None => "void",
            };
            bot.result(self.games, word, "over");
        }
    }

    /// Lets the program think on a thread of its own.
    pub(super) fn think(&mut self, turn: Turn, output: &Output) -> JoinHandle<Thought> {
        let launch = self.launch.clone();
        let bot = self.bot.take();
        let (game, output) = (self.games, *output);
        spawn_blocking(move || think(bot, &launch, game, &turn, output))
    }

    /// Ends the program.
    pub(crate) fn quit(self) {
        if let Some(bot) = self.bot {
            bot.quit();
        }
    }
}

fn start(launch: &Launch) -> Result<StdioBot, Failure> {
    StdioBot::start(launch).map_err(|trouble| {
        let why = match trouble {
            Ok(trouble) => trouble.words().to_owned(),
            Err(error) => error.to_string(),
        };
        Failure::new(
            Exit::Failed,
            "bot",
            format!("the bot does not start: {why}"),
        )
        .hint("'grundy bot check COMMAND' shows what it says and what is wrong")
    })
}

/// What the program is asked.
pub(super) struct Turn {
    position: Position,
    seat: Seat,
    pace: Pace,
    left: [Duration; 2],
    last: Option<String>,
    start: String,
    since: Instant,
    is_first: bool,
}

/// Asks until there is an answer: a program that ends is started again while there is time.
fn think(
    mut bot: Option<StdioBot>,
    launch: &Launch,
    game: u64,
    turn: &Turn,
    output: Output,
) -> Thought {
    let deadline = turn.since + turn.left[0];
    let mut trouble = None;
    for attempt in 0..STARTS {
        let is_new = bot.is_none();
        let mut running = match bot.take().map_or_else(|| start(launch), Ok) {
            Ok(running) => running,
            Err(failure) => return (None, Err(failure)),
        };
        if is_new || turn.is_first {
            let new_game = NewGame {
                game,
                start: &turn.start,
                seat: turn.seat,
                opponent: "-",
                pace: turn.pace,
                seed: rand::random(),
            };
            if let Err(found) = running.new_game(&new_game) {
                trouble = Some(found);
                continue;
            }
        }
        let spent = turn.since.elapsed();
        let go = Go {
            id: running.next_id(),
            position: &turn.position,
            seat: turn.seat,
            last: turn.last.as_deref(),
            pace: turn.pace,
            left: [turn.left[0].saturating_sub(spent), turn.left[1]],
            latency: spent,
        };
        match running.ask(&go, deadline) {
            Ok(Answer::Resign) => return (Some(running), Ok(None)),
            Ok(Answer::Move(text)) => {
                return match turn.position.parse_move(turn.seat, &text) {
                    Ok(mv) => (Some(running), Ok(Some(mv.to_string()))),
                    Err(error) => {
                        let words = format!("'{}' is not legal: {error}", quoted(text.as_bytes()));
                        (Some(running), Err(Failure::new(Exit::Failed, "bot", words)))
                    }
                };
            }
            Err(found) => {
                output.talk(&format!(
                    "the bot failed ({}); started again",
                    found.words()
                ));
                trouble = Some(found);
            }
        }
        if attempt + 1 < STARTS && Instant::now() >= deadline {
            break;
        }
    }
    let why = trouble
        .as_ref()
        .map_or("it does not answer", Trouble::words);
    (
        None,
        Err(Failure::new(
            Exit::Failed,
            "bot",
            format!("the bot failed: {why}"),
        )),
    )
}

/// What came of it, once it has; never while nobody thinks.
async fn finished(thinking: &mut Option<JoinHandle<Thought>>) -> Result<Thought, Failure> {
    match thinking {
        Some(thought) => {
            let result = thought.await;
            *thinking = None;
            result.map_err(|_| Failure::new(Exit::Failed, "bot", "the thread of the bot ended"))
        }
        None => std::future::pending().await,
    }
}

/// The match as its events tell it.
pub(super) struct Table {
    us: PlayerId,
    pub(super) seat: Option<Seat>,
    start: String,
    position: Option<Position>,
    begun: bool,
    pub(super) ply: Ply,
    to_move: Seat,
    clock: Option<(Duration, Duration)>,
    left: [Duration; 2],
    last: Option<String>,
    since: Instant,
    /// Events up to this one are the past: no move is asked for in it.
    past: Seq,
    pub(super) now: Seq,
    /// The move that was asked for last.
    pub(super) asked: Ply,
}

impl Table {
    pub(super) fn new(us: PlayerId) -> Self {
        Self {
            us,
            seat: None,
            start: String::new(),
            position: None,
            begun: false,
            ply: Ply(0),
            to_move: Seat::First,
            clock: None,
            left: [UNTIMED; 2],
            last: None,
            since: Instant::now(),
            past: Seq(0),
            now: Seq(0),
            asked: Ply(0),
        }
    }

    /// Takes an event; the outcome if that is the end.
    pub(super) fn apply(&mut self, seq: Seq, event: Event) -> Result<Option<Outcome>, Failure> {
        self.now = seq;
        let damaged = |what: &str| {
            Failure::new(
                Exit::Protocol,
                "not_understood",
                format!("the server sent {what}"),
            )
        };
        match event {
            Event::Created {
                position,
                clock,
                creator,
                seat,
                ..
            } => {
                let parsed = Position::parse(&position)
                    .map_err(|_| damaged("a position that this program cannot read"))?;
                self.position = Some(parsed);
                self.start = position;
                if let TimeControl::Fischer {
                    base_ms,
                    increment_ms,
                } = clock
                {
                    let base = Duration::from_millis(base_ms.0);
                    self.clock = Some((base, Duration::from_millis(increment_ms.0)));
                    self.left = [base; 2];
                }
                if creator.id == self.us {
                    self.seat = Some(seat);
                }
            }
            Event::Joined { seat, player, .. } => {
                if player.id == self.us {
                    self.seat = Some(seat);
                }
                self.begun = true;
                self.since = Instant::now();
            }
            Event::Moved {
                seat,
                ply,
                move_text,
                clocks,
                ..
            } => {
                let Some(position) = &self.position else {
                    return Err(damaged("a move before the match"));
                };
                let mv = position
                    .parse_move(seat, &move_text)
                    .map_err(|_| damaged("a move that is not legal"))?;
                self.position = Some(position.play(&mv));
                self.last = Some(move_text);
                self.ply = ply;
                self.to_move = seat.other();
                self.since = Instant::now();
                if let Some(clocks) = clocks {
                    let left = Seat::BOTH.map(|seat| Duration::from_millis(clocks.of(seat).0));
                    self.left = left;
                }
            }
            Event::Ended { outcome, .. } => return Ok(Some(outcome)),
            _ => {}
        }
        Ok(None)
    }

    /// What to ask the program, if it is its turn and it was not asked yet.
    pub(super) fn turn(&mut self) -> Option<Turn> {
        let seat = self.seat?;
        let due = self.ply.next();
        let is_ours = self.begun && self.to_move == seat && self.now >= self.past;
        let position = self.position.clone()?;
        if !is_ours || self.asked == due || position.is_over(seat) {
            return None;
        }
        self.asked = due;
        let pace = match self.clock {
            Some((base, increment)) => Pace::Stock { base, increment },
            None => Pace::PerMove(UNTIMED),
        };
        Some(Turn {
            position,
            seat,
            pace,
            left: match self.clock {
                Some(_) => [self.left[seat.index()], self.left[seat.other().index()]],
                None => [UNTIMED; 2],
            },
            last: self.last.clone(),
            start: self.start.clone(),
            since: self.since,
            is_first: due.0 <= 2,
        })
    }
}
