//! Chat lines as text.

use grundy_shared::protocol::chat::{ChatEvent, ChatLine, Preset};

use super::clean;

/// A line as people read it: the speaker and the text.
pub(crate) fn line(event: &ChatEvent) -> String {
    let ChatEvent::Said {
        player,
        text,
        preset,
        ..
    } = event;
    let words = match (text, preset) {
        (Some(text), _) => clean(text),
        (None, Some(preset)) => preset.words().to_owned(),
        (None, None) => "(this client is too old to show this line; update it)".to_owned(),
    };
    format!("{}: {words}", clean(&player.name))
}

/// The last lines of a room.
pub(crate) fn lines(lines: &[ChatLine]) -> String {
    match lines {
        [] => "Nothing has been said.".to_owned(),
        lines => {
            let lines: Vec<String> = lines.iter().map(|said| line(&said.body)).collect();
            lines.join("\n")
        }
    }
}

/// The list of presets.
pub(crate) fn presets() -> String {
    let words: Vec<&str> = Preset::ALL.iter().map(|preset| preset.words()).collect();
    format!(
        "Type say and your text, or one of these: {}.",
        words.join("; ")
    )
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
        assert_eq!(line(&said), "Bo[2J: hi]0;x> B-1");
    }
}
