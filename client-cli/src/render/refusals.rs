//! What a server refused, for people: no names of fields, no lengths of time in milliseconds, and commands instead of messages.

use std::time::Duration;

use grundy_shared::protocol::ErrorCode;
use grundy_words::Message;

use crate::duration::{in_words as rounded, said};

/// What a person can do about a refusal with this code; `None` where the message says all that there is to know.
pub(crate) fn remedy(code: ErrorCode, wait: Option<Duration>) -> Option<Message> {
    match code {
        ErrorCode::RateLimited
        | ErrorCode::TooManyAttempts
        | ErrorCode::ServerBusy
        | ErrorCode::ReadOnly
        | ErrorCode::ShuttingDown => Some(later(wait)),
        ErrorCode::NotPossible => wait.map(|_| later(wait)),
        ErrorCode::NotAdmitted | ErrorCode::Cancelled => None,
        other => Some(
            Message::new("remedy")
                .text("code", other.as_str())
                .text("said", uncapitalized(&in_words(other.remedy(), None))),
        ),
    }
}

/// Try again after this time.
fn later(wait: Option<Duration>) -> Message {
    let Some(wait) = wait else {
        return Message::new("remedy-soon");
    };
    Message::new("remedy-later").messages("time", said(wait))
}

/// The words of a message without names of fields: those that are known by what they mean, others without their underscores. Where
/// the field at fault is a length of time, numbers in the message are lengths of time.
pub(crate) fn in_words(message: &str, field: Option<&str>) -> String {
    let is_time = field
        .or_else(|| message.split(' ').next())
        .is_some_and(|field| field.ends_with("_ms"));
    let words = message.split(' ').map(|word| {
        let bare = word.replace('`', "");
        let (name, end) = split_end(&bare);
        if let Some(meaning) = meaning(name) {
            return format!("{meaning}{end}");
        }
        match name.parse::<u64>() {
            Ok(number) if is_time => format!("{}{end}", rounded(Duration::from_millis(number))),
            _ if is_field(name) => {
                format!("{}{end}", name.trim_end_matches("_ms").replace('_', " "))
            }
            _ => word.replace('`', "'"),
        }
    });
    words.collect::<Vec<String>>().join(" ")
}

/// A sentence as the hints are written: it begins with a small letter and has no full stop at its end.
fn uncapitalized(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches('.').chars();
    letters.next().map_or(String::new(), |first| {
        first.to_lowercase().chain(letters).collect()
    })
}

/// A word, and the punctuation after it.
fn split_end(word: &str) -> (&str, &str) {
    let name = word.trim_end_matches([',', '.', ':', ';']);
    (name, &word[name.len()..])
}

/// Whether a word is written as fields are: small letters with underscores between.
fn is_field(word: &str) -> bool {
    let parts: Vec<&str> = word.split('_').collect();
    let lower =
        |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase());
    parts.len() > 1 && parts.iter().all(lower)
}

/// What a field is called by people.
fn meaning(field: &str) -> Option<&'static str> {
    Some(match field {
        "base_ms" => "the starting time",
        "increment_ms" => "the time added for each move",
        "delay_ms" => "the delay",
        "move_ms" => "the time for each move",
        "period_ms" => "the length of a period",
        "expires_ms" => "the time until it expires",
        "start_in_ms" => "the time until the start",
        "min_base_ms" => "the shortest starting time",
        "at_once" => "the number of matches at once",
        "max_moves" => "the number of winning moves to list",
        "client_create_id" | "client_move_id" => "the request",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use grundy_words::{Catalogue, Language};

    use super::*;

    /// The remedy in English, after so many milliseconds.
    fn told(code: ErrorCode, wait_ms: u64) -> String {
        let remedy = remedy(code, Some(Duration::from_millis(wait_ms)));
        let said = |remedy: Message| remedy.said(Catalogue::of(Language::English));
        remedy.map_or(String::new(), said)
    }

    #[test]
    fn no_remedy_names_a_field() {
        for code in ErrorCode::ALL {
            let remedy = told(*code, 1_500);
            let field = remedy.split(' ').find(|word| is_field(split_end(word).0));
            assert_eq!(field, None, "{code}: {remedy}");
            assert!(!remedy.contains('`'), "{code}: {remedy}");
            let is_capital = remedy.starts_with(|first: char| first.is_uppercase());
            assert!(!is_capital && !remedy.ends_with('.'), "{code}: {remedy}");
            // "The message says why." is no help.
            assert_ne!(remedy, "the message says why", "{code}");
        }
    }

    #[test]
    fn fields_are_named_by_what_they_mean() {
        for (said, shown) in [
            (
                "base_ms must be between 1000 and 86400000",
                "the starting time must be between 1 s and 24 h",
            ),
            (
                "`at_once` must be from 1 to 100",
                "the number of matches at once must be from 1 to 100",
            ),
            ("some_new_thing is missing", "some new thing is missing"),
            (
                "heap A has 3: 9 cannot be taken",
                "heap A has 3: 9 cannot be taken",
            ),
            ("use `watch`", "use 'watch'"),
        ] {
            assert_eq!(in_words(said, None), shown);
        }
    }

    #[test]
    fn times_to_wait_are_rounded_up() {
        assert_eq!(told(ErrorCode::RateLimited, 1_500), "try again in 2 s");
        assert_eq!(told(ErrorCode::ServerBusy, 300), "try again in 300 ms");
        assert_eq!(
            told(ErrorCode::TooManyAttempts, 90_000),
            "try again in 1 min 30 s"
        );
    }
}
