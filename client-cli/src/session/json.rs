//! The match as NDJSON, for programs: every line has a `type`, every event its `seq`.

use std::time::Duration;

use grundy_shared::event::Event;
use grundy_shared::ids::{Ply, Seq};
use grundy_shared::review::Review;
use serde_json::{Value, json};

use super::board::{Board, Ending};
use super::typed::Typed;
use super::{Before, Face, Opening, Question};
use crate::failure::Failure;
use crate::output::Output;

/// Moves that `moves` lists.
const LISTED_MOVES: usize = 1_000;

/// JSON mode.
#[derive(Debug)]
pub(super) struct JsonFace {
    output: Output,
}

impl JsonFace {
    pub(super) fn new(output: Output) -> Self {
        Self { output }
    }

    fn say(&self, board: &Board, kind: &str, mut line: Value) -> Result<(), Failure> {
        line["type"] = json!(kind);
        line["match"] = json!(board.match_id());
        self.output.object(&line)
    }

    /// The state in every line that tells of an event.
    fn state(board: &Board, mut line: Value) -> Value {
        if let Some(referee) = board.referee() {
            line["position"] = json!(referee.position().to_string());
            line["to_move"] = json!(referee.to_move());
            line["your_turn"] = json!(board.is_our_turn());
        }
        line
    }
}

impl Face for JsonFace {
    fn seated(&mut self, board: &Board, opening: &Opening) -> Result<(), Failure> {
        let mut line = json!({ "schema": "grundy/play/1" });
        let how = match opening {
            Opening::Created { invitation } => {
                if let Some(invitation) = invitation {
                    line["code"] = json!(invitation.code);
                    line["command"] = json!(invitation.command);
                    line["expires_at_ms"] = json!(invitation.expires_at_ms);
                }
                "created"
            }
            Opening::Joined => "joined",
            Opening::Attached => "attached",
        };
        line["how"] = json!(how);
        self.say(board, "welcome", line)
    }

    fn waiting(&mut self, _: Duration) {}

    fn event(&mut self, board: &Board, _: &Before, seq: Seq, event: &Event) -> Result<(), Failure> {
        let mut line = Self::state(board, json!(event));
        line["match"] = json!(board.match_id());
        line["seq"] = json!(seq);
        self.output.object(&line)
    }

    fn unknown(&mut self, board: &Board, seq: Seq, body: &Value) -> Result<(), Failure> {
        let mut line = Self::state(board, body.clone());
        line["match"] = json!(board.match_id());
        line["seq"] = json!(seq);
        self.output.object(&line)
    }

    fn caught_up(&mut self, board: &Board) -> Result<(), Failure> {
        let seat = board.seat();
        let moves = board.referee().map_or(0, |referee| referee.ply().0);
        let line =
            json!({ "seq": board.seq(), "seat": seat, "ply": moves, "clocks": board.clocks() });
        self.say(board, "snapshot", Self::state(board, line))
    }

    fn over(&mut self, board: &Board, review: Option<&Review>) -> Result<(), Failure> {
        let (outcome, reason) = match board.ending() {
            None => (Value::Null, Value::Null),
            Some(Ending::Known(outcome, reason)) => (json!(outcome), json!(reason)),
            Some(Ending::Strange {
                outcome_word,
                reason_word,
                ..
            }) => (json!(outcome_word), json!(reason_word)),
        };
        let known = board.ending().and_then(Ending::outcome);
        let you_won =
            known.map(|outcome| outcome.winner().is_some() && outcome.winner() == board.seat());
        let line = json!({ "outcome": outcome, "reason": reason, "you_won": you_won, "turning_points": review.map(|review| &review.turning_points), "decisive_ply": review.and_then(|review| review.decisive_ply) });
        self.say(board, "result", line)
    }

    fn lost(&mut self, board: &Board, failure: &Failure) -> Result<(), Failure> {
        self.say(
            board,
            "disconnected",
            json!({ "message": failure.message(), "pending": board.pending }),
        )
    }

    fn back(&mut self, board: &Board, away: Duration, ply: Ply) -> Result<(), Failure> {
        let away = u64::try_from(away.as_millis()).unwrap_or(u64::MAX);
        self.say(board, "reconnected", json!({ "away_ms": away, "ply": ply }))
    }

    fn refused(&mut self, failure: &Failure) -> Result<(), Failure> {
        self.output
            .object(&json!({ "type": "error", "error": failure.for_programs() }))
    }

    fn line_typed(&mut self) {}

    fn answer(&mut self, board: &Board, typed: &Typed) -> Result<(), Failure> {
        let Some(referee) = board.referee() else {
            return Ok(());
        };
        match typed {
            Typed::Moves => {
                let (position, to_move) = (referee.position(), referee.to_move());
                let listed: Vec<String> = position
                    .moves(to_move)
                    .take(LISTED_MOVES)
                    .map(|mv| mv.to_string())
                    .collect();
                let total = position.move_count(to_move);
                let total = u64::try_from(total).ok().filter(|total| *total < 1 << 53);
                self.say(board, "moves", json!({ "moves": listed, "total": total }))
            }
            Typed::Clock => self.say(board, "clock", json!({ "clocks": board.clocks() })),
            _ => self.say(
                board,
                "board",
                Self::state(board, json!({ "ply": referee.ply() })),
            ),
        }
    }

    fn confirm(&mut self, _: Question) -> Result<(), Failure> {
        Ok(())
    }

    fn talk(&mut self, words: &str) {
        self.output.talk(words);
    }

    fn leave(&mut self) {}

    fn prompt(&mut self, _: &Board, _: Option<Question>) -> Result<(), Failure> {
        Ok(())
    }
}
