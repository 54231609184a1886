//! Whether a bot plays on a server: named checks, each a match in which this program is the opponent. The bot is a command that takes the
//! seat of a join code; how it speaks with the server is its own matter.

mod checks;

use std::time::{Duration, Instant};

use grundy_shared::Position;
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Ply, Seat, Seq};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::protocol::client::{Abort, Create, Move, Opponent, Resign, Resume, Side};
use grundy_shared::protocol::server::Reply;
use grundy_words::Message;

use self::checks::{CHECKS, Check, ENDS, Opposition, Story};
use super::checked::Checked;
use super::conversation::with_last_words;
use super::groups::Groups;
use super::limits::Limits;
use super::process::{Heard, Process};
use super::relay::Relay;
use crate::account::hello;
use crate::address::Address;
use crate::connection::{Connection, Incoming, unexpected};
use crate::failure::Failure;
use crate::system;

/// What stands in the command for the join code and for the server.
const CODE: &str = "{code}";
const URL: &str = "{url}";
/// How long a bot may take to join.
const JOINS: Duration = Duration::from_secs(15);
/// How long the server may take for an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long it may take for a move in a match without clocks.
const MOVES: Duration = Duration::from_secs(10);

/// Makes all checks, each with a new process of the command. Without a bot that joins the rest is left out.
///
/// # Errors
/// The server is not there, or refuses us.
pub(crate) async fn check_online(
    server: &Address,
    command: &[String],
    limits: Limits,
    mut told: impl FnMut(&Checked),
) -> Result<Vec<Checked>, Failure> {
    let mut all = Vec::new();
    let mut token = None;
    for check in CHECKS {
        let mut trial = Trial::begin(server, check, token.take()).await?;
        token.clone_from(&trial.token);
        let story = trial.run(check, command, limits).await;
        let found = story.and_then(|story| (check.judge)(&story));
        let checked = Checked::of((check.name, check.about), found, || trial.lines);
        told(&checked);
        let ends = !checked.passed && check.name == "joins";
        all.push(checked);
        if ends {
            break;
        }
    }
    Ok(all)
}

/// A match that is played for a check.
struct Trial<'s> {
    server: &'s Address,
    connection: Connection,
    token: Option<String>,
    match_id: MatchId,
    code: String,
    /// Between the bot and the server, where the line will be cut.
    relay: Option<Relay>,
    position: Position,
    /// The seat of this program.
    seat: Seat,
    /// The newest event that was heard.
    seq: Seq,
    ply: Ply,
    to_move: Seat,
    /// What happened, for a failed check.
    lines: Vec<String>,
}

impl<'s> Trial<'s> {
    async fn begin(
        server: &'s Address,
        check: &Check,
        token: Option<String>,
    ) -> Result<Self, Failure> {
        let asked = hello(token.as_deref(), None);
        let (mut connection, welcome) = Connection::open(server, asked, PATIENCE).await?;
        let seat = check.seat.other();
        let request = Create {
            position: check.position.to_owned(),
            clock: check.clock,
            games: 1,
            rated: false,
            client_create_id: None,
            side: match seat {
                Seat::First => Side::First,
                Seat::Second => Side::Second,
            },
            opponent: Opponent::Invite {},
        };
        let (match_id, code) = match connection.ask(request).await? {
            Reply::Created {
                match_id,
                code: Some(code),
                ..
            } => (match_id, code.to_string()),
            other => return Err(unexpected(&other)),
        };
        Ok(Self {
            server,
            connection,
            token: token.or(welcome.token.map(|token| token.reveal().to_owned())),
            match_id,
            code,
            relay: match check.opposition {
                Opposition::CutsTheLine => Some(Relay::to(server).await?),
                _ => None,
            },
            position: Position::parse(check.position)
                .expect("the positions of the checks are lawful"),
            seat,
            seq: Seq(0),
            ply: Ply(0),
            to_move: Seat::First,
            lines: Vec::new(),
        })
    }

    async fn run(
        &mut self,
        check: &Check,
        command: &[String],
        limits: Limits,
    ) -> Result<Story, Message> {
        let url = match &self.relay {
            Some(relay) => relay.url().to_owned(),
            None => self.server.to_string(),
        };
        let words: Vec<String> = command
            .iter()
            .map(|word| word.replace(CODE, &self.code).replace(URL, &url))
            .collect();
        self.lines.push(format!("$ {}", words.join(" ")));
        let wrapped = limits.wrap(&words).map_err(|error| system::said(&error))?;
        let groups = Groups::default();
        let mut bot = Process::start(wrapped, None, &credentials(), None, &groups)
            .map_err(|error| system::said(&error))?;
        let played = self.play(check, &mut bot).await;
        if played.is_err() {
            // A match that goes on would keep the bot busy for ever.
            let match_id = self.match_id.to_string();
            let resign = Resign {
                match_id: match_id.clone(),
            };
            if self.connection.ask(resign).await.is_err() {
                // Nobody has taken the seat.
                let _ = self.connection.ask(Abort { match_id }).await;
            }
        }
        let ended = Instant::now();
        let mut story = played.map_err(|why| with_last_words(why, bot.last_words()))?;
        // The end of its process is waited for where no other match needs this thread.
        story.ended = match bot.ends_by_itself(ENDS) {
            true => Some((bot.kill(), ended.elapsed())),
            false => None,
        };
        Ok(story)
    }

    /// Plays against the bot until the match is over.
    async fn play(&mut self, check: &Check, bot: &mut Process) -> Result<Story, Message> {
        let begun = Instant::now();
        let mut story = Story {
            bot: None,
            joined: Duration::ZERO,
            moves: Vec::new(),
            reason: None,
            won: false,
            ended: None,
        };
        let mut asked = Instant::now();
        let mut acted = false;
        loop {
            let patience = match story.bot {
                None => JOINS.saturating_sub(begun.elapsed()),
                Some(_) => (MOVES + JOINS).saturating_sub(asked.elapsed()),
            };
            let heard = tokio::time::timeout(patience, self.hear(bot)).await;
            let Ok(event) = heard else {
                return Err(match story.bot {
                    None => Message::new("check-seat-late")
                        .text("code", &self.code)
                        .text("seconds", JOINS.as_secs()),
                    Some(_) => {
                        let seconds = (MOVES + JOINS).as_secs();
                        Message::new("check-move-late").text("seconds", seconds)
                    }
                });
            };
            match event? {
                Event::Joined { player, .. } => {
                    story.joined = begun.elapsed();
                    self.lines
                        .push(format!("joined: {}", crate::render::clean(&player.name)));
                    story.bot = Some(player);
                    asked = Instant::now();
                }
                Event::Moved {
                    seat,
                    ply,
                    move_text,
                    ..
                } => {
                    self.moved(seat, ply, &move_text)?;
                    if seat != self.seat {
                        story.moves.push(asked.elapsed());
                    }
                    asked = Instant::now();
                }
                Event::Ended {
                    outcome, reason, ..
                } => {
                    self.lines.push(format!("ended: {}", reason.as_str()));
                    story.reason = Some(reason);
                    story.won = outcome.winner() == Some(check.seat);
                    return Ok(story);
                }
                _ => continue,
            }
            let is_ours = story.bot.is_some() && self.to_move == self.seat;
            if !acted && story.moves.len() == 1 {
                acted = true;
                if self.act(check.opposition).await? {
                    continue;
                }
            }
            if is_ours {
                self.answer().await?;
            }
        }
    }

    /// The next event; what the bot prints meanwhile is read and forgotten, so that its pipe does not fill.
    async fn hear(&mut self, bot: &mut Process) -> Result<Event, Message> {
        loop {
            while let Heard::Line(_) = bot.read_line(Instant::now()) {}
            let pause = Duration::from_millis(100);
            match tokio::time::timeout(pause, self.connection.receive()).await {
                Err(_) => {}
                Ok(Ok(Incoming::Event(match_id, seq, event))) if match_id == self.match_id => {
                    self.seq = seq;
                    return Ok(event);
                }
                Ok(Ok(_)) => {}
                Ok(Err(failure)) => return Err(said(&failure)),
            }
        }
    }

    fn moved(&mut self, seat: Seat, ply: Ply, text: &str) -> Result<(), Message> {
        let who = if seat == self.seat { ">" } else { "<" };
        self.lines
            .push(format!("{who} {ply} {}", crate::render::clean(text)));
        let mv = self
            .position
            .parse_move(seat, text)
            .map_err(|error| Message::new("check-server-move").text("said", error))?;
        self.position = self.position.play(&mv);
        self.ply = ply;
        self.to_move = seat.other();
        Ok(())
    }

    /// Does what the check wants after the first move of the bot; true if nothing is to be played then.
    async fn act(&mut self, opposition: Opposition) -> Result<bool, Message> {
        let match_id = self.match_id.to_string();
        let done = |result: Result<Reply, Failure>| result.map_err(|failure| said(&failure));
        match opposition {
            Opposition::Plays => return Ok(false),
            Opposition::Resigns => {
                self.lines.push("the opponent resigns".to_owned());
                done(self.connection.ask(Resign { match_id }).await)?;
            }
            Opposition::Proposes => {
                self.lines
                    .push("the opponent proposes to call the match off".to_owned());
                done(self.connection.ask(Abort { match_id }).await)?;
                return Ok(false);
            }
            Opposition::CutsTheLine => {
                self.lines
                    .push("the connection of the bot is cut".to_owned());
                if let Some(relay) = &self.relay {
                    relay.cut();
                }
                return Ok(false);
            }
            Opposition::GoesAway => {
                self.lines
                    .push("the opponent hangs up and comes back".to_owned());
                let asked = hello(self.token.as_deref(), None);
                let opened = Connection::open(self.server, asked, PATIENCE).await;
                let (connection, _) = opened.map_err(|failure| said(&failure))?;
                self.connection = connection;
                let resume = Resume {
                    match_id,
                    since_seq: self.seq,
                };
                done(self.connection.ask(resume).await)?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The move of this program: the last one in the list, so that large heaps are soon gone.
    async fn answer(&mut self) -> Result<(), Message> {
        let count = self.position.move_count(self.seat);
        let Some(mv) = self.position.nth_move(self.seat, count.saturating_sub(1)) else {
            return Ok(());
        };
        let request = Move {
            match_id: self.match_id.to_string(),
            ply: self.ply.next(),
            move_text: mv.to_string(),
            client_move_id: None,
            hints: 0,
        };
        match self.connection.ask(request).await {
            Ok(_) => Ok(()),
            // The bot has agreed to call it off.
            Err(failure) if failure.has_code(ErrorCode::MatchOver) => Ok(()),
            Err(failure) => Err(said(&failure)),
        }
    }
}

/// A failure as what was wrong.
fn said(failure: &Failure) -> Message {
    Message::new("check-failure")
        .text("code", failure.code())
        .text("said", failure)
}

/// Where a bot keeps its identity, if that is not below its home directory.
fn credentials() -> Vec<(String, String)> {
    const PLACE: &str = "XDG_CONFIG_HOME";
    let place = std::env::var(PLACE).ok();
    place
        .map(|place| (PLACE.to_owned(), place))
        .into_iter()
        .collect()
}

/// Whether this command can take the seat of a match: it says where the join code goes.
pub(crate) fn names_the_code(command: &[String]) -> bool {
    command.iter().any(|word| word.contains(CODE))
}
