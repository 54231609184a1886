//! The end of a match, and leaving a match that continues.

use std::time::Duration;

use grundy_shared::event::{EndReason, Event, Outcome};
use grundy_shared::record::Record;
use grundy_shared::solver::Budget;
use grundy_words::Message;

use super::frontend::Question;
use super::match_view::Ending;
use super::meanwhile::Thought;
use super::typed::Typed;
use super::verdict::{VERDICT, Verdict};
use super::{Flow, Session, refusal};
use crate::account::sign_in;
use crate::context::Then;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::{Ask, News};
use crate::render::sentences;

/// How long the end of an invitation may take after Ctrl-C.
const CANCEL: Duration = Duration::from_secs(2);

impl Session<'_> {
    /// The match is over: shows the result, and offers a rematch if there is somebody to ask.
    pub(super) async fn over(&mut self) -> Result<Flow, Failure> {
        // What was asked before is not asked any more.
        self.question = None;
        let (verdict, stop) = self.verdict().await;
        self.frontend
            .over(&self.view, verdict.as_ref(), self.kept)?;
        if let Some(changes) = self.rated.take() {
            self.frontend.rated(&self.view, &changes)?;
        }
        if stop.is_some() {
            // The terminal is the shell's again: a second Ctrl-C does not wait.
            self.frontend.leave();
        }
        if let Some(path) = self.record.take() {
            let record = tokio::select! {
                record = self.whole_record() => record?,
                _ = tokio::signal::ctrl_c(), if stop.is_some() => return Ok(Flow::Leave),
            };
            crate::record::save(&path, &record.to_bytes())?;
            let written = Message::new("typed-record-written").text("path", path.display());
            self.frontend.talk(&written.said(self.view.words()));
        }
        if let Some(stop) = stop {
            return stop;
        }
        if self.view.next_game().is_some() {
            return Ok(Flow::On);
        }
        if self.stays {
            self.talk("typed-stays");
            return Ok(Flow::On);
        }
        let ending = self.view.ending();
        let counts = ending.is_some_and(|ending| ending.outcome() != Some(Outcome::Void));
        let is_left = matches!(ending, Some(Ending::Known(_, EndReason::Abandoned)));
        let referee = self.view.referee();
        let in_tournament = referee.is_some_and(|referee| referee.tournament().is_some());
        if !counts || is_left || in_tournament || self.watching || !self.context.output.asks {
            // What was typed meanwhile is for this match.
            if self.leads_on && !self.input.has_kept() || !self.frontend.stays() {
                return Ok(Flow::End(Exit::Done));
            }
            self.question = Some(Question::Leave);
            return Ok(Flow::On);
        }
        self.question = Some(Question::Rematch);
        Ok(Flow::On)
    }

    /// What decided the match. With how the session ends, if nobody waits for that any more: the result is shown, and the record written, all the same.
    async fn verdict(&mut self) -> (Option<Verdict>, Option<Result<Flow, Failure>>) {
        let Some(referee) = Verdict::about(&self.view) else {
            return (None, None);
        };
        let work = move |budget: &Budget<'_>| Verdict::of(&referee, budget);
        match self.think(VERDICT, work).await {
            Ok(Thought::Done(verdict)) => (Some(verdict), None),
            Ok(Thought::Failed) => {
                self.talk("typed-solver-failed");
                (None, None)
            }
            Ok(Thought::Unwanted) => (None, None),
            Ok(Thought::Interrupted) => (None, Some(Ok(Flow::Leave))),
            Err(failure) => (None, Some(Err(failure))),
        }
    }

    /// Leaves the match that is over, and has its review shown or its mistakes practised.
    pub(super) fn afterwards(&mut self, typed: &Typed) -> Result<Flow, Failure> {
        if self.view.is_local() && !self.kept {
            self.frontend.refused(&refusal("match-not-kept-here"))?;
            return Ok(Flow::On);
        }
        let command = match typed {
            Typed::Learn => "learn",
            _ => "review",
        };
        // One match leads to one command.
        let arguments = vec![command.to_owned(), self.view.match_id().to_string()];
        let _ = self.context.then.set(Then(arguments));
        Ok(Flow::End(Exit::Done))
    }

    /// The record of the match, which is over. What the opponent had planned was hidden while the match was on, so it is read from the
    /// server.
    async fn whole_record(&self) -> Result<Record, Failure> {
        let heard = self.view.record()?;
        let hidden = |event: &Event| matches!(event, Event::Planned { lines: None, .. });
        if !heard.events().iter().any(hidden) {
            return Ok(heard);
        }
        let mut signed_in = sign_in(self.context, 0).await?;
        let whole = crate::record::fetch(&mut signed_in.connection, self.view.match_id()).await;
        signed_in.connection.close().await;
        whole
    }

    /// Leaves a match that goes on.
    pub(super) fn quit(&mut self) -> Flow {
        self.say_how_to_return();
        Flow::End(Exit::Done)
    }

    fn say_how_to_return(&mut self) {
        if self.view.is_over() || self.watching {
            return;
        }
        if self.view.is_local() {
            let words = sentences::left_unfinished(&self.view, self.kept);
            self.frontend.talk(&words);
        } else {
            let state = match () {
                () if self.is_waiting() => "waiting",
                () if self.view.is_adjourned() => "adjourned",
                () if self.view.is_paused() => "paused",
                () => "on",
            };
            let left = Message::new("typed-left")
                .text("state", state)
                .text("command", format!("grundy resume {}", self.view.match_id()));
            self.frontend.talk(&left.said(self.view.words()));
        }
    }

    /// Ctrl-C: an invitation is cancelled, a running match goes on without us.
    pub(super) async fn interrupted(&mut self) -> Result<Exit, Failure> {
        // The terminal is the shell's again: a second Ctrl-C does not wait.
        self.frontend.leave();
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
        self.talk(match done {
            true => "typed-cancelled",
            false => "typed-not-cancelled",
        });
        Ok(Exit::Interrupted)
    }
}
