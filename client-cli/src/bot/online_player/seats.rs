//! The matches of our bot: seats that are taken, programs that think, and answers that are sent.

use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Ply, Seq};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::protocol::client::{self, ClientMessage, Move, Resign, Resume};
use grundy_words::Message;
use tokio::task::JoinError;

use super::state::{Asked, Choice, OnlinePlayer, Progress, Purpose, Seat, Thinking, is_passing};
use crate::bot::pool::Thought;
use crate::bot::table::{End, Table};
use crate::connection::Connection;
use crate::exit::Exit;
use crate::failure::Failure;

impl OnlinePlayer<'_> {
    /// Lets programs think wherever it is our turn.
    pub(super) fn set_to_work(&mut self, thinking: &mut Thinking) {
        let mut due: Vec<_> = self
            .seats
            .iter()
            .filter(|(_, seat)| seat.thinking.is_none())
            .filter_map(|(match_id, seat)| {
                let turn = seat.table.turn()?;
                let answered = seat.answer.as_ref();
                let is_new = answered.is_none_or(|(ply, _)| *ply != turn.ply);
                is_new.then_some((*match_id, turn))
            })
            .collect();
        due.sort_by_key(|(_, turn)| turn.since);
        for (match_id, turn) in due {
            let Some(seat) = self.seats.get_mut(&match_id) else {
                continue;
            };
            if !self.pool.has_room() {
                return;
            }
            let ply = turn.ply;
            let (handle, recall) = self.pool.think(seat.game, turn, self.context.output);
            seat.thinking = Some((ply, recall));
            thinking.push(Box::pin(async move { (match_id, ply, handle.await) }));
        }
    }

    pub(super) fn thought(
        &mut self,
        match_id: MatchId,
        ply: Ply,
        thought: Result<Thought, JoinError>,
    ) {
        let chosen = match thought {
            Ok((program, chosen)) => {
                self.pool.take_back(program);
                chosen
            }
            Err(_) => {
                self.pool.lose();
                Err(Failure::told(
                    Exit::Failed,
                    "bot",
                    Message::new("failure-internal").text("said", "the thread of the bot ended"),
                ))
            }
        };
        if let Err(failure) = &chosen
            && self.seats.contains_key(&match_id)
        {
            self.warn_of_resignation(match_id, failure);
        }
        let Some(seat) = self.seats.get_mut(&match_id) else {
            return;
        };
        seat.thinking = None;
        let choice = match chosen {
            Ok(Some(text)) => Choice::Move(text),
            Ok(None) | Err(_) => Choice::Resign,
        };
        seat.answer = Some((ply, choice));
        seat.is_sent = false;
    }

    /// Sends the answer of a program, if it is still wanted.
    pub(super) async fn act(
        &mut self,
        connection: &mut Connection,
        match_id: MatchId,
    ) -> Result<(), Failure> {
        let Some(seat) = self.seats.get_mut(&match_id) else {
            return Ok(());
        };
        let (Some(turn), Some((ply, choice))) = (seat.table.turn(), &seat.answer) else {
            return Ok(());
        };
        if turn.ply != *ply || seat.is_sent {
            return Ok(());
        }
        let ply = *ply;
        let id = match_id.to_string();
        let request: ClientMessage = match choice {
            Choice::Move(text) => Move {
                match_id: id,
                ply,
                move_text: text.clone(),
                client_move_id: None,
                hints: 0,
            }
            .into(),
            Choice::Resign => Resign { match_id: id }.into(),
        };
        seat.is_sent = true;
        self.ask(connection, request, Asked::Act(match_id, ply))
            .await
    }

    /// Takes a seat in this match, as soon as there is room.
    pub(super) async fn sit(
        &mut self,
        connection: &mut Connection,
        match_id: MatchId,
    ) -> Result<(), Failure> {
        if !self.seats.contains_key(&match_id) {
            if self.seats.len() >= self.room {
                if !self.waiting.contains(&match_id) {
                    self.waiting.push_back(match_id);
                }
                return Ok(());
            }
            self.take_seat(match_id, false);
        }
        self.attach(connection, match_id).await
    }

    /// Notes a match, unless it is known. If it is attached, its events come by themselves.
    pub(super) fn take_seat(&mut self, match_id: MatchId, is_attached: bool) {
        let Some(us) = self.us else {
            return;
        };
        let games = &mut self.games;
        let seat = self.seats.entry(match_id).or_insert_with(|| {
            *games += 1;
            Seat {
                table: Table::new(us),
                game: *games,
                is_attached,
                thinking: None,
                answer: None,
                is_sent: false,
            }
        });
        if is_attached {
            seat.is_attached = true;
            seat.table.past.get_or_insert(Seq(0));
        }
    }

    pub(super) async fn attach(
        &mut self,
        connection: &mut Connection,
        match_id: MatchId,
    ) -> Result<(), Failure> {
        let Some(seat) = self
            .seats
            .get_mut(&match_id)
            .filter(|seat| !seat.is_attached)
        else {
            return Ok(());
        };
        seat.is_attached = true;
        let resume = Resume {
            match_id: match_id.to_string(),
            since_seq: seat.table.seq,
        };
        self.ask(connection, resume, Asked::Attach(match_id)).await
    }

    pub(super) async fn event(
        &mut self,
        connection: &mut Connection,
        match_id: MatchId,
        seq: Seq,
        event: Option<Event>,
    ) -> Result<(), Failure> {
        if seq == Seq(1) && matches!(self.purpose, Purpose::Tournament(_)) {
            // The server seats us in the games of a tournament by itself.
            self.take_seat(match_id, true);
        }
        let Some(seat) = self.seats.get_mut(&match_id) else {
            return Ok(());
        };
        if seq != seat.table.seq.next() {
            // A repeat; or what is missing is on its way.
            return Ok(());
        }
        let answer = event
            .as_ref()
            .and_then(|event| seat.table.answer(event, seq));
        let applied = match event {
            Some(event) => seat.table.apply(event),
            None => {
                seat.table.skip();
                Ok(None)
            }
        };
        if let Some(agree) = answer {
            let answer = client::Answer {
                match_id: match_id.to_string(),
                proposed_seq: seq,
                agree,
            };
            self.ask(connection, answer, Asked::Nothing).await?;
        }
        match applied {
            Ok(None) => self.act(connection, match_id).await,
            Ok(Some(end)) => self.ended(connection, match_id, end).await,
            Err(failure) => {
                let why = failure.message_in(self.context.output.words());
                self.give_up(match_id, &why);
                Ok(())
            }
        }
    }

    pub(super) async fn ended(
        &mut self,
        connection: &mut Connection,
        match_id: MatchId,
        end: End,
    ) -> Result<(), Failure> {
        let Some(seat) = self.seats.remove(&match_id) else {
            return Ok(());
        };
        if let Some((_, recall)) = &seat.thinking {
            // A program that still thinks is not waited for: it is started anew.
            self.pool.call_off(recall);
        }
        let result = seat.table.result(end.outcome);
        self.pool.tell_result(seat.game, result);
        self.tally.games += 1;
        self.tally.wins += u64::from(result == "win");
        self.tally.losses += u64::from(result == "loss");
        self.report(match_id, end.outcome.as_str())?;
        match end.next {
            Some(next) => {
                if matches!(self.progress, Progress::Playing(playing) if playing == match_id) {
                    self.progress = Progress::Playing(next);
                }
                self.sit(connection, next).await?;
            }
            None => {
                // An opponent who asks for a rematch need not wait for an answer.
                let leave = client::Leave {
                    match_id: match_id.to_string(),
                };
                self.ask(connection, leave, Asked::Nothing).await?;
            }
        }
        self.go_on(match_id);
        self.begin(connection).await?;
        self.fill_room(connection).await
    }

    /// A match that cannot be played on from here.
    pub(super) fn give_up(&mut self, match_id: MatchId, why: &str) {
        if let Some(seat) = self.seats.remove(&match_id)
            && let Some((_, recall)) = &seat.thinking
        {
            self.pool.call_off(recall);
        }
        let output = &self.context.output;
        let given_up = Message::new("bot-match")
            .text("match", match_id)
            .text("why", why);
        output.warn(&given_up.said(output.words()));
        self.go_on(match_id);
    }

    fn warn_of_resignation(&self, match_id: MatchId, failure: &Failure) {
        let output = &self.context.output;
        let words = output.words();
        let resigned = Message::new("bot-resigned")
            .text("match", match_id)
            .text("why", failure.shown_in(words));
        output.warn(&resigned.said(words));
    }

    pub(super) async fn fill_room(&mut self, connection: &mut Connection) -> Result<(), Failure> {
        while self.seats.len() < self.room
            && let Some(match_id) = self.waiting.pop_front()
        {
            self.sit(connection, match_id).await?;
        }
        Ok(())
    }

    /// A move or a resignation was refused.
    pub(super) fn refused(&mut self, match_id: MatchId, ply: Ply, failure: &Failure) {
        let is_late = [
            ErrorCode::StalePly,
            ErrorCode::MatchOver,
            ErrorCode::NotYourTurn,
        ];
        if is_late.iter().any(|code| failure.has_code(*code)) {
            return;
        }
        let Some(seat) = self.seats.get_mut(&match_id) else {
            return;
        };
        // What is refused for the moment is sent again at the next tick.
        seat.is_sent = false;
        if !is_passing(failure) {
            seat.answer = Some((ply, Choice::Resign));
            self.warn_of_resignation(match_id, failure);
        }
    }
}
