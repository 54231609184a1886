//! Chat lines as text.

use grundy_shared::protocol::chat::{ChatEvent, ChatLine, Preset};
use grundy_words::{Catalogue, Language, Message};

use super::clean;

/// A line as people read it: the speaker and the text.
pub(crate) fn line(event: &ChatEvent, words: &Catalogue) -> String {
    let ChatEvent::Said {
        player,
        text,
        preset,
        ..
    } = event;
    let said = match (text, preset) {
        (Some(text), _) => clean(text),
        (None, Some(known)) => preset_said(*known, words),
        (None, None) => words.say("chat-unknown"),
    };
    format!("{}: {said}", clean(&player.name))
}

/// The last lines of a room.
pub(crate) fn lines(lines: &[ChatLine], words: &Catalogue) -> String {
    match lines {
        [] => words.say("chat-nothing"),
        lines => {
            let lines: Vec<String> = lines.iter().map(|said| line(&said.body, words)).collect();
            lines.join("\n")
        }
    }
}

/// A phrase that everybody reads in their own language.
pub(crate) fn preset_said(preset: Preset, words: &Catalogue) -> String {
    match words.language() {
        Language::English => preset.words().to_owned(),
        Language::Chinese => words.say(&format!("said-{}", preset.as_str())),
    }
}

/// The list of presets.
pub(crate) fn presets(words: &Catalogue) -> String {
    let phrases: Vec<String> = Preset::ALL
        .iter()
        .map(|preset| preset_said(*preset, words))
        .collect();
    Message::new("chat-presets")
        .text("phrases", phrases.join(&words.say("chat-semicolon")))
        .said(words)
}

#[cfg(test)]
mod tests {
    use grundy_shared::event::PlayerInfo;
    use grundy_shared::ids::{Millis, PlayerId};

    use super::*;

    #[test]
    fn nothing_that_a_server_sends_controls_the_terminal() {
        let said = ChatEvent::Said {
            at_ms: Millis(0),
            player: PlayerInfo {
                id: PlayerId::from_random(1),
                name: "Bo\u{202e}\u{1b}[2J".to_owned(),
                bot: false,
            },
            text: Some("hi\n\u{1b}]0;x\u{7}\r> B-1\u{2066}".to_owned()),
            preset: None,
        };
        assert_eq!(
            line(&said, Catalogue::of(Language::English)),
            "Bo[2J: hi]0;x> B-1"
        );
    }
}
