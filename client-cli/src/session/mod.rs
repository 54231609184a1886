//! Playing or watching a match: shows what happens and sends what is typed, until the match ends or the user leaves.

mod chatting;
pub(crate) mod claim_mark;
mod dialogue;
mod end;
pub(crate) mod frontend;
mod hinted;
mod hints;
mod input;
mod json;
pub(crate) mod lines;
pub(crate) mod match_view;
mod meanwhile;
mod moves;
mod plain;
mod proposals;
mod replies;
pub(crate) mod typed;
pub(crate) mod verdict;

use std::collections::VecDeque;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use grundy_shared::Position;
use grundy_shared::event::Event;
use grundy_shared::ids::{Millis, Seq};
use grundy_shared::protocol::rating::RatedChange;
use grundy_shared::referee::Status;
use grundy_words::Message;
use serde_json::Value;
use tokio::time::{Instant, interval};

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::{Ask, Link, News};
use crate::render::sentences;
use crate::screen::{FullScreen, Stroke};
pub(crate) use crate::session::frontend::Opening;
use crate::session::frontend::{Before, Frontend, Pressed, Question, TerminalEvent, interrupts};
use crate::session::hinted::Hinted;
use crate::session::input::{Entered, Input};
use crate::session::lines::Lines;
use crate::session::match_view::MatchView;
use crate::session::typed::Typed;

/// Keys that may wait for the match to begin; further ones are lost.
const EARLY_MAX: usize = 1_024;

/// What follows from what was heard or typed.
enum Flow {
    On,
    End(Exit),
    /// The user wants to leave at once.
    Leave,
}

/// Whether a watcher can type lines: in a terminal with input and output, or as a program that speaks JSON through pipes.
fn may_type(context: &Context) -> bool {
    let terminal = std::io::stdin().is_terminal();
    match context.output.json {
        true => !terminal,
        false => context.output.asks && std::io::stdout().is_terminal(),
    }
}

/// A match that we play or watch, with its frontend.
pub(crate) struct Session<'c> {
    context: &'c Context,
    link: Link,
    view: MatchView,
    frontend: Box<dyn Frontend + 'c>,
    input: Input,
    opening: Opening,
    /// Only looks on.
    watching: bool,
    /// Looks on at the rematch, too.
    stays: bool,
    /// When a match that we watch is over, another one is watched at once.
    leads_on: bool,
    /// Events up to this one happened before we came: they are not shown one by one.
    past: Option<Seq>,
    question: Option<Question>,
    /// Keys that were pressed before the full screen opened or before the match began, and those after them until these are taken.
    early: VecDeque<TerminalEvent>,
    /// The hints that were given for the move that is to be made.
    hinted: Option<Hinted>,
    /// The ratings after the rated pair, which are shown once its last match is over.
    rated: Option<Box<[RatedChange; 2]>>,
    /// A move, or the wish for a hint, that a program typed before its turn.
    held: Option<Typed>,
    /// A move to be made as soon as it is our turn, if it is legal then.
    premove: Option<String>,
    /// Stdin has ended.
    ended: bool,
    /// There is no connection at present.
    away: bool,
    /// We have asked for a rematch.
    wants_rematch: bool,
    begun: Instant,
    /// Writes the record here at the end.
    record: Option<PathBuf>,
    /// The match so far is in the library on this computer.
    kept: bool,
}

impl<'c> Session<'c> {
    /// A session for the match of this link.
    pub(crate) fn new(
        context: &'c Context,
        link: Link,
        mut view: MatchView,
        opening: Opening,
    ) -> Self {
        view.tell_in(context.output.language);
        let watching = view.is_watched();
        let full = context
            .output
            .signs
            .map(|signs| FullScreen::new(context.output, signs));
        let is_full = full.is_some();
        let frontend: Box<dyn Frontend + 'c> = if context.output.json {
            Box::new(json::JsonFrontend::new(context.output))
        } else if let Some(full) = full {
            Box::new(full)
        } else {
            Box::new(plain::PlainFrontend::new(context.output))
        };
        Self {
            context,
            link,
            view,
            frontend,
            input: if is_full {
                Input::of_keys()
            } else if watching && !may_type(context) {
                // A watcher types only to chat. In the background of a terminal, reading from it would stop the process.
                Input::Lines(Lines::none())
            } else {
                Input::Lines(Lines::of_stdin())
            },
            opening,
            watching,
            stays: false,
            leads_on: false,
            past: None,
            question: None,
            early: VecDeque::new(),
            hinted: None,
            rated: None,
            held: None,
            premove: None,
            ended: false,
            away: false,
            wants_rematch: false,
            begun: Instant::now(),
            record: None,
            kept: false,
        }
    }

    /// Writes the record of the match to a file once it is over.
    pub(crate) fn recording(mut self, path: Option<PathBuf>) -> Self {
        self.record = path;
        self
    }

    /// So many hints were given in this position before the match was left.
    pub(crate) fn hinted(mut self, position: &Position, given: u32) -> Self {
        self.hinted = (given > 0).then(|| Hinted {
            position: position.clone(),
            given,
            attempt: None,
        });
        self
    }

    /// When a match that we watch is over, stays for the rematch.
    pub(crate) fn staying(mut self, stays: bool) -> Self {
        self.stays = stays;
        self
    }

    /// When a match that we watch is over, ends at once: another one follows.
    pub(crate) fn leading_on(mut self) -> Self {
        self.leads_on = true;
        self
    }

    /// Knows the server's time from here on.
    pub(crate) fn at_server_time(mut self, now: Millis) -> Self {
        self.view.set_time(now);
        self
    }

    /// Runs until the match is over or the user leaves.
    pub(crate) async fn run(self) -> Result<Exit, Failure> {
        let (exit, _) = self.follow().await?;
        Ok(exit)
    }

    /// The same, and whether the match was over then.
    pub(crate) async fn follow(mut self) -> Result<(Exit, bool), Failure> {
        self.input.hear_signals()?;
        self.frontend.seated(&self.view, &self.opening)?;
        self.early.extend(self.frontend.typed_before());
        let mut second = interval(Duration::from_secs(1));
        let mut interrupted = std::pin::pin!(tokio::signal::ctrl_c());
        let result = loop {
            let wants_line = self.wants_line();
            let early = match self.hears_keys() {
                true => self.early.pop_front(),
                false => None,
            };
            let flow = match early {
                Some(event) => self.pressed(&event).await,
                None => tokio::select! {
                    biased;
                    _ = &mut interrupted => break self.interrupted().await,
                    news = self.link.hear() => self.hear(news).await,
                    entered = self.input.next(), if wants_line => self.entered(entered).await,
                    _ = second.tick() => self.second(),
                },
            };
            let flow = match flow {
                Ok(Flow::On) => self.go_on().await,
                other => other,
            };
            match flow {
                Ok(Flow::On) if self.past.is_some() => {}
                Ok(Flow::On) => self.frontend.prompt(&self.view, self.question)?,
                Ok(Flow::End(exit)) => break Ok(exit),
                Ok(Flow::Leave) => break self.interrupted().await,
                Err(failure) => break Err(failure),
            }
        };
        self.frontend.leave();
        self.link.leave().await;
        Ok((result?, self.view.is_over()))
    }

    /// A line, or what came from the terminal.
    async fn entered(&mut self, entered: Result<Entered, Failure>) -> Result<Flow, Failure> {
        let event = match entered? {
            Entered::Line(line) => return self.line(line).await,
            Entered::Stroke(Stroke::End) => return Ok(Flow::Leave),
            Entered::Stroke(Stroke::Continued) => {
                self.frontend.continued()?;
                return Ok(Flow::On);
            }
            Entered::Stroke(Stroke::Event(event)) => event,
        };
        let waits = !self.early.is_empty() || !self.hears_keys();
        if waits && !interrupts(&event) {
            if self.early.len() < EARLY_MAX {
                self.early.push_back(event);
            }
            return Ok(Flow::On);
        }
        self.pressed(&event).await
    }

    /// Whether keys can be taken now: they are meant for the match as it is when it has begun, unless it waits for another player.
    fn hears_keys(&self) -> bool {
        let awaits = match self.opening {
            Opening::Created { ref invitation } => invitation.is_some(),
            Opening::Joined => false,
            Opening::Attached => true,
        };
        self.away || (!self.is_catching_up() && (awaits || self.view.status() != Status::Waiting))
    }

    /// A key, a click, pasted text, or a new size of the terminal.
    async fn pressed(&mut self, event: &TerminalEvent) -> Result<Flow, Failure> {
        match self.frontend.event_of_terminal(&self.view, event)? {
            Pressed::Nothing => Ok(Flow::On),
            Pressed::Line(line) => self.line(Some(line)).await,
            Pressed::Interrupt => Ok(Flow::Leave),
        }
    }

    /// A second has passed.
    fn second(&mut self) -> Result<Flow, Failure> {
        if self.past.is_none()
            && !self.away
            && let Some(wait) = self.view.claim_in()
        {
            self.frontend.absent(&self.view, wait)?;
        }
        if self.is_waiting() {
            self.frontend.waiting(self.begun.elapsed());
        } else if self.past.is_none() && self.question.is_none() && self.view.is_our_turn() {
            self.frontend.tick(&self.view)?;
        }
        Ok(Flow::On)
    }

    fn is_waiting(&self) -> bool {
        !self.watching && self.view.referee().is_some() && self.view.status() == Status::Waiting
    }

    /// Not all events of the match so far have been heard.
    fn is_catching_up(&self) -> bool {
        self.past.is_some() || self.view.referee().is_none()
    }

    /// Asks for something that is answered by an event or a refusal; until then nothing else is asked.
    async fn ask(&mut self, ask: Ask, what: Message) {
        self.view.pending = Some(what.said(self.view.words()));
        self.say_that_it_waits();
        self.link.ask(ask).await;
    }

    /// While there is no connection, what is asked waits for it.
    fn say_that_it_waits(&mut self) {
        if self.away {
            self.talk("typed-waits");
        }
    }

    /// Says a message besides.
    fn talk(&mut self, message: &'static str) {
        self.frontend.talk(&self.view.words().say(message));
    }

    /// Says that what was typed cannot be, for the reason that this message gives.
    fn cannot(&mut self, message: &'static str) -> Result<(), Failure> {
        self.frontend.refused(&refusal(message))
    }

    /// The same with a message about what can be.
    fn cannot_but(&mut self, message: &'static str, how: &'static str) -> Result<(), Failure> {
        self.frontend
            .refused(&refusal(message).help(Message::new(how)))
    }

    async fn hear(&mut self, news: Option<News>) -> Result<Flow, Failure> {
        match news {
            None => Err(Failure::internal("the match task ended unexpectedly")),
            Some(News::Event(seq, event)) => self.event(seq, &event).await,
            Some(News::Unknown(seq, body)) => self.unknown(seq, &body).await,
            Some(News::Attached { seq }) => {
                self.past = Some(seq);
                Ok(Flow::On)
            }
            Some(News::Rematch(match_id) | News::NextGame(match_id)) => {
                self.view = self.view.rematch(match_id);
                self.past = None;
                self.question = None;
                self.wants_rematch = false;
                self.premove = None;
                self.kept = false;
                self.opening = Opening::Joined;
                self.frontend.seated(&self.view, &self.opening)?;
                Ok(Flow::On)
            }
            Some(News::Undone(events)) => {
                self.forget_plans();
                self.view = self.view.anew();
                for event in &events {
                    self.view.apply(event)?;
                }
                self.frontend.undone(&self.view)?;
                Ok(Flow::On)
            }
            Some(News::Refused(failure)) => {
                self.view.pending = None;
                // It was meant for the turn after the one that is ours again.
                self.premove = None;
                if self.wants_rematch {
                    return Err(failure);
                }
                self.frontend.refused(&failure)?;
                Ok(Flow::On)
            }
            Some(News::NotAgreed(failure)) => {
                self.frontend.refused(&failure)?;
                Ok(Flow::On)
            }
            Some(News::Kept) => {
                self.kept = true;
                Ok(Flow::On)
            }
            Some(News::NotKept(failure)) => {
                self.kept = false;
                self.frontend
                    .talk(&sentences::not_kept(&failure, self.view.words()));
                Ok(Flow::On)
            }
            Some(News::Said(room, seq, said)) => {
                self.said(room, seq, &said)?;
                Ok(Flow::On)
            }
            Some(News::Lines(room, lines)) => {
                self.lines_said(room, &lines)?;
                Ok(Flow::On)
            }
            Some(News::Muted(muted)) => {
                self.talk(match muted {
                    true => "typed-muted",
                    false => "typed-unmuted",
                });
                Ok(Flow::On)
            }
            Some(News::Time(now)) => {
                self.view.set_time(now);
                Ok(Flow::On)
            }
            Some(News::Lost(failure)) => {
                self.away = true;
                self.frontend.lost(&self.view, &failure)?;
                Ok(Flow::On)
            }
            Some(News::Back { away, ply }) => {
                self.away = false;
                self.frontend.back(&self.view, away, ply)?;
                Ok(Flow::On)
            }
            Some(News::OpponentLeft) => {
                let Some(seat) = self.view.seat().filter(|_| self.wants_rematch) else {
                    return Ok(Flow::On);
                };
                let left =
                    Message::new("typed-opponent-left").text("name", self.view.name(seat.other()));
                self.frontend.talk(&left.said(self.view.words()));
                Ok(Flow::End(Exit::Done))
            }
            Some(News::Rated(changes)) => {
                self.rated = Some(changes);
                Ok(Flow::On)
            }
            Some(News::Superseded) => {
                let how = Message::new("typed-superseded-how").text("match", self.view.match_id());
                Err(refusal("typed-superseded").help(how))
            }
            Some(News::Gone(failure)) => Err(failure),
        }
    }

    async fn event(&mut self, seq: Seq, event: &Event) -> Result<Flow, Failure> {
        let before = Before {
            position: self.view.position().cloned(),
        };
        self.view.apply(event)?;
        match event {
            Event::TakenBack { .. } => self.forget_plans(),
            // The server has made our move.
            Event::Moved {
                seat,
                planned: true,
                ..
            } if self.view.seat() == Some(*seat) => self.premove = None,
            _ => {}
        }
        if let Some(past) = self.past {
            return self.catch_up(seq, past).await;
        }
        self.frontend.event(&self.view, &before, seq, event)?;
        match event {
            Event::Ended { .. } => self.over().await,
            Event::RematchDeclined { .. } if self.wants_rematch => Ok(Flow::End(Exit::Done)),
            _ => Ok(Flow::On),
        }
    }

    /// Moves were taken back: input that waits for our turn was meant for another position, except the next line of a script.
    fn forget_plans(&mut self) {
        self.premove = None;
        if !self.is_script() {
            self.held = None;
        }
    }

    async fn unknown(&mut self, seq: Seq, body: &Value) -> Result<Flow, Failure> {
        let was_over = self.view.is_over();
        self.view.skip(body)?;
        if let Some(past) = self.past {
            return self.catch_up(seq, past).await;
        }
        self.frontend.unknown(&self.view, seq, body)?;
        match self.view.is_over() && !was_over {
            true => self.over().await,
            false => Ok(Flow::On),
        }
    }

    /// Counts an event of the past; after the last one, shows the state it led to.
    async fn catch_up(&mut self, seq: Seq, past: Seq) -> Result<Flow, Failure> {
        if seq < past {
            return Ok(Flow::On);
        }
        self.past = None;
        self.frontend.caught_up(&self.view)?;
        match self.view.is_over() {
            true => self.over().await,
            false => Ok(Flow::On),
        }
    }
}

/// A refusal of this client, for the reason that a message gives.
fn refusal(message: &'static str) -> Failure {
    Failure::told(Exit::Refused, "refused", Message::new(message))
}
