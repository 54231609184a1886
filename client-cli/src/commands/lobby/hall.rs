//! The lobby on the full screen: open seats and live matches as they come and go.

use std::future::Future;
use std::pin::{Pin, pin};
use std::time::Duration;

use grundy_shared::bot::Bot;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, Millis, SeekId};
use grundy_shared::protocol::client::{List, ListStatus, Ping, Seeks};
use grundy_shared::protocol::lobby::SeekInfo;
use grundy_shared::protocol::server::{MatchSummary, Reply};
use grundy_words::Message;
use tokio::sync::{Notify, watch};
use tokio::time::timeout;

use crate::account::{SignedIn, sign_in};
use crate::commands::join::invitation;
use crate::commands::play::USUAL_START;
use crate::connection::unexpected;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::reading::{clock, position};
use crate::render::lobby;
use crate::screen::{Desk, Heard, Purpose};

/// How often the server is asked what has changed.
const LOOK: Duration = Duration::from_secs(5);
/// Between two attempts to reach a server that has gone.
const AGAIN: Duration = Duration::from_secs(1);
/// Live matches that are shown.
const LIVE: u32 = 50;

/// What the user wants.
pub(super) enum Wish {
    /// To take this seat.
    Seat(SeekId),
    /// To run another command.
    Command(Vec<String>),
    Leave,
    Interrupt,
}

/// What there was when the server was asked last.
#[derive(Clone, Debug)]
struct Seen {
    seeks: Vec<SeekInfo>,
    matches: Vec<MatchSummary>,
    us: PlayerInfo,
    now: Millis,
}

/// What is known of the lobby.
#[derive(Clone, Debug, Default)]
struct News {
    seen: Option<Seen>,
    /// Why the server cannot be reached, if it cannot.
    lost: Option<String>,
}

/// The lobby on the full screen.
pub(super) struct Hall<'c> {
    context: &'c Context,
    desk: Desk,
    game: Option<String>,
    limit: u32,
    /// The open seats as they were shown last.
    seeks: Vec<SeekId>,
    /// Nothing was shown yet.
    is_new: bool,
}

impl<'c> Hall<'c> {
    /// Turns the full screen on.
    pub(super) fn enter(
        context: &'c Context,
        game: Option<String>,
        limit: u32,
    ) -> Result<Self, Failure> {
        let signs = context
            .output
            .signs
            .ok_or_else(|| Failure::told(Exit::Failed, "no_screen", Message::new("no-screen")))?;
        let mut desk = Desk::open(&context.output, signs, Purpose::Lobby)?;
        let words = context.output.words();
        let title = Message::new("lobby-title").text("server", context.config.server());
        desk.title(title.said(words));
        desk.about(&words.say("lobby-about"));
        desk.note(words.say("screen-connecting"), false);
        Ok(Self {
            context,
            desk,
            game,
            limit,
            seeks: Vec::new(),
            is_new: true,
        })
    }

    /// Says why something is not possible.
    pub(super) fn refuse(&mut self, failure: &Failure) {
        let words = self.context.output.words();
        self.desk.refuse(&failure.remark_in(words));
    }

    /// Shows the lobby until the user wants something.
    pub(super) async fn wish(&mut self) -> Result<Wish, Failure> {
        let (sender, mut news) = watch::channel(News::default());
        let again = Notify::new();
        let asked = Asked {
            game: self.game.clone(),
            limit: self.limit,
        };
        let mut looking: Pin<&mut (dyn Future<Output = Result<(), Failure>> + Send)> =
            pin!(asked.look_on(self.context, &sender, &again));
        loop {
            let heard = tokio::select! {
                heard = self.desk.next() => heard?,
                _ = news.changed() => {
                    let news = news.borrow_and_update().clone();
                    self.show(&news);
                    continue;
                }
                ended = &mut looking => {
                    ended?;
                    continue;
                }
            };
            let line = match heard {
                Heard::Interrupted | Heard::Ended => return Ok(Wish::Interrupt),
                Heard::Line(line) => line,
            };
            match read(&line, &self.seeks) {
                Ok(Said::Wish(wish)) => return Ok(wish),
                Ok(Said::Look) => again.notify_one(),
                Err(failure) => {
                    let words = self.context.output.words();
                    self.desk.refuse(&failure.shown_in(words));
                }
            }
        }
    }

    fn show(&mut self, news: &News) {
        let words = self.context.output.words();
        if let Some(seen) = &news.seen {
            self.seeks = seen.seeks.iter().map(|seek| seek.seek).collect();
            // If no seat is open, there may be a match to watch.
            let begins = std::mem::take(&mut self.is_new)
                && seen.seeks.is_empty()
                && !seen.matches.is_empty();
            self.desk.sheets(vec![
                lobby::seats(&seen.seeks, &seen.us, seen.now, words),
                lobby::live(&seen.matches, words),
            ]);
            if begins {
                self.desk.show_sheet(1);
            }
        }
        match &news.lost {
            Some(why) => {
                let lost = Message::new("lobby-lost").text("why", why);
                self.desk.note(lost.said(words), true);
            }
            None => self.desk.note(String::new(), false),
        }
    }
}

/// What the server is asked for.
struct Asked {
    game: Option<String>,
    limit: u32,
}

impl Asked {
    /// Looks again and again, and comes back to a server that was gone.
    ///
    /// # Errors
    /// The server does not take us.
    async fn look_on(
        &self,
        context: &Context,
        news: &watch::Sender<News>,
        again: &Notify,
    ) -> Result<(), Failure> {
        let words = context.output.words();
        loop {
            let lost = match self.look_while_connected(context, news, again).await {
                // One that was never there is no server that has gone.
                Err(failure) if failure.may_pass() && news.borrow().seen.is_some() => failure,
                other => return other,
            };
            news.send_modify(|news| news.lost = Some(lost.message_in(words)));
            // Looking at once is not quicker than the next attempt.
            let _ = timeout(AGAIN, again.notified()).await;
        }
    }

    async fn look_while_connected(
        &self,
        context: &Context,
        news: &watch::Sender<News>,
        again: &Notify,
    ) -> Result<(), Failure> {
        let mut signed_in = sign_in(context, 0).await?;
        loop {
            let seen = self.seen(&mut signed_in).await?;
            news.send_replace(News {
                seen: Some(seen),
                lost: None,
            });
            let pause = timeout(LOOK, again.notified());
            tokio::pin!(pause);
            // The server is listened to meanwhile, so that it does not take us for gone.
            loop {
                tokio::select! {
                    _ = &mut pause => break,
                    heard = signed_in.connection.receive() => { heard?; }
                }
            }
        }
    }

    /// What there is now.
    async fn seen(&self, signed_in: &mut SignedIn) -> Result<Seen, Failure> {
        let connection = &mut signed_in.connection;
        let ask = Seeks {
            game: self.game.clone(),
            after: None,
            limit: Some(self.limit),
        };
        let mut seeks = match connection.ask(ask).await? {
            Reply::Seeks { seeks, .. } => seeks,
            other => return Err(unexpected(&other)),
        };
        seeks.sort_by_key(|seek| seek.opened_at_ms);
        let list = List {
            status: Some(ListStatus::Live),
            limit: Some(LIVE),
            ..List::default()
        };
        let matches = match connection.ask(list).await? {
            Reply::Matches { matches, .. } => matches,
            other => return Err(unexpected(&other)),
        };
        let now = match connection.ask(Ping {}).await? {
            Reply::Pong { now_ms } => now_ms,
            other => return Err(unexpected(&other)),
        };
        Ok(Seen {
            seeks,
            matches,
            us: signed_in.welcome.player.clone(),
            now,
        })
    }
}

/// What was entered.
enum Said {
    Wish(Wish),
    /// The server is to be asked now.
    Look,
}

/// Reads a line, while these seats are shown.
fn read(line: &str, seats: &[SeekId]) -> Result<Said, Failure> {
    let command = |words: &[&str]| {
        let words = words.iter().map(|word| (*word).to_owned());
        Ok(Said::Wish(Wish::Command(words.collect())))
    };
    let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    let rest = rest.trim();
    match (&*word.to_ascii_lowercase(), rest) {
        ("", _) | ("r" | "refresh", "") => Ok(Said::Look),
        ("q" | "quit" | "exit", "") => Ok(Said::Wish(Wish::Leave)),
        ("anyone", "") => command(&["play", "--anyone"]),
        ("anyone", start) => {
            position(start)?;
            command(&["play", start, "--anyone"])
        }
        ("play", "") => command(&["play", USUAL_START]),
        ("play", asked) => {
            let (start, bot) = match asked.rsplit_once(' ') {
                Some((start, name)) if is_bot(name) => (start.trim(), Some(name)),
                _ => (asked, None),
            };
            position(start)?;
            match bot {
                Some(bot) => command(&["play", start, "--bot", bot]),
                None => command(&["play", start]),
            }
        }
        ("open", "") => command(&["play", USUAL_START, "--open"]),
        ("open", asked) => {
            let (start, time) = match asked.rsplit_once(' ') {
                Some((start, time)) if clock(time).is_ok() => (start.trim(), Some(time)),
                _ => (asked, None),
            };
            position(start)?;
            match time {
                Some(time) => command(&["play", start, "--open", "--clock", time]),
                None => command(&["play", start, "--open"]),
            }
        }
        ("watch", id) => match id.parse::<MatchId>() {
            Ok(id) => command(&["watch", &id.to_string()]),
            Err(_) => Err(not_understood(line)),
        },
        ("join", asked) => {
            invitation(asked)?;
            command(&["join", asked])
        }
        ("seat", id) => seat(id, seats).ok_or_else(|| not_understood(line)),
        (number, "") => seat(number, seats).ok_or_else(|| not_understood(line)),
        _ => Err(not_understood(line)),
    }
}

/// The seat of this id, or of this number in the table.
fn seat(text: &str, seats: &[SeekId]) -> Option<Said> {
    let by_number = || {
        let number: usize = text.parse().ok()?;
        seats.get(number.checked_sub(1)?).copied()
    };
    let seek = text.parse().ok().or_else(by_number)?;
    Some(Said::Wish(Wish::Seat(seek)))
}

/// Whether this is the name of a bot of the server.
fn is_bot(name: &str) -> bool {
    name.parse::<Bot>().is_ok()
}

fn not_understood(line: &str) -> Failure {
    let shown = crate::render::clean(&crate::render::short(line.trim()));
    let message = Message::new("lobby-not-understood").text("line", shown);
    Failure::told(Exit::Input, "not_understood", message).help(Message::new("lobby-words"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> String {
        let seats = [1, 2].map(SeekId::from_random);
        match read(line, &seats) {
            Ok(Said::Look) => "look".to_owned(),
            Ok(Said::Wish(Wish::Leave)) => "leave".to_owned(),
            Ok(Said::Wish(Wish::Interrupt)) => "interrupt".to_owned(),
            Ok(Said::Wish(Wish::Seat(seat))) if seat == seats[1] => "the second seat".to_owned(),
            Ok(Said::Wish(Wish::Seat(_))) => "another seat".to_owned(),
            Ok(Said::Wish(Wish::Command(words))) => words.join(" | "),
            Err(failure) => format!("refused: {}", failure.exit() == Exit::Input),
        }
    }

    #[test]
    fn lines_are_read_as_they_are_typed() {
        let second = SeekId::from_random(2);
        for (line, meant) in [
            ("", "look"),
            (" refresh ", "look"),
            ("Quit", "leave"),
            ("2", "the second seat"),
            (&*format!("seat {second}"), "the second seat"),
            ("3", "refused: true"),
            ("0", "refused: true"),
            ("play", "play | nim:3,5,7"),
            ("play kayles:12", "play | kayles:12"),
            (
                "play kayles:12 perfect",
                "play | kayles:12 | --bot | perfect",
            ),
            ("play kayls:12", "refused: true"),
            (
                "open nim:1,2 3+2",
                "play | nim:1,2 | --open | --clock | 3+2",
            ),
            ("open nim:1,2", "play | nim:1,2 | --open"),
            ("anyone", "play | --anyone"),
            (
                "join https://a.example/j/KWQHRMTB",
                "join | https://a.example/j/KWQHRMTB",
            ),
            ("join it", "refused: true"),
            ("watch 7Kq2mVx9Rt", "watch | 7Kq2mVx9Rt"),
            ("watch it", "refused: true"),
            ("dance", "refused: true"),
        ] {
            assert_eq!(said(line), meant, "{line}");
        }
    }
}
