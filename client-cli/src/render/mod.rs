//! Text for people. Nothing here makes decisions.

pub(crate) mod advice;
pub(crate) mod board;
pub(crate) mod breaking;
pub(crate) mod career;
pub(crate) mod chat;
pub(crate) mod contest;
pub(crate) mod exploration;
pub(crate) mod figures;
pub(crate) mod help;
pub(crate) mod lobby;
pub(crate) mod matches;
pub(crate) mod practice;
pub(crate) mod ratings;
pub(crate) mod refusals;
pub(crate) mod review_page;
pub(crate) mod review_picture;
pub(crate) mod reviewed;
pub(crate) mod rope;
pub(crate) mod rules;
pub(crate) mod sentences;
pub(crate) mod solution;
pub(crate) mod welcome;
mod working;

use grundy_shared::bot::Bot;
use grundy_shared::event::PlayerInfo;
use grundy_words::{Catalogue, Message};
use unicode_width::UnicodeWidthStr as _;

/// Characters of a position that fit into a sentence.
const SHORT: usize = 60;

/// A text from others without characters that could control a terminal or mislead a reader: control characters and marks
/// that reverse or hide text (Unicode TR 36, bidirectional controls; zero-width and line separators).
pub(crate) fn clean(text: &str) -> String {
    let harmless = |c: &char| {
        !c.is_control()
            && !matches!(c,
                '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    };
    text.chars().filter(harmless).collect()
}

/// A text cut to a length that fits into a sentence.
pub(crate) fn short(text: &str) -> String {
    let mut characters = text.chars();
    let head: String = characters.by_ref().take(SHORT).collect();
    if characters.next().is_some() {
        format!("{head}...")
    } else {
        head
    }
}

/// A text with lines longer than `width` broken between words. A word, such as a position or a move, is never broken, so that it can be
/// copied; continuation lines keep the indent of their line.
pub(crate) fn wrapped(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else {
        return text.to_owned();
    };
    let broken = |line| {
        let indent: String = str::chars(line).take_while(|c| *c == ' ').collect();
        let options = textwrap::Options::new(width)
            .subsequent_indent(&indent)
            .break_words(false)
            .word_separator(breaking::SEPARATOR)
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        textwrap::fill(line, options)
    };
    let lines: Vec<String> = text.split('\n').map(broken).collect();
    lines.join("\n")
}

/// The name of a built-in bot in a sentence: of a strength that has a name, that.
pub(crate) fn bot_name(bot: &Bot, words: &Catalogue) -> String {
    match bot.strength() {
        Some(strength) => Message::new("match-bot")
            .text("strength", strength)
            .said(words),
        None => bot.to_string(),
    }
}

/// The name of a player in a list: of a built-in bot what its strength is called.
pub(crate) fn player_name(player: &PlayerInfo, words: &Catalogue) -> String {
    match player.name.parse::<Bot>() {
        Ok(bot) if player.bot => bot_name(&bot, words),
        _ => clean(&player.name),
    }
}

/// Half points as a person writes them: "1.5".
pub(crate) fn points(halves: u32) -> String {
    let half = if halves.is_multiple_of(2) { "" } else { ".5" };
    format!("{}{half}", halves / 2)
}

/// A text with spaces after it up to so many columns.
pub(crate) fn padded(text: &str, columns: usize) -> String {
    let space = columns.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(space))
}

/// A table for a screen of this width: in columns if they fit, else each row as a block of lines.
pub(crate) fn table(
    headings: &[impl AsRef<str>],
    rows: &[Vec<String>],
    width: Option<usize>,
) -> String {
    let text = columns(headings, rows);
    let widest = text.lines().map(|line| line.width()).max().unwrap_or(0);
    if width.is_none_or(|width| widest <= width) {
        return text;
    }
    let mut text = String::new();
    for row in rows {
        for (place, (heading, cell)) in headings.iter().zip(row).enumerate() {
            let heading = heading.as_ref().trim_start_matches('>');
            let line = match place {
                0 => format!("{heading} {cell}"),
                _ if cell.is_empty() => continue,
                _ => format!("  {heading}: {cell}"),
            };
            text.push_str(&wrapped(&line, width));
            text.push('\n');
        }
    }
    text
}

/// The headings of a table in a language, from their messages; a '>' before one stays.
pub(crate) fn headings<const N: usize>(messages: [&str; N], words: &Catalogue) -> [String; N] {
    messages.map(|message| match message.strip_prefix('>') {
        Some(message) => format!(">{}", words.say(message)),
        None => words.say(message),
    })
}

/// A name as a shell takes it for one word.
pub(crate) fn word(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_.:,+@/".contains(c);
    match name.chars().all(plain) && !name.starts_with('-') {
        true => name.to_owned(),
        false => format!("'{}'", name.replace('\'', r"'\''")),
    }
}

/// Lines of columns, two spaces apart; numbers on the right where the heading begins with '>'.
pub(crate) fn columns(headings: &[impl AsRef<str>], rows: &[Vec<String>]) -> String {
    let right: Vec<bool> = headings
        .iter()
        .map(|heading| heading.as_ref().starts_with('>'))
        .collect();
    let head: Vec<String> = headings
        .iter()
        .map(|heading| heading.as_ref().trim_start_matches('>').to_owned())
        .collect();
    let widths: Vec<usize> = (0..head.len())
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells
                .chain([&head[column]])
                .map(|cell| cell.width())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in std::iter::once(&head).chain(rows) {
        let mut line = String::new();
        for ((cell, width), right) in row.iter().zip(&widths).zip(&right) {
            // A width in a format string is at most 65,535; a string of `prefix` may be longer.
            let space = " ".repeat(width - cell.width());
            let (before, after) = if *right { (&*space, "") } else { ("", &*space) };
            line.extend(["  ", before, cell, after]);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_word_for_a_shell() {
        for (name, shown) in [
            ("Ada", "Ada"),
            ("\u{65b0}\u{6765}", "\u{65b0}\u{6765}"),
            ("Ada L", "'Ada L'"),
            ("-x", "'-x'"),
            ("O'Hara $HOME", r"'O'\''Hara $HOME'"),
        ] {
            assert_eq!(word(name), shown);
        }
    }

    #[test]
    fn nothing_commands_the_terminal() {
        assert_eq!(clean("a\u{1b}[2Jb\u{7}\r\n\u{202e}c\u{9b}31m"), "a[2Jbc31m");
        assert_eq!(clean("Zo\u{eb} \u{738b}"), "Zo\u{eb} \u{738b}");
    }

    #[test]
    fn lines_are_broken_between_words_and_words_are_not() {
        let text = "You took 1 from A. Heaps nim:1,2,3,4,5,6,7,8,9 now.\n  Move 2, Bo: A-1\nshort";
        assert_eq!(wrapped(text, None), text);
        assert_eq!(
            wrapped(text, Some(14)),
            "You took 1\nfrom A. Heaps\nnim:1,2,3,4,5,6,7,8,9\nnow.\n  Move 2, Bo:\n  A-1\nshort"
        );
        assert_eq!(wrapped("", Some(3)), "");
        // Letters that are two columns wide.
        assert_eq!(
            wrapped("\u{738b}\u{738b} \u{738b}\u{738b}", Some(8)),
            "\u{738b}\u{738b}\n\u{738b}\u{738b}"
        );
        // Spaces at a break are not shown.
        assert_eq!(wrapped("ab  cd", Some(3)), "ab\ncd");
    }

    #[test]
    fn a_table_that_does_not_fit_becomes_blocks() {
        let rows = [vec!["7Kq2mVx9Rt".to_owned(), "nim:3,5,7".to_owned()]];
        let headings = ["match", "start"];
        assert_eq!(table(&headings, &rows, Some(23)), columns(&headings, &rows));
        assert_eq!(
            table(&headings, &rows, Some(22)),
            "match 7Kq2mVx9Rt\n  start: nim:3,5,7\n"
        );
    }

    #[test]
    fn columns_line_up() {
        let rows = [
            vec!["A-10".to_owned(), "3".to_owned()],
            vec!["B-2".to_owned(), "12".to_owned()],
        ];
        assert_eq!(
            columns(&["move", ">left"], &rows),
            "  move  left\n  A-10     3\n  B-2     12\n"
        );
    }
}
