//! What a server refused, for people: no names of fields, no lengths of time in milliseconds, and commands instead of messages.

use std::time::Duration;

use grundy_shared::protocol::ErrorCode;

use crate::duration::in_words as rounded;

/// What a person can do about a refusal with this code.
pub(crate) fn remedy(code: ErrorCode, wait: Option<Duration>) -> String {
    let later = || match wait {
        Some(wait) => format!("try again in {}", rounded(wait)),
        None => "try again in a moment".to_owned(),
    };
    let fixed = match code {
        ErrorCode::RateLimited
        | ErrorCode::TooManyAttempts
        | ErrorCode::ServerBusy
        | ErrorCode::ReadOnly
        | ErrorCode::ShuttingDown => return later(),
        ErrorCode::NotPossible => return wait.map_or(String::new(), |_| later()),
        // The message says all that there is to know.
        ErrorCode::NotAdmitted | ErrorCode::Cancelled => return String::new(),
        ErrorCode::UnknownType => "this server is older than your client and does not know this",
        ErrorCode::NoSuchProposal => "type the proposal yourself",
        ErrorCode::Paused => "type continue to play on",
        ErrorCode::AnalysisRunning => "wait for your other analysis to finish",
        ErrorCode::AbsentPlayerWins => "wait until the player is back or out of time, or resign",
        ErrorCode::Declined => "'grundy offers' shows which challenges each player takes",
        ErrorCode::NotYourTurn => "wait for your opponent's move",
        ErrorCode::NotAPlayer | ErrorCode::SeatTaken => "to watch it: grundy watch MATCH",
        ErrorCode::NotStarted => "wait until somebody has joined",
        ErrorCode::NotOver => "ask again when the match is over",
        ErrorCode::MatchOver => "'grundy games show MATCH' shows the result",
        ErrorCode::TooLate | ErrorCode::InTournament => "you can resign: grundy resign MATCH",
        ErrorCode::InSeries => "'grundy resume' opens the next game",
        ErrorCode::StalePly => "look at the board and type your move again",
        ErrorCode::IdempotencyConflict => "type your move again",
        ErrorCode::NoSuchMatch => "'grundy games list' shows the matches on the server",
        ErrorCode::OwnMatch => "'grundy resume MATCH' takes you to your seat",
        ErrorCode::NoSuchTournament => "'grundy tournament list' shows all",
        ErrorCode::NotEntered => {
            "a bot that entered with 'grundy bot run' withdraws with: grundy tournament withdraw ID --bot"
        }
        ErrorCode::WrongStatus => "'grundy tournament show ID' shows how it stands",
        ErrorCode::PlayerAbsent => {
            "ask the player to run 'grundy challenges', or play a bot: grundy play POSITION"
        }
        ErrorCode::NoSuchChallenge => "'grundy challenges' lists those that are open",
        ErrorCode::NoSuchSeek => "'grundy lobby' lists those that are open",
        ErrorCode::NoSuchPuzzle => "ask for a puzzle of another family",
        ErrorCode::OutOfRange => "'grundy help COMMAND' shows what is allowed",
        ErrorCode::TooMany => "resign or cancel one first: 'grundy games list --mine'",
        ErrorCode::BadCredentials => {
            "check them; 'grundy recover NAME' sets a new password with a recovery code"
        }
        ErrorCode::MissingScope => "'grundy whoami' shows what the token that you use is good for",
        ErrorCode::BadToken => "sign in again: grundy login NAME",
        ErrorCode::NoSuchToken => "'grundy token list' shows yours",
        ErrorCode::UnsupportedVersion => "update the older of client and server",
        ErrorCode::Internal => "'grundy resume' shows what the server has stored",
        other => return uncapitalized(&in_words(other.remedy(), None)),
    };
    fixed.to_owned()
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
    use super::*;

    #[test]
    fn no_remedy_names_a_field() {
        for code in ErrorCode::ALL {
            let remedy = remedy(*code, Some(Duration::from_millis(1_500)));
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
        assert_eq!(
            remedy(ErrorCode::RateLimited, Some(Duration::from_millis(1_500))),
            "try again in 2 s"
        );
        assert_eq!(
            remedy(ErrorCode::ServerBusy, Some(Duration::from_millis(300))),
            "try again in 300 ms"
        );
    }
}
