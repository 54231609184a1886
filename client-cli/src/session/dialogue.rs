//! Lines typed during a match, and the questions that the client asks about them.

use grundy_shared::event::{Claim, Proposal};
use grundy_shared::referee::Status;
use grundy_words::Message;

use super::frontend::Question;
use super::typed::Typed;
use super::{Flow, Session, refusal};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::Ask;
use crate::render::sentences;

impl Session<'_> {
    /// Whether a line is to be taken now: from a person always, from a script or a program until one waits for its turn. So the end of
    /// the input is noticed while the other player is to move.
    ///
    /// A line waits until the match so far has been heard: what it asks for may not be possible in a state of the past.
    /// Keys do not wait, since the user leaves with one.
    pub(super) fn wants_line(&self) -> bool {
        !self.ended
            && (self.input.is_of_keys() || self.away || !self.is_catching_up())
            && (self.held.is_none() || (self.context.output.json && self.view.is_paused()))
    }

    /// Whether each line waits for our turn: stdin is a script. In a pause nobody is to move.
    pub(super) fn is_script(&self) -> bool {
        !self.context.output.asks && !self.context.output.json
    }

    /// What was held, or the end of stdin, takes effect when it is our turn.
    pub(super) async fn go_on(&mut self) -> Result<Flow, Failure> {
        // Leaving needs no turn, unlike what else was held or waits for one.
        let leaves = match self.held {
            Some(Typed::Quit) => true,
            Some(_) => false,
            None => self.ended,
        };
        let leaves = leaves && self.premove.is_none();
        if leaves && !self.watching && self.past.is_none() && self.may_never_move() {
            return Ok(self.quit());
        }
        let is_turn = self.view.is_our_turn() || (self.is_script() && self.view.is_paused());
        if !is_turn || self.past.is_some() {
            return Ok(Flow::On);
        }
        if self.view.is_our_turn()
            && let Some(text) = self.premove.take()
        {
            self.make_premove(&text).await?;
            return Ok(Flow::On);
        }
        match self.held.take() {
            Some(typed) => self.typed(typed).await,
            None if self.ended => Ok(self.quit()),
            None => Ok(Flow::On),
        }
    }

    /// Whether our next turn may never come: the match is paused, or a person is to move. A bot answers.
    fn may_never_move(&self) -> bool {
        let Some(referee) = self.view.referee() else {
            return false;
        };
        let to_move = referee.to_move();
        let is_bot = referee.player(to_move).is_some_and(|player| player.bot);
        // After the last move, the end of the match is still to come.
        let is_over = referee.position().is_over(to_move);
        let is_other = self.view.seat() == Some(to_move.other());
        let live = self.view.status() == Status::Live && self.view.pending.is_none();
        self.view.is_paused() || (live && is_other && !is_bot && !is_over)
    }

    pub(super) async fn line(&mut self, line: Option<String>) -> Result<Flow, Failure> {
        match line {
            Some(line) => {
                self.frontend.line_typed(&line);
                let typed = Typed::read(&line);
                let is_turn = self.view.is_our_turn() || self.view.is_paused();
                if self.is_script() && !is_turn && !self.watching {
                    self.held = Some(typed);
                    return Ok(Flow::On);
                }
                self.typed(typed).await
            }
            None if self.context.output.asks => Ok(self.quit()),
            None => {
                self.ended = true;
                Ok(Flow::On)
            }
        }
    }

    async fn typed(&mut self, typed: Typed) -> Result<Flow, Failure> {
        if self.chatted(&typed).await? {
            return Ok(Flow::On);
        }
        if let Some(question) = self.question
            && let Some(flow) = self.confirmed(question, &typed).await?
        {
            return Ok(flow);
        }
        match typed {
            Typed::Empty => {}
            Typed::Review if self.watching && self.view.is_over() => {
                return self.afterwards(&typed);
            }
            typed if self.watching && !typed.is_for_watchers() => {
                self.cannot_but("typed-watching", "typed-watching-how")?;
            }
            Typed::No if self.wants_rematch => return Ok(self.quit()),
            Typed::Quit if self.asks_before_quitting() => {
                self.confirm(Question::Quit { kept: self.kept })?;
            }
            Typed::Quit => return Ok(self.quit()),
            Typed::Withdraw if self.wants_rematch => return Ok(self.quit()),
            Typed::Resign
            | Typed::Abort
            | Typed::Draw
            | Typed::Pause
            | Typed::Adjourn
            | Typed::If(Some(_))
            | Typed::Continue
            | Typed::Withdraw
            | Typed::Claim
            | Typed::Accept
            | Typed::Decline
                if self.view.is_over() =>
            {
                self.cannot("typed-over")?;
            }
            Typed::Resign if self.view.status() != Status::Live => match self.is_waiting() {
                true => self.cannot_but("typed-not-started", "typed-not-started-how")?,
                false => self.cannot("typed-not-started")?,
            },
            Typed::Resign if self.context.output.asks => self.confirm(Question::Resign)?,
            Typed::Resign => {
                self.ask(Ask::Resign, Message::new("pending-resignation"))
                    .await
            }
            Typed::Abort if self.context.output.asks && self.ends_by_abort() => {
                self.confirm(Question::Abort)?;
            }
            Typed::Abort => self.abort().await,
            Typed::Draw => self.propose(Ask::Propose(Proposal::Draw)).await,
            Typed::Pause => self.propose(Ask::Propose(Proposal::Pause)).await,
            Typed::Adjourn => self.propose(Ask::Propose(Proposal::Adjourn)).await,
            Typed::If(text) => self.plan_replies(text.as_deref()).await?,
            Typed::Claim => self.propose(Ask::Claim(Claim::Win)).await,
            Typed::Continue if !self.away && !self.view.is_paused() => {
                self.cannot("typed-not-paused")?;
            }
            Typed::Continue => self.propose(Ask::Continue).await,
            Typed::Withdraw if !self.away && !self.view.has_proposed() => {
                self.cannot("typed-nothing-to-withdraw")?;
            }
            Typed::Withdraw => self.propose(Ask::WithdrawProposal).await,
            Typed::Accept | Typed::Decline => self.answer(typed == Typed::Accept).await?,
            Typed::Yes | Typed::No if self.view.to_answer().is_some() => {
                self.answer(typed == Typed::Yes).await?;
            }
            Typed::Review | Typed::Learn if self.view.is_over() => return self.afterwards(&typed),
            Typed::Review | Typed::Learn => {
                self.frontend.refused(&refusal("match-review-later"))?;
            }
            Typed::Rematch => {
                self.cannot("typed-rematch-early")?;
            }
            Typed::Undo if self.view.is_local() && self.view.status() == Status::Live => {
                self.ask(Ask::Undo, Message::new("pending-undo")).await;
            }
            Typed::Undo if self.view.status() == Status::Live => {
                self.propose(Ask::Propose(Proposal::Takeback)).await;
            }
            Typed::Undo => {
                self.cannot("typed-nothing-to-undo")?;
            }
            Typed::Hint | Typed::Why
                if self.can_hold() && !self.view.is_over() && self.view.no_hints().is_none() =>
            {
                self.held = Some(typed);
            }
            Typed::Hint | Typed::Why => return self.advise(&typed).await,
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

    fn confirm(&mut self, question: Question) -> Result<(), Failure> {
        self.question = Some(question);
        self.frontend.confirm(question)
    }

    /// Whether to ask the user before leaving a match on this computer: if that ends it, and always on the full screen, where one key leaves.
    fn asks_before_quitting(&self) -> bool {
        let moves = self.view.referee().map_or(0, |referee| referee.ply().0);
        self.context.output.asks
            && self.view.is_local()
            && self.view.status() == Status::Live
            && (self.input.is_of_keys() || (!self.kept && moves > 0))
    }

    /// Whether what is typed waits for our turn: a program that speaks JSON need not wait itself.
    fn can_hold(&self) -> bool {
        self.context.output.json && self.held.is_none() && !self.view.is_our_turn()
    }

    /// A move before its turn: a person gets a message, a program's move waits.
    fn too_early(&mut self, typed: Typed) -> Result<Flow, Failure> {
        if self.can_hold() {
            self.held = Some(typed);
            return Ok(Flow::On);
        }
        let view = &self.view;
        let (case, what) = match (&view.pending, view.status()) {
            (None, Status::Over) => ("rematch", String::new()),
            (Some(pending), _) if self.away => ("away", pending.clone()),
            (Some(pending), _) => ("sent", pending.clone()),
            (None, Status::Waiting) => ("waiting", String::new()),
            (None, Status::Live) if view.is_adjourned() => ("adjourned", String::new()),
            (None, Status::Live) if view.is_paused() => ("paused", String::new()),
            (None, _) => {
                let turn = sentences::turn(view);
                let turn = turn.trim_end_matches(['.', '\u{3002}']);
                ("turn", turn.to_owned())
            }
        };
        let early = Message::new("typed-early")
            .text("case", case)
            .text("what", what);
        let meanwhile = Message::new("typed-until-then").text("words", sentences::words(view));
        let refused = Failure::told(Exit::Refused, "refused", early).help(meanwhile);
        self.frontend.refused(&refused)?;
        Ok(Flow::On)
    }

    /// What comes of the answer to a question. `None` if it was answered by something else, which is to be done: what somebody types is never thrown away.
    async fn confirmed(
        &mut self,
        question: Question,
        typed: &Typed,
    ) -> Result<Option<Flow>, Failure> {
        self.question = None;
        match (question, typed) {
            (Question::Rematch | Question::Leave, Typed::Review | Typed::Learn) => {
                self.question = Some(question);
                return self.afterwards(typed).map(Some);
            }
            (Question::Resign, Typed::Yes) => {
                self.ask(Ask::Resign, Message::new("pending-resignation"))
                    .await
            }
            (Question::Abort, Typed::Yes) => self.abort().await,
            (Question::Quit { .. }, Typed::Yes | Typed::Quit) => return Ok(Some(self.quit())),
            (Question::Resign | Question::Abort | Question::Quit { .. }, _) => {
                self.talk(match question {
                    Question::Resign => "match-not-resigned",
                    Question::Abort => "match-not-aborted",
                    _ => "match-goes-on",
                });
                if !matches!(typed, Typed::Empty | Typed::No) {
                    return Ok(None);
                }
            }
            (Question::Rematch, Typed::Yes | Typed::Rematch | Typed::Accept) => {
                self.wants_rematch = true;
                self.link.ask(Ask::Rematch).await;
                if !self.view.is_shared() && !self.view.is_offered_rematch() {
                    self.talk("match-rematch-sent");
                }
            }
            (Question::Rematch, Typed::Empty | Typed::No | Typed::Decline | Typed::Quit) => {
                if self.view.is_offered_rematch() {
                    self.link.ask(Ask::DeclineRematch).await;
                }
                return Ok(Some(Flow::End(Exit::Done)));
            }
            (Question::Leave, Typed::Empty | Typed::Quit | Typed::Yes | Typed::No) => {
                return Ok(Some(Flow::End(Exit::Done)));
            }
            (Question::Leave | Question::Rematch, typed) if typed.is_for_watchers() => {
                self.question = Some(question);
                self.frontend.answer(&self.view, typed)?;
            }
            (Question::Leave, _) => {
                self.question = Some(question);
                self.talk("match-over-enter");
            }
            (Question::Rematch, _) => {
                self.question = Some(question);
                self.talk("match-over-answer");
            }
        }
        Ok(Some(Flow::On))
    }
}
