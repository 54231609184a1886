//! Playing or watching a match: shows what happens and sends what is typed, until the match ends or the user leaves.

mod frontend;
mod json;
pub(crate) mod lines;
pub(crate) mod match_view;
mod plain;
pub(crate) mod typed;

use std::path::PathBuf;
use std::time::Duration;

use grundy_shared::Move;
use grundy_shared::event::{Claim, EndReason, Event, Outcome, Proposal};
use grundy_shared::ids::{Millis, Seq};
use grundy_shared::notation::MoveError;
use grundy_shared::protocol::rating::RatedChange;
use grundy_shared::referee::{Referee, Status};
use grundy_shared::review::Review;
use grundy_shared::solver::{explain, solve};
use serde_json::Value;
use tokio::time::{Instant, interval};

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::{Ask, Link, News};
use crate::render::advice::{self, Depth};
use crate::render::{sentences, short};
pub(crate) use crate::session::frontend::Opening;
use crate::session::frontend::{Before, Frontend, Question};
use crate::session::lines::Lines;
use crate::session::match_view::{Ending, MatchView};
use crate::session::typed::Typed;
use crate::thinking::think;

/// How long the end of an invitation may take after Ctrl-C.
const CANCEL: Duration = Duration::from_secs(2);
/// How long to look for turning points at the end of a match.
const REVIEW: Duration = Duration::from_secs(2);
/// Memory that this may take, in bytes.
const REVIEW_BYTES: u64 = 256 << 20;

/// How long to think about a hint, or a reason.
const ADVICE: Duration = Duration::from_secs(2);
/// Memory that this may take, in bytes.
const ADVICE_BYTES: u64 = 256 << 20;

/// What follows from what was heard or typed.
enum Flow {
    On,
    End(Exit),
}

/// A match that we play or watch, with its frontend.
pub(crate) struct Session<'c> {
    context: &'c Context,
    link: Link,
    view: MatchView,
    frontend: Box<dyn Frontend + 'c>,
    lines: Lines,
    opening: Opening,
    /// Only looks on.
    watching: bool,
    /// Looks on at the rematch, too.
    stays: bool,
    /// Events up to this one happened before we came: they are not shown one by one.
    past: Option<Seq>,
    question: Option<Question>,
    /// What the last hint gave away, and after how many events it was given.
    hinted: Option<(Seq, Depth)>,
    /// The ratings after the rated pair, which are shown once its last match is over.
    rated: Option<Box<[RatedChange; 2]>>,
    /// A move that was typed before its turn, by a program.
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
}

impl<'c> Session<'c> {
    /// A session for the match of this link.
    pub(crate) fn new(context: &'c Context, link: Link, view: MatchView, opening: Opening) -> Self {
        let watching = view.is_watched();
        let frontend: Box<dyn Frontend + 'c> = if context.output.json {
            Box::new(json::JsonFrontend::new(context.output))
        } else {
            Box::new(plain::PlainFrontend::new(context.output))
        };
        Self {
            context,
            link,
            view,
            frontend,
            lines: if watching {
                Lines::none()
            } else {
                Lines::of_stdin()
            },
            opening,
            watching,
            stays: false,
            past: None,
            question: None,
            hinted: None,
            rated: None,
            held: None,
            premove: None,
            ended: false,
            away: false,
            wants_rematch: false,
            begun: Instant::now(),
            record: None,
        }
    }

    /// Writes the record of the match to a file once it is over.
    pub(crate) fn recording(mut self, path: Option<PathBuf>) -> Self {
        self.record = path;
        self
    }

    /// When a match that we watch is over, stays for the rematch.
    pub(crate) fn staying(mut self, stays: bool) -> Self {
        self.stays = stays;
        self
    }

    /// Knows the server's time from here on.
    pub(crate) fn at_server_time(mut self, now: Millis) -> Self {
        self.view.set_time(now);
        self
    }

    /// Runs until the match is over or the user leaves.
    pub(crate) async fn run(mut self) -> Result<Exit, Failure> {
        self.frontend.seated(&self.view, &self.opening)?;
        let mut second = interval(Duration::from_secs(1));
        let mut interrupted = std::pin::pin!(tokio::signal::ctrl_c());
        let result = loop {
            let wants_line = self.wants_line();
            let flow = tokio::select! {
                biased;
                _ = &mut interrupted => break self.interrupted().await,
                news = self.link.hear() => self.hear(news).await,
                line = self.lines.next(), if wants_line => self.line(line).await,
                _ = second.tick() => self.second(),
            };
            let flow = match flow {
                Ok(Flow::On) => self.go_on().await,
                other => other,
            };
            match flow {
                Ok(Flow::On) if self.past.is_some() => {}
                Ok(Flow::On) => self.frontend.prompt(&self.view, self.question)?,
                Ok(Flow::End(exit)) => break Ok(exit),
                Err(failure) => break Err(failure),
            }
        };
        self.frontend.leave();
        self.link.leave().await;
        result
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

    /// Whether a line is to be taken now: from a person always, from a script when the line's turn has come, from a program
    /// that speaks JSON until it has typed a move before its turn.
    fn wants_line(&self) -> bool {
        !self.ended
            && (self.held.is_none() || self.view.is_paused())
            && (self.context.output.asks
                || self.context.output.json
                || self.view.is_our_turn()
                || self.view.is_paused())
    }

    /// What was held, or the end of stdin, takes effect when it is our turn.
    async fn go_on(&mut self) -> Result<Flow, Failure> {
        if self.ended && self.view.is_paused() {
            return Ok(self.quit());
        }
        if !self.view.is_our_turn() || self.past.is_some() {
            return Ok(Flow::On);
        }
        if let Some(text) = self.premove.take() {
            self.make_premove(&text).await?;
            return Ok(Flow::On);
        }
        match self.held.take() {
            Some(typed) => self.typed(typed).await,
            None if self.ended => Ok(self.quit()),
            None => Ok(Flow::On),
        }
    }

    async fn line(&mut self, line: Option<String>) -> Result<Flow, Failure> {
        match line {
            Some(line) => {
                self.frontend.line_typed();
                self.typed(Typed::read(&line)).await
            }
            None if self.context.output.asks => Ok(self.quit()),
            None => {
                self.ended = true;
                Ok(Flow::On)
            }
        }
    }

    async fn typed(&mut self, typed: Typed) -> Result<Flow, Failure> {
        if let Some(question) = self.question {
            return self.confirmed(question, &typed).await;
        }
        match typed {
            Typed::Empty => {}
            Typed::No if self.wants_rematch => return Ok(self.quit()),
            Typed::Quit if self.ends_by_quitting() => self.confirm(Question::Quit)?,
            Typed::Quit => return Ok(self.quit()),
            Typed::Withdraw if self.wants_rematch => return Ok(self.quit()),
            Typed::Resign
            | Typed::Abort
            | Typed::Draw
            | Typed::Pause
            | Typed::Continue
            | Typed::Withdraw
            | Typed::Claim
            | Typed::Accept
            | Typed::Decline
                if self.view.is_over() =>
            {
                self.frontend.refused(&refusal("the match is over"))?;
            }
            Typed::Resign if self.view.status() != Status::Live => {
                let mut nothing = refusal("the match has not started, so you cannot resign");
                if self.is_waiting() {
                    nothing = nothing.hint("'abort' cancels the invitation");
                }
                self.frontend.refused(&nothing)?;
            }
            Typed::Resign if self.context.output.asks => self.confirm(Question::Resign)?,
            Typed::Resign => self.ask(Ask::Resign, "resignation").await,
            Typed::Abort if self.context.output.asks && self.ends_by_abort() => {
                self.confirm(Question::Abort)?;
            }
            Typed::Abort => self.abort().await,
            Typed::Draw => self.propose(Ask::Propose(Proposal::Draw)).await,
            Typed::Pause => self.propose(Ask::Propose(Proposal::Pause)).await,
            Typed::Claim => self.propose(Ask::Claim(Claim::Win)).await,
            Typed::Continue if !self.away && !self.view.is_paused() => {
                self.frontend.refused(&refusal("the match is not paused"))?;
            }
            Typed::Continue => self.propose(Ask::Continue).await,
            Typed::Withdraw if !self.away && !self.view.has_proposed() => {
                let words = "there is nothing to withdraw: you have proposed nothing";
                self.frontend.refused(&refusal(words))?;
            }
            Typed::Withdraw => self.propose(Ask::WithdrawProposal).await,
            Typed::Accept | Typed::Decline => self.answer(typed == Typed::Accept).await?,
            Typed::Rematch => {
                self.frontend
                    .refused(&refusal("you can offer a rematch when the match is over"))?;
            }
            Typed::Undo if self.view.is_local() && self.view.status() == Status::Live => {
                self.ask(Ask::Undo, "request to take a move back").await;
            }
            Typed::Undo if self.view.status() == Status::Live => {
                self.propose(Ask::Propose(Proposal::Takeback)).await;
            }
            Typed::Undo => {
                let words = "no match is being played: there is nothing to take back";
                self.frontend.refused(&refusal(words))?;
            }
            Typed::Hint | Typed::Why => self.advise(&typed).await?,
            Typed::Move(_) | Typed::Yes | Typed::No if !self.view.is_our_turn() => {
                return self.too_early(typed);
            }
            Typed::Premove(Some(text)) if self.view.is_our_turn() => self.make_move(&text).await?,
            Typed::Premove(text) => self.plan(text)?,
            Typed::Move(text) => self.make_move(&text).await?,
            Typed::Yes => self.make_move("yes").await?,
            Typed::No => self.make_move("no").await?,
            question => self.frontend.answer(&self.view, &question)?,
        }
        Ok(Flow::On)
    }

    /// Whether the match ends when we call it off, without a person who has to agree.
    fn ends_by_abort(&self) -> bool {
        self.is_waiting() || self.view.no_hints().is_none() || self.can_claim()
    }

    /// Whether the other player has been away for so long that we may end the match.
    fn can_claim(&self) -> bool {
        self.view.claim_in() == Some(Millis(0))
    }

    /// Cancels the invitation, ends a match that the other player has left, or proposes to call it off.
    async fn abort(&mut self) {
        if self.is_waiting() {
            self.ask(Ask::Abort, "request to call the match off").await;
        } else if self.can_claim() {
            self.propose(Ask::Claim(Claim::Void)).await;
        } else {
            self.propose(Ask::Propose(Proposal::Abort)).await;
        }
    }

    /// Asks for something that the other player has to agree to, or that follows from that: events tell what comes of it.
    async fn propose(&mut self, ask: Ask) {
        if self.away {
            self.frontend
                .talk("It will be sent when the connection is back.");
        }
        self.link.ask(ask).await;
    }

    /// Answers what the other player has proposed.
    async fn answer(&mut self, agree: bool) -> Result<(), Failure> {
        match self.view.to_answer() {
            Some(proposed) => {
                self.propose(Ask::Answer { proposed, agree }).await;
                Ok(())
            }
            None => self.frontend.refused(&refusal(
                "there is nothing to answer: the other player proposes nothing",
            )),
        }
    }

    fn confirm(&mut self, question: Question) -> Result<(), Failure> {
        self.question = Some(question);
        self.frontend.confirm(question)
    }

    /// Whether leaving ends the match, so that the user is asked first.
    fn ends_by_quitting(&self) -> bool {
        let moves = self.view.referee().map_or(0, |referee| referee.ply().0);
        self.context.output.asks
            && self.view.is_local()
            && self.view.status() == Status::Live
            && moves > 0
    }

    /// A hint, or the reason for the verdict, from the solver in this process: not where it would be help against another player.
    async fn advise(&mut self, typed: &Typed) -> Result<(), Failure> {
        let position = match self.view.referee() {
            Some(referee) if self.view.is_our_turn() => {
                (referee.position().clone(), referee.to_move())
            }
            _ => {
                let words = "hints are for your own move: wait for your turn";
                return self.frontend.refused(&refusal(words));
            }
        };
        if let Some(why) = self.view.no_hints() {
            return self.frontend.refused(&refusal(advice::no_hints(why)));
        }
        let (position, to_move) = position;
        let seq = self.view.seq();
        let depth = match self.hinted {
            Some((then, _)) if then == seq => Depth::Move,
            _ => Depth::Exists,
        };
        let wants_reason = *typed == Typed::Why;
        let thought = tokio::task::spawn_blocking(move || {
            think(ADVICE, ADVICE_BYTES, |budget| match wants_reason {
                true => explain(&position, to_move, budget).to_string(),
                false => advice::hint(&solve(&position, to_move, budget, 1), depth),
            })
        });
        let Ok(text) = thought.await else {
            return self
                .frontend
                .refused(&refusal("the solver failed on this position"));
        };
        if wants_reason {
            return self.frontend.advise(&self.view, "why", &text);
        }
        self.hinted = Some((seq, depth));
        self.frontend.advise(&self.view, "hint", &text)
    }

    /// A move before its turn: a person gets a message, a program's move waits.
    fn too_early(&mut self, typed: Typed) -> Result<Flow, Failure> {
        if self.context.output.json && self.held.is_none() {
            self.held = Some(typed);
            return Ok(Flow::On);
        }
        let words = match (&self.view.pending, self.view.status()) {
            (None, Status::Over) => {
                "your rematch offer has not been answered yet; 'quit' stops waiting".to_owned()
            }
            (Some(pending), _) if self.away => {
                format!("your {pending} will be sent when the connection is back")
            }
            (Some(pending), _) => format!("your {pending} has been sent; wait for the answer"),
            (None, Status::Waiting) => "nobody has joined yet".to_owned(),
            (None, Status::Live) if self.view.is_paused() => {
                "the match is paused: type continue to play on".to_owned()
            }
            (None, _) => {
                let turn = sentences::turn(&self.view);
                format!("it is not your turn: {}", turn.trim_end_matches('.'))
            }
        };
        let meanwhile = format!("until then: {}", sentences::words(&self.view));
        self.frontend.refused(&refusal(words).hint(meanwhile))?;
        Ok(Flow::On)
    }

    /// Keeps a move for our next turn, or drops the one that is kept.
    fn plan(&mut self, text: Option<String>) -> Result<(), Failure> {
        let words = match (text, self.premove.take()) {
            (Some(_), _) if self.view.status() != Status::Live => {
                return self.frontend.refused(&refusal("no match is being played"));
            }
            (Some(text), _) => {
                let words = format!(
                    "{} will be played as soon as it is your turn, if it is legal then. Type pre alone to take it back.",
                    short(&text)
                );
                self.premove = Some(text);
                words
            }
            (None, Some(text)) => format!("{} will not be played.", short(&text)),
            (None, None) => {
                let nothing = refusal("no move is waiting for your turn");
                let how = "'pre A-1' plays A-1 as soon as it is your turn, if it is legal then";
                return self.frontend.refused(&nothing.hint(how));
            }
        };
        self.frontend.talk(&words);
        Ok(())
    }

    /// Makes the move that was kept for this turn, or says that it cannot be made.
    async fn make_premove(&mut self, text: &str) -> Result<(), Failure> {
        let legal = self
            .view
            .referee()
            .map(|referee| self.read_move(referee, text));
        if !matches!(legal, Some(Ok(_))) {
            let words = format!("{} is not possible now.", short(text));
            self.frontend.talk(&words);
            return Ok(());
        }
        self.make_move(text).await
    }

    /// The move that a text stands for now, as a move or as the letter of one on the board.
    fn read_move(&self, referee: &Referee, text: &str) -> Result<Move, MoveError> {
        let (position, to_move) = (referee.position(), referee.to_move());
        position.parse_move(to_move, text).or_else(|error| {
            let meant = self.frontend.meant(&self.view, text).ok_or(error)?;
            position.parse_move(to_move, &meant)
        })
    }

    async fn make_move(&mut self, text: &str) -> Result<(), Failure> {
        let Some(referee) = self.view.referee() else {
            return Ok(());
        };
        match self.read_move(referee, text) {
            Ok(mv) => {
                let ply = referee.ply().next();
                let text = mv.to_string();
                let words = format!("move {text}");
                self.ask(Ask::Move { ply, text }, words).await;
                Ok(())
            }
            Err(mut error) => {
                let numeric = error
                    .example
                    .as_ref()
                    .is_some_and(|mv| is_number(&mv.to_string()));
                let hardly_a_move = is_wordy(text) || (is_number(text) && !numeric);
                // Of a text without a digit the failure says so itself.
                if hardly_a_move && text.contains(|c: char| c.is_ascii_digit()) {
                    error.message = format!("'{}' is not a move: {}", short(text), error.message);
                }
                let mut failure = Failure::illegal_move(text, &error);
                if hardly_a_move {
                    let legal = failure
                        .remedy()
                        .map_or(String::new(), |legal| format!("{legal}; "));
                    failure = match Typed::near(text) {
                        Some(near) => {
                            let words = format!("'{}' is not a move", short(text));
                            Failure::new(Exit::Input, "illegal_move", words)
                                .hint(format!("did you mean '{near}'?"))
                        }
                        None => failure.hint(format!("{legal}'help' lists what else you can type")),
                    };
                }
                self.frontend.refused(&failure)
            }
        }
    }

    /// Asks for something that is answered by an event or a refusal; until then nothing else is asked.
    async fn ask(&mut self, ask: Ask, words: impl Into<String>) {
        self.view.pending = Some(words.into());
        if self.away {
            self.frontend
                .talk("It will be sent when the connection is back.");
        }
        self.link.ask(ask).await;
    }

    async fn confirmed(&mut self, question: Question, typed: &Typed) -> Result<Flow, Failure> {
        self.question = None;
        match (question, typed) {
            (Question::Resign, Typed::Yes) => self.ask(Ask::Resign, "resignation").await,
            (Question::Resign, _) => self.frontend.talk("Not resigned."),
            (Question::Abort, Typed::Yes) => self.abort().await,
            (Question::Abort, _) => self.frontend.talk("Not called off."),
            (Question::Quit, Typed::Yes | Typed::Quit) => return Ok(self.quit()),
            (Question::Quit, _) => self.frontend.talk("The match goes on."),
            (Question::Rematch, Typed::Yes | Typed::Rematch | Typed::Accept) => {
                self.wants_rematch = true;
                self.link.ask(Ask::Rematch).await;
                if !self.view.is_shared() {
                    self.frontend.talk("Rematch offered. Ctrl-C stops waiting.");
                }
            }
            (Question::Rematch, Typed::Empty | Typed::No | Typed::Decline | Typed::Quit) => {
                if self.view.is_offered_rematch() {
                    self.link.ask(Ask::DeclineRematch).await;
                }
                return Ok(Flow::End(Exit::Done));
            }
            (Question::Rematch, _) => {
                self.question = Some(question);
                self.frontend
                    .talk("The match is over: please answer yes or no.");
            }
        }
        Ok(Flow::On)
    }

    async fn hear(&mut self, news: Option<News>) -> Result<Flow, Failure> {
        match news {
            None => Err(Failure::new(
                Exit::Failed,
                "internal",
                "the match task ended unexpectedly",
            )),
            Some(News::Event(seq, event)) => self.event(seq, &event).await,
            Some(News::Unknown(seq, body)) => self.unknown(seq, &body),
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
                self.opening = Opening::Joined;
                self.frontend.seated(&self.view, &self.opening)?;
                Ok(Flow::On)
            }
            Some(News::Undone(events)) => {
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
                let name = self.view.name(seat.other());
                self.frontend
                    .talk(&format!("{name} has left: there is no rematch."));
                Ok(Flow::End(Exit::Done))
            }
            Some(News::Rated(changes)) => {
                self.rated = Some(changes);
                Ok(Flow::On)
            }
            Some(News::Superseded) => {
                let words = "another of your terminals has taken over this match";
                let id = self.view.match_id();
                Err(refusal(words).hint(format!("to continue here: grundy resume {id}")))
            }
            Some(News::Gone(failure)) => Err(failure),
        }
    }

    async fn event(&mut self, seq: Seq, event: &Event) -> Result<Flow, Failure> {
        let before = Before {
            position: self.view.position().cloned(),
        };
        self.view.apply(event)?;
        if matches!(event, Event::TakenBack { .. }) {
            // They were meant for another position.
            (self.held, self.premove) = (None, None);
        }
        if let Some(past) = self.past {
            return self.catch_up(seq, past);
        }
        self.frontend.event(&self.view, &before, seq, event)?;
        match event {
            Event::Ended { .. } => self.over(),
            Event::RematchDeclined { .. } if self.wants_rematch => Ok(Flow::End(Exit::Done)),
            _ => Ok(Flow::On),
        }
    }

    fn unknown(&mut self, seq: Seq, body: &Value) -> Result<Flow, Failure> {
        let was_over = self.view.is_over();
        self.view.skip(body)?;
        if let Some(past) = self.past {
            return self.catch_up(seq, past);
        }
        self.frontend.unknown(&self.view, seq, body)?;
        match self.view.is_over() && !was_over {
            true => self.over(),
            false => Ok(Flow::On),
        }
    }

    /// Counts an event of the past; after the last one, shows the state it led to.
    fn catch_up(&mut self, seq: Seq, past: Seq) -> Result<Flow, Failure> {
        if seq < past {
            return Ok(Flow::On);
        }
        self.past = None;
        self.frontend.caught_up(&self.view)?;
        match self.view.is_over() {
            true => self.over(),
            false => Ok(Flow::On),
        }
    }

    /// The match is over: shows the result, and offers a rematch if there is somebody to ask.
    fn over(&mut self) -> Result<Flow, Failure> {
        self.frontend
            .over(&self.view, review(&self.view).as_ref())?;
        if let Some(changes) = self.rated.take() {
            self.frontend.rated(&self.view, &changes)?;
        }
        if let Some(path) = self.record.take() {
            crate::record::save(&path, &self.view.record()?.to_bytes())?;
            self.frontend
                .talk(&format!("The record was written to {}.", path.display()));
        }
        if self.view.next_game().is_some() {
            return Ok(Flow::On);
        }
        if self.stays {
            self.frontend.talk("You stay for a rematch. Ctrl-C leaves.");
            return Ok(Flow::On);
        }
        let ending = self.view.ending();
        let counts = ending.is_some_and(|ending| ending.outcome() != Some(Outcome::Void));
        let is_left = matches!(ending, Some(Ending::Known(_, EndReason::Abandoned)));
        let referee = self.view.referee();
        let in_tournament = referee.is_some_and(|referee| referee.tournament().is_some());
        if !counts || is_left || in_tournament || self.watching || !self.context.output.asks {
            return Ok(Flow::End(Exit::Done));
        }
        self.question = Some(Question::Rematch);
        Ok(Flow::On)
    }

    /// Leaves a match that goes on.
    fn quit(&mut self) -> Flow {
        self.say_how_to_return();
        Flow::End(Exit::Done)
    }

    fn say_how_to_return(&mut self) {
        if self.view.is_over() || self.watching {
            return;
        }
        if self.view.is_local() {
            self.frontend.talk("The match was local and has ended.");
        } else {
            let id = self.view.match_id();
            let what = match self.is_waiting() {
                true => "the invitation stays open and its code stays valid",
                false => "the match goes on",
            };
            self.frontend.talk(&format!(
                "You have left; {what}. Return with: grundy resume {id}"
            ));
        }
    }

    /// Ctrl-C: an invitation is cancelled, a running match goes on without us.
    async fn interrupted(&mut self) -> Result<Exit, Failure> {
        if !self.is_waiting() {
            self.say_how_to_return();
            return Ok(Exit::Interrupted);
        }
        self.link.ask(Ask::Abort).await;
        let cancelled = async {
            while let Some(news) = self.link.hear().await {
                match news {
                    News::Event(_, Event::Ended { .. }) => return true,
                    News::Refused(_) | News::Gone(_) => return false,
                    _ => {}
                }
            }
            false
        };
        let done = tokio::select! {
            done = tokio::time::timeout(CANCEL, cancelled) => done.unwrap_or(false),
            _ = tokio::signal::ctrl_c() => false,
        };
        if done {
            self.frontend.talk("The invitation is cancelled.");
        } else {
            self.frontend.talk("The server did not confirm the cancellation; the invitation will expire by itself.");
        }
        Ok(Exit::Interrupted)
    }
}

fn refusal(words: impl Into<String>) -> Failure {
    Failure::new(Exit::Refused, "refused", words)
}

/// Whether this text was probably not meant as a move: it has a word, or no number.
fn is_wordy(text: &str) -> bool {
    let has_word = text
        .split(|c: char| !c.is_alphabetic())
        .any(|word| word.chars().count() > 2);
    has_word || !text.contains(|c: char| c.is_ascii_digit())
}

/// Whether a text is a number and nothing else: a move of some games.
fn is_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit())
}

/// Reviews a match that was played, as far as that takes no longer than a moment; `grundy review` takes its time.
fn review(view: &MatchView) -> Option<Review> {
    let referee = view.referee()?;
    // Of an end that we do not understand the referee knows nothing.
    let played = referee.ply().0 > 0 && referee.status() == view.status();
    // A rated pair goes on from the same start.
    let played = played && !view.is_between_rated_games();
    played.then(|| think(REVIEW, REVIEW_BYTES, |budget| Review::of(referee, budget)))
}
