//! The match as NDJSON, for programs: every line has a `type`, every event its `seq`.

use std::time::Duration;

use grundy_shared::event::Event;
use grundy_shared::ids::{Ply, Seq};
use grundy_shared::protocol::ChatEvent;
use grundy_shared::protocol::chat::{ChatLine, Room};
use grundy_shared::protocol::rating::RatedChange;
use grundy_shared::referee::Referee;
use serde_json::{Value, json};

use super::frontend::{Before, Frontend, Opening, Question};
use super::match_view::{Ending, MatchView};
use super::typed::Typed;
use super::verdict::Verdict;
use crate::failure::Failure;
use crate::output::Output;

/// Moves that `moves` lists.
const LISTED_MOVES: usize = 1_000;

/// JSON mode.
#[derive(Debug)]
pub(super) struct JsonFrontend {
    output: Output,
}

impl JsonFrontend {
    pub(super) fn new(output: Output) -> Self {
        Self { output }
    }

    fn say(&self, view: &MatchView, kind: &str, mut line: Value) -> Result<(), Failure> {
        line["type"] = json!(kind);
        line["match"] = json!(view.match_id());
        self.output.object(&line)
    }

    /// Adds the state, which every line about an event contains.
    fn state(view: &MatchView, mut line: Value) -> Value {
        if let Some(referee) = view.referee() {
            line["position"] = json!(referee.position().to_string());
            line["to_move"] = json!(referee.to_move());
            line["your_turn"] = json!(view.is_our_turn());
        }
        line
    }
}

impl Frontend for JsonFrontend {
    fn seated(&mut self, view: &MatchView, opening: &Opening) -> Result<(), Failure> {
        let mut line = json!({ "schema": "grundy/play/1" });
        let how = match opening {
            Opening::Created { invitation } => {
                if let Some(invitation) = invitation {
                    line["code"] = json!(invitation.code());
                    line["command"] = json!(invitation.command());
                    line["link"] = json!(invitation.link());
                    line["expires_at_ms"] = json!(invitation.expires_at_ms());
                }
                "created"
            }
            Opening::Joined => "joined",
            Opening::Attached => "attached",
        };
        line["how"] = json!(how);
        self.say(view, "welcome", line)
    }

    fn waiting(&mut self, _: Duration) {}

    fn event(
        &mut self,
        view: &MatchView,
        _: &Before,
        seq: Seq,
        event: &Event,
    ) -> Result<(), Failure> {
        let mut line = Self::state(view, json!(event));
        line["match"] = json!(view.match_id());
        line["seq"] = json!(seq);
        self.output.object(&line)
    }

    fn unknown(&mut self, view: &MatchView, seq: Seq, body: &Value) -> Result<(), Failure> {
        let mut line = Self::state(view, body.clone());
        line["match"] = json!(view.match_id());
        line["seq"] = json!(seq);
        self.output.object(&line)
    }

    fn caught_up(&mut self, view: &MatchView) -> Result<(), Failure> {
        let seat = view.seat();
        let moves = view.referee().map_or(0, |referee| referee.ply().0);
        let line = json!({ "seq": view.seq(), "seat": seat, "ply": moves, "clocks": view.clocks(), "paused": view.is_paused() });
        self.say(view, "snapshot", Self::state(view, line))
    }

    fn over(
        &mut self,
        view: &MatchView,
        verdict: Option<&Verdict>,
        kept: bool,
    ) -> Result<(), Failure> {
        let review = verdict.map(|verdict| &verdict.review);
        let (outcome, reason) = match view.ending() {
            None => (Value::Null, Value::Null),
            Some(Ending::Known(outcome, reason)) => (json!(outcome), json!(reason)),
            Some(Ending::Strange {
                outcome_word,
                reason_word,
                ..
            }) => (json!(outcome_word), json!(reason_word)),
        };
        let known = view.ending().and_then(Ending::outcome);
        let you_won =
            known.map(|outcome| outcome.winner().is_some() && outcome.winner() == view.seat());
        let mut line = json!({ "outcome": outcome, "reason": reason, "you_won": you_won, "turning_points": review.map(|review| &review.turning_points), "decisive_ply": review.and_then(|review| review.decisive_ply) });
        if let Some(reasons) = verdict.and_then(|verdict| verdict.reasons.as_ref()) {
            line["reasons"] = json!(reasons);
        }
        if view.is_local() {
            line["kept"] = json!(kept);
        }
        let series = view.referee().and_then(Referee::series);
        if let (Some(series), Some(outcome)) = (series, known) {
            line["series"] = json!(series.after(outcome));
            line["next"] = json!(view.next_game());
        }
        self.say(view, "result", line)
    }

    fn rated(
        &mut self,
        view: &MatchView,
        [first, second]: &[RatedChange; 2],
    ) -> Result<(), Failure> {
        self.say(view, "rated", json!({ "first": first, "second": second }))
    }

    fn said(
        &mut self,
        view: &MatchView,
        room: Room,
        seq: Seq,
        event: &ChatEvent,
    ) -> Result<(), Failure> {
        let mut line = json!(event);
        line["room"] = json!(room);
        line["line"] = json!(seq);
        self.say(view, "said", line)
    }

    fn lines_said(
        &mut self,
        view: &MatchView,
        room: Room,
        lines: &[ChatLine],
    ) -> Result<(), Failure> {
        let numbered = |said: &ChatLine| {
            let mut line = json!(said.body);
            line["line"] = json!(said.seq);
            line
        };
        let lines: Vec<Value> = lines.iter().map(numbered).collect();
        self.say(view, "chat", json!({ "room": room, "lines": lines }))
    }

    fn lost(&mut self, view: &MatchView, failure: &Failure) -> Result<(), Failure> {
        self.say(
            view,
            "disconnected",
            json!({ "message": failure.message(), "pending": view.pending }),
        )
    }

    fn back(&mut self, view: &MatchView, away: Duration, ply: Option<Ply>) -> Result<(), Failure> {
        let away = u64::try_from(away.as_millis()).unwrap_or(u64::MAX);
        let ply = ply.or_else(|| view.referee().map(Referee::ply));
        self.say(view, "reconnected", json!({ "away_ms": away, "ply": ply }))
    }

    fn undone(&mut self, view: &MatchView) -> Result<(), Failure> {
        let ply = view.referee().map(Referee::ply);
        self.say(
            view,
            "undone",
            Self::state(view, json!({ "seq": view.seq(), "ply": ply })),
        )
    }

    fn advise(&mut self, view: &MatchView, kind: &str, text: &str) -> Result<(), Failure> {
        self.say(view, kind, json!({ "text": text }))
    }

    fn refused(&mut self, failure: &Failure) -> Result<(), Failure> {
        self.output
            .object(&json!({ "type": "error", "error": failure.for_programs() }))
    }

    fn line_typed(&mut self, _: &str) {}

    fn answer(&mut self, view: &MatchView, typed: &Typed) -> Result<(), Failure> {
        let Some(referee) = view.referee() else {
            return Ok(());
        };
        match typed {
            Typed::Moves(from) => {
                let (position, to_move) = (referee.position(), referee.to_move());
                let listed: Vec<String> = position
                    .moves_from(to_move, from.saturating_sub(1))
                    .take(LISTED_MOVES)
                    .map(|mv| mv.to_string())
                    .collect();
                let total = position.move_count(to_move);
                let total = u64::try_from(total).ok().filter(|total| *total < 1 << 53);
                self.say(view, "moves", json!({ "moves": listed, "total": total }))
            }
            Typed::Clock => self.say(view, "clock", json!({ "clocks": view.clocks() })),
            _ => self.say(
                view,
                "board",
                Self::state(view, json!({ "ply": referee.ply() })),
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

    fn prompt(&mut self, _: &MatchView, _: Option<Question>) -> Result<(), Failure> {
        Ok(())
    }
}
