//! The body of an event without a player's name and words. Everything else of it stays, byte for byte where the event is not a line of chat or of a
//! tournament.

use std::collections::BTreeSet;

use bytes::Bytes;
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, PlayerId, Seat};
use grundy_shared::protocol::ChatEvent;
use grundy_shared::tournament::{Dated, TournamentEvent};
use serde_json::Value;

use crate::names::name_key;
use crate::store::{Logged, StoreError, StreamId};

/// What stands in place of a text that the player has said.
pub(super) const ERASED_TEXT: &str = "(erased)";

/// The beginning of a move's `client_move_id` field. Inside a text, the quotes would be escaped.
const MOVE_ID: &str = ",\"client_move_id\":";

/// The role of a player in a log.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    /// The player's seat in a match.
    seat: Option<Seat>,
    /// Whether the player organises the tournament.
    pub(super) organises: bool,
    /// The names under which other players have entered the tournament: one may have a former name of this player now. Without that name on the list of
    /// those who may enter, the log would contradict itself.
    others: BTreeSet<String>,
}

/// Whose name goes, and what takes its place.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) player: PlayerId,
    /// The name that stands for the player.
    pub(super) name: String,
    /// The names that the player has had.
    pub(super) former: Vec<String>,
}

impl Subject {
    /// How an event begins to describe the player. A quote within a text is escaped, so no text has this.
    pub(super) fn mark(&self) -> String {
        format!("{{\"id\":\"{}\",\"name\":", self.player)
    }

    /// The former names as they stand in lists.
    pub(super) fn quoted(&self) -> Vec<String> {
        let names = self.former.iter();
        names
            .map(|name| serde_json::to_string(name).expect("a text can be written"))
            .collect()
    }

    /// The body without the names and the words of the player, who has this role in the log; `None` if it contains none.
    ///
    /// # Errors
    /// `Corrupt`: it is not what events of such a log are, or it names the player in a way that is not known here.
    pub(super) fn cleaned(
        &self,
        stream: StreamId,
        body: &Bytes,
        part: &Part,
    ) -> Result<Option<Bytes>, StoreError> {
        let text = std::str::from_utf8(body).map_err(corrupt)?;
        let renamed = self.renamed(text)?;
        let now = renamed.as_deref().unwrap_or(text);
        let now = match stream {
            StreamId::Chat(..) => self.silenced(now)?,
            StreamId::Tournament(_) if stream != StreamId::of_catalogue() => {
                self.untitled(now, part)?
            }
            StreamId::Match(_) => unnamed_move(now, part)?,
            _ => None,
        }
        .or(renamed);
        let Some(now) = now else {
            return Ok(None);
        };
        let value: Value = serde_json::from_str(&now).map_err(corrupt)?;
        match self.is_named_in(&value) {
            true => Err(corrupt("it names the player in a way that is not known")),
            false => Ok((now != text).then(|| now.into())),
        }
    }

    /// The names under which an event describes the player are added to these.
    ///
    /// # Errors
    /// `Corrupt`, as [`Subject::cleaned`].
    pub(super) fn collect(&mut self, body: &Bytes) -> Result<(), StoreError> {
        let text = std::str::from_utf8(body).map_err(corrupt)?;
        let mark = self.mark();
        let mut rest = text;
        while let Some(at) = rest.find(&mark) {
            let (name, length) = leading_text(&rest[at + mark.len()..])?;
            rest = &rest[at + mark.len() + length..];
            if name != self.name && !self.former.contains(&name) {
                self.former.push(name);
            }
        }
        Ok(())
    }

    fn renamed(&self, text: &str) -> Result<Option<String>, StoreError> {
        let mark = self.mark();
        let new = serde_json::to_string(&self.name).expect("a text can be written");
        let mut renamed = None;
        let mut rest = text;
        while let Some(at) = rest.find(&mark) {
            let (before, described) = rest.split_at(at + mark.len());
            let (_, length) = leading_text(described)?;
            let whole = renamed.get_or_insert_with(String::new);
            whole.push_str(before);
            whole.push_str(&new);
            rest = &described[length..];
        }
        Ok(renamed.map(|whole| whole + rest))
    }

    fn silenced(&self, text: &str) -> Result<Option<String>, StoreError> {
        let ChatEvent::Said {
            at_ms,
            player,
            text: said,
            preset,
        } = serde_json::from_str(text).map_err(corrupt)?;
        if player.id != self.player || said.is_none_or(|said| said == ERASED_TEXT) {
            return Ok(None);
        }
        let silenced = ChatEvent::Said {
            at_ms,
            player,
            text: Some(ERASED_TEXT.to_owned()),
            preset,
        };
        Ok(Some(silenced.to_json()))
    }

    /// The event of a tournament without the player on the list of those who may enter, and without what the player wrote as its organiser.
    fn untitled(&self, text: &str, part: &Part) -> Result<Option<String>, StoreError> {
        let mut dated: Dated = serde_json::from_str(text).map_err(corrupt)?;
        let written = match &mut dated.event {
            TournamentEvent::Created { name, .. } => name,
            // The server may have given the reason, or an operator: that is not known.
            TournamentEvent::Cancelled { reason } if !reason.is_empty() => reason,
            _ => return Ok(None),
        };
        let mut changed = part.organises && written != ERASED_TEXT;
        if changed {
            ERASED_TEXT.clone_into(written);
        }
        if let TournamentEvent::Created { admission, .. } = &mut dated.event {
            let keys: Vec<String> = self.former.iter().map(|name| name_key(name)).collect();
            for name in &mut admission.names {
                if !part.others.contains(name) && keys.contains(&name_key(name)) {
                    name.clone_from(&self.name);
                    changed = true;
                }
            }
        }
        Ok(changed.then(|| dated.to_json()))
    }

    /// The role of the player in a log.
    ///
    /// # Errors
    /// `Corrupt`: an event does not belong in such a log.
    pub(super) fn part_in(&self, stream: StreamId, log: &[Logged]) -> Result<Part, StoreError> {
        match stream {
            StreamId::Tournament(_) if stream != StreamId::of_catalogue() => {
                self.part_in_tournament(log)
            }
            StreamId::Match(_) => self.part_in_match(log),
            _ => Ok(Part::default()),
        }
    }

    fn part_in_match(&self, log: &[Logged]) -> Result<Part, StoreError> {
        let mut part = Part::default();
        // The first two events with a player name both players.
        for logged in log {
            let sits = match serde_json::from_slice(&logged.body).map_err(corrupt)? {
                Event::Created { creator, seat, .. } => (creator.id, seat),
                Event::Joined { player, seat, .. } => (player.id, seat),
                _ => continue,
            };
            if sits.0 == self.player {
                part.seat = Some(sits.1);
                break;
            }
        }
        Ok(part)
    }

    fn part_in_tournament(&self, log: &[Logged]) -> Result<Part, StoreError> {
        let mut part = Part::default();
        for logged in log {
            let dated: Dated = serde_json::from_slice(&logged.body).map_err(corrupt)?;
            match dated.event {
                TournamentEvent::Created { organiser, .. } => {
                    part.organises = organiser.id == self.player;
                }
                TournamentEvent::Entered { player } if player.id != self.player => {
                    part.others.insert(player.name);
                }
                _ => {}
            }
        }
        Ok(part)
    }

    fn is_named_in(&self, value: &Value) -> bool {
        match value {
            Value::Object(fields) => {
                let other = |name: &Value| name.as_str().is_some_and(|name| name != self.name);
                let describes = fields.get("id").and_then(Value::as_str)
                    == Some(&*self.player.to_string())
                    && fields.get("name").is_some_and(other);
                describes || fields.values().any(|field| self.is_named_in(field))
            }
            Value::Array(items) => items.iter().any(|item| self.is_named_in(item)),
            _ => false,
        }
    }
}

/// The event of a match without the name that the player's program gave to a move of the player.
fn unnamed_move(text: &str, part: &Part) -> Result<Option<String>, StoreError> {
    let Some(at) = text.find(MOVE_ID) else {
        return Ok(None);
    };
    match serde_json::from_str(text).map_err(corrupt)? {
        Event::Moved { seat, .. } if part.seat == Some(seat) => {
            let (before, named) = text.split_at(at);
            let (_, length) = leading_text(&named[MOVE_ID.len()..])?;
            let after = &named[MOVE_ID.len() + length..];
            Ok(Some(format!("{before}{after}")))
        }
        _ => Ok(None),
    }
}

/// The event of a tournament with another head of this match; `None` if it does not end that match.
///
/// # Errors
/// `Corrupt`: it is no event of a tournament.
pub(super) fn with_head(body: &Bytes, of: MatchId, new: &str) -> Result<Option<Bytes>, StoreError> {
    let mut dated: Dated = serde_json::from_slice(body).map_err(corrupt)?;
    match &mut dated.event {
        TournamentEvent::GameEnded { match_id, head, .. } if *match_id == of => {
            new.clone_into(head);
            Ok(Some(dated.to_json().into()))
        }
        _ => Ok(None),
    }
}

/// The JSON text at the beginning, and its length as it is written.
fn leading_text(text: &str) -> Result<(String, usize), StoreError> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<String>();
    match values.next() {
        Some(Ok(name)) => Ok((name, values.byte_offset())),
        _ => Err(corrupt("a name is no text")),
    }
}

fn corrupt(why: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt {
        why: why.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use grundy_shared::event::PlayerInfo;
    use grundy_shared::ids::Millis;
    use grundy_shared::protocol::chat::Room;
    use proptest::prelude::*;

    use super::*;

    fn subject() -> Subject {
        Subject {
            player: PlayerId::from_random(7),
            name: "erased-x".to_owned(),
            former: vec!["Ada \"the\" 1st".to_owned()],
        }
    }

    fn clean(stream: StreamId, body: &Bytes) -> Result<Option<Bytes>, StoreError> {
        subject().cleaned(stream, body, &Part::default())
    }

    fn described(id: u128, name: &str) -> String {
        let player = PlayerInfo {
            id: PlayerId::from_random(id),
            name: name.to_owned(),
            bot: false,
        };
        serde_json::to_string(&player).unwrap()
    }

    fn said(id: u128, name: &str, text: &str) -> Bytes {
        let said = ChatEvent::Said {
            at_ms: Millis(5),
            player: PlayerInfo {
                id: PlayerId::from_random(id),
                name: name.to_owned(),
                bot: false,
            },
            text: Some(text.to_owned()),
            preset: None,
        };
        said.to_json().into()
    }

    #[test]
    fn only_the_name_of_the_player_changes() {
        let (own, other) = (described(7, "Ada \"the\" 1st"), described(8, "Bo"));
        let body = format!(r#"{{"type":"x","a":{own},"list":[{other},{own}],"text":"{{\"id\":"}}"#);
        let cleaned = clean(StreamId::Audit, &body.clone().into());
        let neutral = described(7, "erased-x");
        assert_eq!(cleaned, Ok(Some(body.replace(&own, &neutral).into())));
        let untouched = format!(r#"{{"a":{other}}}"#);
        assert_eq!(clean(StreamId::Audit, &untouched.into()), Ok(None));
    }

    #[test]
    fn a_description_in_another_form_is_refused_rather_than_overlooked() {
        let id = PlayerId::from_random(7);
        let body = format!(
            r#"{{"a":{},"b":{{"name":"Ada","id":"{id}"}}}}"#,
            described(7, "Ada")
        );
        let cleaned = clean(StreamId::Audit, &body.into());
        assert!(
            matches!(cleaned, Err(StoreError::Corrupt { .. })),
            "{cleaned:?}"
        );
    }

    #[test]
    fn texts_of_the_player_go_and_those_of_others_stay() {
        let room = StreamId::Chat(MatchId::from_random(1), Room::Watchers);
        let cleaned = clean(room, &said(7, "Ada", "my address is …"));
        assert_eq!(cleaned, Ok(Some(said(7, "erased-x", ERASED_TEXT))));
        let again = clean(room, &said(7, "erased-x", ERASED_TEXT));
        assert_eq!(again, Ok(None));
        assert_eq!(clean(room, &said(8, "Bo", "Ada?")), Ok(None));
    }

    #[test]
    fn names_are_collected_as_they_are_found() {
        let mut subject = subject();
        let body = format!("[{},{}]", described(7, "Zoë\n"), described(8, "Bo"));
        subject.collect(&body.into()).unwrap();
        assert_eq!(subject.former[1..], ["Zoë\n".to_owned()]);
    }

    proptest! {
        #[test]
        fn no_name_is_left_whatever_it_is(name in "\\PC{1,32}", text in "\\PC{1,60}") {
            prop_assume!(name != "erased-x" && !text.contains(&name));
            let room = StreamId::Chat(MatchId::from_random(1), Room::Players);
            let cleaned = clean(room, &said(7, &name, &text)).unwrap().unwrap();
            prop_assert_eq!(cleaned, said(7, "erased-x", ERASED_TEXT));
        }
    }
}
