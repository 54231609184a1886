//! Chat of the players and watchers of a match.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::known::known;
use super::{INTEGER_MAX, PAGE_MAX};
use crate::event::PlayerInfo;
use crate::ids::{MatchId, Millis, Seq};

/// A room of a match.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Room {
    /// Only for the two players, during the match and afterwards.
    Players,
    /// For everybody else, and for the two players once the match is over.
    Watchers,
}

impl Room {
    /// All rooms of a match.
    pub const ALL: [Self; 2] = [Self::Players, Self::Watchers];

    /// The name of the room on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Players => "players",
            Self::Watchers => "watchers",
        }
    }
}

impl fmt::Display for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// No room has this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no room {0:?}: the rooms are players and watchers")]
pub struct UnknownRoom(pub String);

impl FromStr for Room {
    type Err = UnknownRoom;

    fn from_str(text: &str) -> Result<Self, UnknownRoom> {
        let found = Self::ALL.into_iter().find(|room| room.as_str() == text);
        found.ok_or_else(|| UnknownRoom(text.to_owned()))
    }
}

/// Declares the presets once: variant, wire text, English words.
macro_rules! presets {
    ($($(#[$about:meta])* $variant:ident $name:literal $words:literal,)*) => {
        /// A common phrase, sent as a fact: each client shows it in its own language.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
        pub enum Preset {
            $($(#[$about])* #[serde(rename = $name)] $variant,)*
        }

        impl Preset {
            /// Every preset, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The text on the wire.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// The phrase in English.
            #[must_use]
            pub fn words(self) -> &'static str {
                match self { $(Self::$variant => $words),* }
            }
        }
    };
}

presets! {
    /// Hello.
    Hello "hello" "Hello",
    /// Good luck.
    GoodLuck "good_luck" "Good luck",
    /// Have fun.
    HaveFun "have_fun" "Have fun",
    /// The same to you.
    YouToo "you_too" "You too",
    /// One moment, please.
    OneMoment "one_moment" "One moment, please",
    /// That was a good move.
    NiceMove "nice_move" "Nice move",
    /// That was a mistake.
    Oops "oops" "Oops",
    /// Good game.
    GoodGame "good_game" "Good game",
    /// Well played.
    WellPlayed "well_played" "Well played",
    /// Thank you.
    Thanks "thanks" "Thank you",
    /// I am sorry.
    Sorry "sorry" "Sorry",
    /// I have to leave.
    Goodbye "goodbye" "Goodbye",
}

impl FromStr for Preset {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut all = Self::ALL.iter().copied();
        all.find(|preset| preset.as_str() == text).ok_or(())
    }
}

/// What happens in a room. Each event has a number: 1, 2, … in each room of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ChatEvent {
    /// A player said something. Either `text` or `preset` is present.
    Said {
        /// When.
        at_ms: Millis,
        /// The player.
        player: PlayerInfo,
        /// The text: 1 to 200 characters in Unicode form NFC, on one line. Do not trust it: remove what your output would interpret.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// One of the presets.
        #[serde(
            default,
            deserialize_with = "known",
            skip_serializing_if = "Option::is_none"
        )]
        preset: Option<Preset>,
    },
}

impl ChatEvent {
    /// The JSON form in which the event is stored.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an event has only string keys and plain values")
    }
}

/// An event of a room with its number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChatLine {
    /// The number of the event in its room.
    pub seq: Seq,
    /// The event.
    pub body: ChatEvent,
}

/// The bounds of chat on this server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChatLimits {
    /// Maximum length of a text, in characters.
    pub characters: u32,
    /// Lines that a player may say at once.
    pub burst: u32,
    /// Lines per minute that a player may say after such a burst.
    pub per_minute: u32,
    /// Maximum number of lines in one room of a match.
    pub lines_per_room: u32,
    /// Maximum number of lines of one player in one room of a match.
    pub lines_per_player: u32,
    /// Maximum number of players that one player may mute.
    pub muted: u32,
}

/// Writes the frame of an event of a room from the JSON in which it is stored.
#[must_use]
pub fn chat_frame(match_id: MatchId, room: Room, seq: Seq, event_json: &str) -> String {
    format!(r#"{{"chat":"{match_id}","room":"{room}","seq":{seq},"body":{event_json}}}"#)
}

/// See [`ClientMessage::Say`](super::ClientMessage::Say).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Say {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The room.
    pub room: Room,
    /// The text, 1 to 200 characters on one line. The server converts it to Unicode form NFC, with single spaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// A preset instead of `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<Preset>,
}

/// See [`ClientMessage::Chat`](super::ClientMessage::Chat).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chat {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The room.
    pub room: Room,
    /// The number of the last line that you have. 0 if absent: the page begins with the first line.
    #[serde(default)]
    #[schemars(range(max = INTEGER_MAX))]
    pub after: Seq,
    /// Maximum number of lines on the page, 1 to 200. 50 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = PAGE_MAX))]
    pub limit: Option<u32>,
}

/// See [`ClientMessage::Mute`](super::ClientMessage::Mute).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mute {
    /// The id or the name of the player.
    pub player: String,
}

/// See [`ClientMessage::Unmute`](super::ClientMessage::Unmute).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unmute {
    /// The id or the name of the player.
    pub player: String,
}

/// See [`ClientMessage::Muted`](super::ClientMessage::Muted).
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Muted {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_and_presets_are_read_as_they_are_written() {
        for room in Room::ALL {
            assert_eq!(room.to_string().parse(), Ok(room));
            let json = serde_json::to_string(&room).expect("a word");
            assert_eq!(json, format!("\"{room}\""));
        }
        assert!("kitchen".parse::<Room>().is_err());
        for preset in Preset::ALL {
            assert_eq!(preset.as_str().parse(), Ok(*preset));
            assert!(!preset.words().is_empty());
        }
        assert_eq!("boo".parse::<Preset>(), Err(()));
    }

    #[test]
    fn a_preset_that_a_newer_server_knows_is_no_fault() {
        let line = r#"{"type":"said","at_ms":1,"player":{"id":"67e55044-10b1-426f-9247-bb680e5fe0c8","name":"Ada","bot":false},"preset":"nice_hat"}"#;
        let ChatEvent::Said { text, preset, .. } =
            serde_json::from_str(line).expect("it can be read");
        assert_eq!((text, preset), (None, None));
    }
}
