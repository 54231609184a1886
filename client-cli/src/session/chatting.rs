//! Chat in a match: lines that are typed, and lines that arrive.

use grundy_shared::ids::Seq;
use grundy_shared::protocol::chat::{ChatEvent, ChatLine, Preset, Room};
use grundy_words::{Catalogue, Language};

use super::Session;
use super::typed::Typed;
use crate::failure::Failure;
use crate::match_source::{Ask, Speech};
use crate::render::chat;

impl Session<'_> {
    /// Handles typed chat commands, even while a question is open. Returns whether it was one.
    pub(super) async fn chatted(&mut self, typed: &Typed) -> Result<bool, Failure> {
        let ask = match typed {
            Typed::Say(None) => {
                let presets = chat::presets(self.view.words());
                self.frontend.talk(&presets);
                return Ok(true);
            }
            Typed::Say(Some(text)) => Ask::Say(speech(text)),
            Typed::Chat => Ask::Lines,
            Typed::Mute(named) | Typed::Unmute(named) => {
                let Some(player) = named.clone().or_else(|| self.opponent()) else {
                    self.cannot("typed-mute-whom")?;
                    return Ok(true);
                };
                let muted = matches!(typed, Typed::Mute(_));
                Ask::Mute { player, muted }
            }
            _ => return Ok(false),
        };
        if self.view.is_local() {
            self.cannot("typed-nobody-to-talk-to")?;
        } else {
            self.propose(ask).await;
        }
        Ok(true)
    }

    /// The other player's id, if we play.
    fn opponent(&self) -> Option<String> {
        let seat = self.view.seat()?;
        let other = self.view.referee()?.player(seat.other())?;
        Some(other.id.to_string())
    }

    /// Shows a new line.
    pub(super) fn said(&mut self, room: Room, seq: Seq, event: &ChatEvent) -> Result<(), Failure> {
        self.frontend.said(&self.view, room, seq, event)
    }

    /// Shows the last lines of the room, which were requested.
    pub(super) fn lines_said(&mut self, room: Room, lines: &[ChatLine]) -> Result<(), Failure> {
        self.frontend.lines_said(&self.view, room, lines)
    }
}

/// A preset if the text is its phrase or its name, else the text.
fn speech(text: &str) -> Speech {
    let simple = |text: &str| {
        let text = text.to_lowercase().replace(['_', ','], " ");
        let words: Vec<_> = text
            .trim_end_matches(['!', '.', '\u{ff01}', '\u{3002}'])
            .split_whitespace()
            .collect();
        words.join(" ")
    };
    let typed = simple(text);
    let chinese = Catalogue::of(Language::Chinese);
    let is_typed = |preset: &&Preset| {
        typed == simple(preset.as_str())
            || typed == simple(preset.words())
            || typed == simple(&chat::preset_said(**preset, chinese))
    };
    match Preset::ALL.iter().find(is_typed) {
        Some(preset) => Speech::Preset(*preset),
        None => Speech::Text(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_preset_are_the_preset() {
        for (typed, preset) in [
            ("good luck", Preset::GoodLuck),
            ("Good luck!", Preset::GoodLuck),
            ("good_luck", Preset::GoodLuck),
            ("thanks", Preset::Thanks),
            ("Thank you.", Preset::Thanks),
            ("one moment please", Preset::OneMoment),
            ("\u{597d}\u{68cb}\u{ff01}", Preset::NiceMove),
        ] {
            assert_eq!(speech(typed), Speech::Preset(preset), "{typed}");
        }
        let text = "good luck to you";
        assert_eq!(speech(text), Speech::Text(text.to_owned()));
    }
}
