//! What a typed line means.

use grundy_shared::notation::nearest;

/// A line that the user typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Typed {
    /// Nothing.
    Empty,
    /// What can be typed?
    Help,
    /// Which moves are there, from this number on, counted from 1?
    Moves(u128),
    /// The next page of moves.
    More,
    /// How much time is left?
    Clock,
    /// What is the position?
    Board,
    /// What are the rules?
    Rules,
    /// A hint: more with each asking.
    Hint,
    /// Why is the position won or lost?
    Why,
    /// Take the last move back.
    Undo,
    /// Give up.
    Resign,
    /// Call it off.
    Abort,
    /// Offer a draw.
    Draw,
    /// Let both clocks stand still.
    Pause,
    /// Propose to stop the clocks until both players agree to resume.
    Adjourn,
    /// Show the planned replies; with a text, plan one more line of play or cancel the plan.
    If(Option<String>),
    /// Claim the win over a player who stays away.
    Claim,
    /// Play on after a pause.
    Continue,
    /// Agree to what the other player proposes.
    Accept,
    /// Decline it.
    Decline,
    /// Withdraw what we have proposed.
    Withdraw,
    /// Another one.
    Rematch,
    /// Look at the review of the match that is over.
    Review,
    /// Learn from its mistakes.
    Learn,
    /// Yes.
    Yes,
    /// No.
    No,
    /// Leave; the match goes on.
    Quit,
    /// Make this move as soon as it is our turn; without one, do not.
    Premove(Option<String>),
    /// Say this; without a text, list the presets.
    Say(Option<String>),
    /// Show the last chat lines.
    Chat,
    /// Mute this player; without a name, the opponent.
    Mute(Option<String>),
    /// Unmute this player; without a name, the opponent.
    Unmute(Option<String>),
    /// Anything else: a move, legal or not.
    Move(String),
}

/// Every word that is understood, for guesses at misspelt ones.
const WORDS: &[&str] = &[
    "help", "moves", "more", "clock", "time", "board", "rules", "hint", "why", "undo", "takeback",
    "resign", "abort", "draw", "pause", "adjourn", "continue", "accept", "decline", "withdraw",
    "claim", "rematch", "review", "learn", "premove", "quit", "exit", "yes", "no", "chat", "mute",
    "unmute",
];

impl Typed {
    /// Reads a line. Whole words only: no game has a move that is one of them.
    pub(crate) fn read(line: &str) -> Self {
        if let Some(talk) = Self::talk(line.trim()) {
            return talk;
        }
        let line = narrow(line);
        let line = line.trim();
        let lower = line.to_ascii_lowercase();
        match lower.trim_end_matches(['!', '.']) {
            "" if line.is_empty() => Self::Empty,
            "help" | "?" | "h" | "commands" => Self::Help,
            "moves" => Self::Moves(1),
            "more" => Self::More,
            "clock" | "time" => Self::Clock,
            "board" | "heaps" | "position" | "show" => Self::Board,
            "rules" => Self::Rules,
            "hint" | "hints" => Self::Hint,
            "why" | "why?" | "explain" => Self::Why,
            "undo" | "takeback" | "take back" => Self::Undo,
            "resign" | "surrender" | "give up" => Self::Resign,
            "abort" => Self::Abort,
            "draw" => Self::Draw,
            "pause" => Self::Pause,
            "adjourn" => Self::Adjourn,
            "continue" | "go on" | "unpause" => Self::Continue,
            "accept" | "agree" => Self::Accept,
            "decline" | "refuse" => Self::Decline,
            "withdraw" => Self::Withdraw,
            "claim" | "claim win" => Self::Claim,
            "rematch" => Self::Rematch,
            "review" => Self::Review,
            "learn" => Self::Learn,
            "yes" | "y" => Self::Yes,
            "no" | "n" => Self::No,
            "quit" | "exit" | "q" | "leave" | "bye" => Self::Quit,
            "pre" | "premove" => Self::Premove(None),
            "if" => Self::If(None),
            other => match other.split_once(' ') {
                Some(("moves", from)) if let Ok(from) = from.trim().parse() => Self::Moves(from),
                Some(("pre" | "premove", _)) => {
                    let text = line.split_once(' ').map(|(_, text)| text.trim().to_owned());
                    Self::Premove(text)
                }
                Some(("if", _)) => {
                    let text = line.split_once(' ').map(|(_, text)| text.trim().to_owned());
                    Self::If(text)
                }
                _ => Self::Move(line.to_owned()),
            },
        }
    }

    /// Reads chat commands. The text to say is kept as typed.
    fn talk(line: &str) -> Option<Self> {
        let (word, rest) = match line.split_once(char::is_whitespace) {
            Some((word, rest)) => (word, Some(rest.trim().to_owned())),
            None => (line, None),
        };
        if let Some(text) = line.strip_prefix(['/', '\u{ff0f}']) {
            let text = text.trim().to_owned();
            return Some(Self::Say((!text.is_empty()).then_some(text)));
        }
        match narrow(word).to_ascii_lowercase().as_str() {
            "say" => Some(Self::Say(rest)),
            "chat" if rest.is_none() => Some(Self::Chat),
            "mute" => Some(Self::Mute(rest)),
            "unmute" => Some(Self::Unmute(rest)),
            _ => None,
        }
    }

    /// Whether a watcher can use it.
    pub(crate) fn is_for_watchers(&self) -> bool {
        matches!(
            self,
            Self::Empty
                | Self::Help
                | Self::Moves(_)
                | Self::More
                | Self::Clock
                | Self::Board
                | Self::Rules
                | Self::Quit
        )
    }

    /// The word that this text is near to, if it is near to one.
    pub(crate) fn near(text: &str) -> Option<&'static str> {
        let word = text.trim().to_ascii_lowercase();
        // Two letters more or less make any short word of any other.
        let long = word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
        let names = WORDS.iter().copied().filter(|name| name.len() > 2);
        let near = nearest(&word, names)?;
        long.then_some(near)
    }
}

/// A text with full-width letters, digits and signs, as Chinese and Japanese keyboards type them, in their ASCII forms.
pub(crate) fn narrow(text: &str) -> String {
    let narrow = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => {
            let ascii = u32::from(c) - 0xff01 + 0x21;
            char::from_u32(ascii).unwrap_or(c)
        }
        '\u{3000}' | '\u{a0}' => ' ',
        // The ideographic comma and full stop; dashes and the minus sign.
        '\u{3001}' => ',',
        '\u{3002}' => '.',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        other => other,
    };
    text.chars().map(narrow).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_in_any_case_and_width() {
        assert_eq!(Typed::read(" HELP "), Typed::Help);
        assert_eq!(Typed::read("\u{ff48}\u{ff49}\u{ff4e}\u{ff54}"), Typed::Hint);
        assert_eq!(Typed::read("?"), Typed::Help);
        assert_eq!(Typed::read("moves 41"), Typed::Moves(41));
        assert_eq!(Typed::read("Give up"), Typed::Resign);
        assert_eq!(Typed::read("Pre"), Typed::Premove(None));
        let b_12 = Some("B-12".to_owned());
        assert_eq!(Typed::read("premove  B-12 "), Typed::Premove(b_12));
        assert_eq!(Typed::read("If"), Typed::If(None));
        let line = Some("A-1 B-2".to_owned());
        assert_eq!(Typed::read("if  A-1 B-2"), Typed::If(line));
        let said = |text: &str| Typed::Say(Some(text.to_owned()));
        assert_eq!(Typed::read("say  Hi, Bo! "), said("Hi, Bo!"));
        assert_eq!(
            Typed::read("SAY \u{ff21}\u{3001}b"),
            said("\u{ff21}\u{3001}b")
        );
        assert_eq!(Typed::read("/good luck"), said("good luck"));
        assert_eq!(Typed::read("say"), Typed::Say(None));
        assert_eq!(Typed::read("/"), Typed::Say(None));
        assert_eq!(Typed::read("Chat"), Typed::Chat);
        assert_eq!(Typed::read("mute"), Typed::Mute(None));
        let bo = Some("Bo B".to_owned());
        assert_eq!(Typed::read("unmute Bo B"), Typed::Unmute(bo));
        assert_eq!(Typed::read(""), Typed::Empty);
        assert_eq!(Typed::read("..."), Typed::Move("...".to_owned()));
        assert_eq!(
            Typed::read("\u{ff22}\u{ff0d}\u{ff11}\u{ff12}"),
            Typed::Move("B-12".to_owned())
        );
        assert_eq!(
            Typed::read("1:2\u{2212}1:3\u{3001}x"),
            Typed::Move("1:2-1:3,x".to_owned())
        );
    }

    #[test]
    fn a_misspelt_word_is_recognized_and_a_move_is_not() {
        assert_eq!(Typed::near("resgin"), Some("resign"));
        assert_eq!(Typed::near("Moevs"), Some("moves"));
        for other in ["A-1", "2", "xy", "teapots", "abcdefghijk"] {
            assert_eq!(Typed::near(other), None, "{other}");
        }
    }
}
