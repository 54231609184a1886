//! What we know of the match: the fold of its events, and which seat is ours.

use grundy_shared::Position;
use grundy_shared::bot::Bot;
use grundy_shared::event::{Clocks, EndReason, Event, Outcome};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Ply, Seat, Seq};
use grundy_shared::practice::{NoHints, no_hints};
use grundy_shared::record::Record;
use grundy_shared::referee::{Referee, Rematch, Status};
use grundy_words::{Catalogue, Language, Message};
use serde_json::Value;

use crate::failure::Failure;
use crate::match_source::local::now;
use crate::render::board::Paint;
use crate::render::{bot_name, clean};

/// Whose moves we make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ours {
    /// Those of the seat that this player has.
    Player(PlayerId),
    /// Those of one seat.
    Seat(Seat),
    /// Both.
    Both,
    /// None: we look on.
    Neither,
}

/// How a match ended. A newer server may know outcomes and reasons that we do not.
#[derive(Debug)]
pub(crate) enum Ending {
    /// As the rules say that we know.
    Known(Outcome, EndReason),
    /// Otherwise.
    Strange {
        /// Who won, if we can tell.
        outcome: Option<Outcome>,
        /// The same in the server's word.
        outcome_word: String,
        /// How, in the server's word.
        reason_word: String,
    },
}

impl Ending {
    /// Who won, if we can tell.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Known(outcome, _) => Some(*outcome),
            Self::Strange { outcome, .. } => *outcome,
        }
    }

    /// Of an `ended` that could not be read whole.
    fn strange(body: &Value) -> Self {
        let word = |field: &str| clean(body[field].as_str().unwrap_or("?"));
        Self::Strange {
            outcome: serde_json::from_value(body["outcome"].clone()).ok(),
            outcome_word: word("outcome"),
            reason_word: word("reason"),
        }
    }
}

/// The match as we know it.
#[derive(Debug)]
pub(crate) struct MatchView {
    match_id: MatchId,
    /// The match is in this process, and nobody else knows of it.
    local: bool,
    ours: Ours,
    referee: Option<Referee>,
    events: Vec<Event>,
    /// Events that only a newer client understands.
    skipped: u64,
    /// The numbers of the events with which each player proposed last: the referee does not count what was skipped.
    proposed_at: [Seq; 2],
    /// The end; if we cannot understand it, the referee does not know it.
    ending: Option<Ending>,
    /// What we asked and was not answered yet, in words: "move A-2".
    pub(crate) pending: Option<String>,
    /// How far the server's time is ahead of ours, in milliseconds.
    ahead_ms: i128,
    /// The language in which it is told.
    language: Language,
}

impl MatchView {
    /// A match of which nothing has been heard yet.
    pub(crate) fn new(match_id: MatchId, ours: Ours) -> Self {
        Self {
            match_id,
            local: false,
            ours,
            referee: None,
            events: Vec::new(),
            skipped: 0,
            proposed_at: [Seq(0); 2],
            ending: None,
            pending: None,
            ahead_ms: 0,
            language: Language::default(),
        }
    }

    /// A match in this process of which nothing has been heard yet.
    pub(crate) fn local(match_id: MatchId, ours: Ours) -> Self {
        Self {
            local: true,
            ..Self::new(match_id, ours)
        }
    }

    /// The rematch of this one, or the next game of its series: sides are swapped.
    pub(crate) fn rematch(&self, match_id: MatchId) -> Self {
        let ours = match self.ours {
            Ours::Seat(seat) => Ours::Seat(seat.other()),
            other => other,
        };
        Self {
            ahead_ms: self.ahead_ms,
            local: self.local,
            language: self.language,
            ..Self::new(match_id, ours)
        }
    }

    /// The same match with nothing heard yet, after moves were taken back.
    pub(crate) fn anew(&self) -> Self {
        Self {
            ahead_ms: self.ahead_ms,
            local: self.local,
            language: self.language,
            ..Self::new(self.match_id, self.ours)
        }
    }

    /// Why the program gives no hints here; `None` where it does: in a match of this process, and against a built-in bot.
    pub(crate) fn no_hints(&self) -> Option<NoHints> {
        if self.local {
            return None;
        }
        let referee = self.referee.as_ref()?;
        match self.seat() {
            Some(seat) => no_hints(referee, seat),
            None => Some(NoHints::Opponent),
        }
    }

    /// Tells it in another language.
    pub(crate) fn tell_in(&mut self, language: Language) {
        self.language = language;
    }

    /// The words in which it is told.
    pub(crate) fn words(&self) -> &'static Catalogue {
        Catalogue::of(self.language)
    }

    /// Its id.
    pub(crate) fn match_id(&self) -> MatchId {
        self.match_id
    }

    /// Whether it is in this process, unknown to any server.
    pub(crate) fn is_local(&self) -> bool {
        self.local
    }

    /// Whether we only look on.
    pub(crate) fn is_watched(&self) -> bool {
        self.ours == Ours::Neither
    }

    /// The next game of the series, once this one has ended.
    pub(crate) fn next_game(&self) -> Option<MatchId> {
        self.referee.as_ref()?.next_match()
    }

    /// Whether this is the first game of a rated pair, and the second has begun: until that is over, nobody may know more of this one.
    pub(crate) fn is_between_rated_games(&self) -> bool {
        self.referee.as_ref().is_some_and(Referee::is_rated) && self.next_game().is_some()
    }

    /// Learns the server's time.
    pub(crate) fn set_time(&mut self, theirs: Millis) {
        self.ahead_ms = i128::from(theirs.0) - i128::from(now().0);
    }

    /// Adds an event, checked by the same laws that the server keeps.
    pub(crate) fn apply(&mut self, event: &Event) -> Result<(), Failure> {
        // What comes after a strange end, such as the offer of a rematch, the referee would call too early.
        if !matches!(self.ending, Some(Ending::Strange { .. })) {
            let applied = match &mut self.referee {
                Some(referee) => referee.apply(event),
                None => Referee::replay([event]).map(|referee| self.referee = Some(referee)),
            };
            applied.map_err(|error| not_understood(&error.to_string()))?;
        }
        if let Event::Ended {
            outcome, reason, ..
        } = event
        {
            self.ending = Some(Ending::Known(*outcome, *reason));
        }
        if let Event::Proposed { seat, .. } = event {
            self.proposed_at[seat.index()] = self.seq().next();
        }
        // What was on its way when moves were taken back was meant for another position; and an invitation that was taken is not cancelled.
        let answers = matches!(
            event,
            Event::Joined { .. }
                | Event::Moved { .. }
                | Event::TakenBack { .. }
                | Event::Ended { .. }
        );
        if answers {
            self.pending = None;
        }
        self.events.push(event.clone());
        Ok(())
    }

    /// Counts an event that this client does not understand, or not in full.
    ///
    /// # Errors
    /// The event is needed to know the game, the players or the state of the match.
    pub(crate) fn skip(&mut self, body: &Value) -> Result<(), Failure> {
        match body["type"].as_str() {
            Some(kind @ ("created" | "joined" | "moved" | "taken_back" | "rematch_accepted")) => {
                return Err(not_understood(&format!(
                    "an event '{kind}' that it cannot read"
                )));
            }
            Some("ended") => {
                self.ending = Some(Ending::strange(body));
                self.pending = None;
            }
            _ => {}
        }
        self.skipped += 1;
        Ok(())
    }

    /// Whether such events have come.
    pub(crate) fn has_skipped(&self) -> bool {
        self.skipped > 0
    }

    /// The state; `None` before the first event.
    pub(crate) fn referee(&self) -> Option<&Referee> {
        self.referee.as_ref()
    }

    /// The record of it, as far as it has come.
    ///
    /// # Errors
    /// Events were skipped: a record without them would be another match's.
    pub(crate) fn record(&self) -> Result<Record, Failure> {
        if self.has_skipped() {
            return Err(Failure::not_understood(Message::new("unknown-events"))
                .help(Message::new("unknown-events-how")));
        }
        Record::new(self.match_id, self.events.clone()).map_err(Failure::internal)
    }

    /// The number of the newest event.
    pub(crate) fn seq(&self) -> Seq {
        Seq(self.events.len() as u64 + self.skipped)
    }

    /// The position now.
    pub(crate) fn position(&self) -> Option<&Position> {
        self.referee.as_ref().map(Referee::position)
    }

    /// What was painted so far.
    pub(crate) fn paint(&self) -> Paint {
        let ply = self.referee.as_ref().map_or(Ply(0), Referee::ply);
        self.paint_after(ply)
    }

    /// What the first moves, as many as this, have painted.
    pub(crate) fn paint_after(&self, ply: Ply) -> Paint {
        let Some(referee) = &self.referee else {
            return Paint::default();
        };
        let moves = referee.moves().iter().take(ply.0 as usize);
        Paint::of(referee.start(), moves.map(|played| &*played.text))
    }

    /// Where the match stands.
    pub(crate) fn status(&self) -> Status {
        match (&self.ending, &self.referee) {
            (Some(_), _) => Status::Over,
            (None, Some(referee)) => referee.status(),
            (None, None) => Status::Waiting,
        }
    }

    /// How it ended, once it has.
    pub(crate) fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Whether it is over.
    pub(crate) fn is_over(&self) -> bool {
        self.status() == Status::Over
    }

    /// Whether the clocks stand still because both players wanted it.
    pub(crate) fn is_paused(&self) -> bool {
        self.referee()
            .is_some_and(|referee| referee.paused_until().is_some())
    }

    /// Whether they stand still until both players agree to resume.
    pub(crate) fn is_adjourned(&self) -> bool {
        self.referee().is_some_and(Referee::is_adjourned)
    }

    /// Whether something that we have proposed is open.
    pub(crate) fn has_proposed(&self) -> bool {
        let ours = self.seat().zip(self.referee());
        ours.is_some_and(|(seat, referee)| referee.proposal(seat).is_some())
    }

    /// The number under which the other player's proposal is answered, if one is open.
    pub(crate) fn to_answer(&self) -> Option<Seq> {
        let other = self.seat()?.other();
        self.referee()?.proposal(other)?;
        Some(self.proposed_at[other.index()])
    }

    /// How much longer the other player must stay away until we can claim something; `None` if we never can as things stand.
    pub(crate) fn claim_in(&self) -> Option<Millis> {
        let from = self.referee()?.claimable_from(self.seat()?)?;
        Some(from.since(self.server_time()))
    }

    /// Whether the other player offers a rematch.
    pub(crate) fn is_offered_rematch(&self) -> bool {
        let ours = self.seat().zip(self.referee());
        ours.is_some_and(|(seat, referee)| referee.rematch() == Rematch::Offered(seat.other()))
    }

    /// Whether both players sit at this keyboard.
    pub(crate) fn is_shared(&self) -> bool {
        self.ours == Ours::Both
    }

    /// Our seat, if we have exactly one.
    pub(crate) fn seat(&self) -> Option<Seat> {
        match self.ours {
            Ours::Seat(seat) => Some(seat),
            Ours::Player(player) => self.referee.as_ref()?.seat_of(player),
            Ours::Both | Ours::Neither => None,
        }
    }

    /// Whether the next move is ours to make, and nothing is on its way. After the last move nobody's is, though the event that
    /// ends the match is still to come.
    pub(crate) fn is_our_turn(&self) -> bool {
        self.pending.is_none()
            && self.referee().is_some_and(|referee| {
                let to_move = referee.to_move();
                self.status() == Status::Live
                    && !self.is_paused()
                    && !referee.position().is_over(to_move)
                    && (self.is_shared() || self.seat() == Some(to_move))
            })
    }

    /// Time left to both, as the server counts it; `None` when untimed.
    pub(crate) fn clocks(&self) -> Option<Clocks> {
        let referee = self.referee.as_ref()?;
        match self.is_delayed() {
            true => referee.clocks_after(referee.ply()),
            false => referee.clocks_at(self.server_time()),
        }
    }

    /// Whether we watch a match whose last moves are hidden from us until later moves are made.
    pub(crate) fn is_delayed(&self) -> bool {
        let on = |referee: &Referee| referee.is_rated() && referee.status() == Status::Live;
        self.is_watched() && self.referee.as_ref().is_some_and(on)
    }

    /// How long until the match is called off if the player to move does not make the first move; `None` if there is no such limit.
    pub(crate) fn first_move_in(&self) -> Option<Millis> {
        let referee = self.referee.as_ref()?;
        if referee.paused_until().is_some() {
            return None;
        }
        let limit = referee.first_move_limit()?;
        let until = referee.deadline();
        // Our idea of the server's time may be behind it.
        let left = until.map_or(limit, |until| until.since(self.server_time()));
        Some(left.min(limit))
    }

    pub(crate) fn server_time(&self) -> Millis {
        let theirs = i128::from(now().0) + self.ahead_ms;
        Millis(u64::try_from(theirs).unwrap_or(0))
    }

    /// The name of the player in this seat.
    pub(crate) fn name(&self, seat: Seat) -> String {
        let player = self
            .referee
            .as_ref()
            .and_then(|referee| referee.player(seat));
        player.map_or_else(
            || {
                let role = match seat {
                    Seat::First => "first",
                    Seat::Second => "second",
                };
                let nobody = Message::new("match-nobody").text("role", role);
                nobody.said(self.words())
            },
            |player| match player.name.parse::<Bot>() {
                Ok(bot) if player.bot => bot_name(&bot, self.words()),
                // Whoever sits at this keyboard has no other name.
                _ if self.is_shared() && player.name == seated(seat) => {
                    Message::new("match-player")
                        .text("number", seat.index() + 1)
                        .said(self.words())
                }
                _ => clean(&player.name),
            },
        )
    }
}

/// What a local match calls whoever sits at the keyboard.
pub(crate) fn seated(seat: Seat) -> String {
    format!("Player {}", seat.index() + 1)
}

/// The match cannot be followed any further.
fn not_understood(why: &str) -> Failure {
    Failure::not_understood(Message::new("unknown-rules").text("said", why))
        .help(Message::new("update-older-server"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::render::sentences;

    fn apply(view: &mut MatchView, event: Value) {
        let event: Event = serde_json::from_value(event).expect("an event");
        view.apply(&event).expect("the laws allow it");
    }

    /// A match of Ada, who moves first, in which we are Bo.
    fn begun(clock: Value) -> MatchView {
        let player = |name: &str, last: u8| {
            let id = format!("00000000-0000-4000-8000-00000000000{last}");
            json!({ "id": id, "name": name, "bot": false })
        };
        let mut view = MatchView::new(
            "7Kq2mVx9Rt".parse().expect("an id"),
            Ours::Seat(Seat::Second),
        );
        let created = json!({
            "type": "created", "at_ms": 1, "position": "nim:3,5,7", "clock": clock,
            "creator": player("Ada", 1), "seat": "first",
        });
        let joined =
            json!({ "type": "joined", "at_ms": 2, "seat": "second", "player": player("Bo", 2) });
        apply(&mut view, created);
        apply(&mut view, joined);
        view
    }

    #[test]
    fn a_proposal_is_answered_under_its_number_in_the_log_whatever_was_skipped() {
        let mut view = begun(json!({ "type": "untimed" }));
        view.skip(&json!({ "type": "applause" }))
            .expect("not needed");
        assert_eq!(view.to_answer(), None);
        let proposed =
            json!({ "type": "proposed", "at_ms": 3, "seat": "first", "proposal": "abort" });
        apply(&mut view, proposed);
        assert_eq!(view.to_answer(), Some(Seq(4)));
        assert!(!view.has_proposed());
    }

    #[test]
    fn what_can_be_claimed_is_told_in_time() {
        let minute = json!({ "type": "fischer", "base_ms": 600_000, "increment_ms": 0 });
        for (clock, patience, words) in [
            (minute, 60_000, "in 1:00"),
            (json!({ "type": "untimed" }), 600_000, "in 10:00"),
        ] {
            let mut view = begun(clock);
            let gone = json!({ "type": "presence", "at_ms": 10, "seat": "first", "online": false });
            let event: Event = serde_json::from_value(gone.clone()).expect("an event");
            view.set_time(Millis(10));
            assert_eq!(view.claim_in(), None);
            assert!(!sentences::words(&view).contains("claim"));
            apply(&mut view, gone);
            let left = view.claim_in().expect("she is away");
            assert!(left.0 > patience - 10_000, "{left:?}");
            let told = sentences::happened(&view, &event).expect("a sentence");
            assert!(told.contains("Ada has disconnected"), "{told}");
            assert!(
                told.contains("If Ada stays away, you can claim the win"),
                "{told}"
            );
            let told = sentences::absent(&view, Millis(patience)).expect("a sentence");
            assert!(told.contains(words), "{told}");
            view.set_time(Millis(10 + patience));
            assert_eq!(view.claim_in(), Some(Millis(0)));
            assert!(sentences::words(&view).contains("claim, "));
            let told = sentences::absent(&view, Millis(0)).expect("a sentence");
            assert!(told.contains("type claim to claim the win"), "{told}");
        }
    }
}
