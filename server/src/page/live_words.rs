//! The words that scripts say, sent along with a page.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use grundy_shared::protocol::ErrorCode;
use grundy_words::{Catalogue, Language, Value};
use serde::Serialize;

/// The messages, each with its variables. `count` also chooses the form of a word, and is written as `n`.
pub(super) const LIVE: &[(&str, &[&str])] = &[
    ("live-connecting", &[]),
    ("live-lost", &[]),
    ("live-busy", &[]),
    ("live-queued", &[]),
    ("live-stopping", &[]),
    ("live-signed-out", &[]),
    ("live-superseded", &[]),
    ("live-refused", &["why"]),
    ("live-your-move", &[]),
    ("live-their-move", &["name"]),
    ("live-watching", &["name"]),
    ("live-watching-behind", &["count", "name"]),
    ("live-waiting", &[]),
    ("live-invitation-elsewhere", &[]),
    ("live-friend-came", &[]),
    ("live-paused", &["time"]),
    ("live-adjourned", &["time"]),
    ("live-you-won", &["how"]),
    ("live-you-lost", &["how"]),
    ("live-won", &["name", "how"]),
    ("live-drawn", &["how"]),
    ("live-void", &["how"]),
    ("how-last_move", &[]),
    ("how-last_move_misere", &[]),
    ("how-resignation", &[]),
    ("how-time", &[]),
    ("how-aborted", &[]),
    ("how-expired", &[]),
    ("how-outgrown", &[]),
    ("how-repetition", &[]),
    ("how-agreement", &[]),
    ("how-abandoned", &[]),
    ("how-no_start", &[]),
    ("how-no_show", &[]),
    ("how-disconnected", &[]),
    ("how-withdrawn", &[]),
    ("how-cancelled", &[]),
    ("how-operator", &[]),
    ("how-other", &[]),
    ("how-own-resignation", &[]),
    ("how-own-time", &[]),
    ("how-own-last_move", &[]),
    ("how-own-last_move_misere", &[]),
    ("how-own-abandoned", &[]),
    ("how-own-no_show", &[]),
    ("how-own-disconnected", &[]),
    ("how-own-withdrawn", &[]),
    ("how-void-abandoned", &[]),
    ("how-void-no_show", &[]),
    ("how-void-disconnected", &[]),
    ("how-void-withdrawn", &[]),
    ("live-moved", &["name", "move"]),
    ("live-moves", &["count"]),
    ("live-more-moves", &["count"]),
    ("live-play-this", &["move"]),
    ("live-choose", &[]),
    ("live-offline", &["name"]),
    ("live-away", &["name"]),
    ("live-proposes-takeback", &["name"]),
    ("live-proposes-draw", &["name"]),
    ("live-proposes-abort", &["name"]),
    ("live-proposes-pause", &["name"]),
    ("live-proposes-adjourn", &["name"]),
    ("live-proposes-resume", &["name"]),
    ("live-you-propose", &[]),
    ("live-declined", &["name"]),
    ("live-claim-in", &["name", "time"]),
    ("live-claim", &["name"]),
    ("live-clock-left", &["count"]),
    ("live-clock-days", &["days", "hours"]),
    ("live-clock-periods", &["time", "periods", "seconds"]),
    ("live-blocked", &[]),
    ("live-rematch-offered", &["name"]),
    ("live-rematch-sent", &[]),
    ("live-resign-sure", &[]),
    ("live-move-waits", &["move"]),
    ("live-move-unsure", &["move"]),
    ("live-move-instead", &["move"]),
    ("live-unsent", &[]),
    ("live-copied", &[]),
    ("live-copy-yourself", &[]),
    ("live-invitation-over", &[]),
    ("live-you", &["name"]),
    ("live-bot", &["name"]),
    ("live-free-seat", &[]),
    ("live-no-seats", &[]),
    ("live-no-others", &[]),
    ("live-take", &[]),
    ("live-watch", &[]),
    ("live-back-to", &[]),
    ("live-own-match", &["position", "name"]),
    ("live-own-invitation", &["position"]),
    ("live-versus", &["first", "second"]),
    ("live-no-socket", &[]),
    ("live-no-cookies", &[]),
    ("live-upgraded", &[]),
    ("said-hello", &[]),
    ("said-good_luck", &[]),
    ("said-have_fun", &[]),
    ("said-you_too", &[]),
    ("said-one_moment", &[]),
    ("said-nice_move", &[]),
    ("said-oops", &[]),
    ("said-good_game", &[]),
    ("said-well_played", &[]),
    ("said-thanks", &[]),
    ("said-sorry", &[]),
    ("said-goodbye", &[]),
    ("said-other", &[]),
    ("live-seeking", &[]),
    ("live-seat-too_many_matches", &[]),
    ("live-seat-gave_up", &[]),
    ("live-seat-other", &[]),
    ("live-reviewing", &[]),
    ("today-task", &[]),
    ("learn-task", &["number", "total", "ply", "move"]),
    ("learn-task-draw", &["number", "total", "ply", "move"]),
    ("learn-done", &["right", "total"]),
    ("learn-nothing", &[]),
    ("exercise-right", &["move"]),
    ("exercise-wrong", &["move"]),
    ("exercise-wrong-draw", &["move"]),
    ("exercise-refuted", &["move", "reply"]),
    ("exercise-refuted-draw", &["move", "reply"]),
    ("exercise-unknown", &["move"]),
    ("exercise-unknown-draw", &["move"]),
    ("exercise-winning", &["moves"]),
    ("puzzles-task", &["rating"]),
    ("puzzles-rating", &["rating", "deviation"]),
    ("puzzles-rating-new", &["rating", "deviation"]),
    ("puzzles-right", &["move"]),
    ("puzzles-wrong", &["move"]),
    ("puzzles-change", &["rating", "change"]),
    ("advice-win", &[]),
    ("advice-wins", &["count"]),
    ("advice-idea", &[]),
    ("advice-move", &["move"]),
    ("advice-draw", &[]),
    ("advice-lost", &[]),
    ("advice-hard", &[]),
    ("advice-loses-win", &["move"]),
    ("advice-loses-win-to", &["move", "reply"]),
    ("advice-loses-draw", &["move"]),
    ("advice-loses-draw-to", &["move", "reply"]),
    ("advice-anyway", &["move"]),
    ("account-is", &["name"]),
    ("account-is-guest", &["name"]),
    ("account-renamed", &[]),
    ("account-password-set", &[]),
    ("account-logout-sure", &[]),
    ("live-token-until", &["date"]),
    ("live-token-forever", &[]),
    ("live-token-here", &[]),
    ("live-token-revoke", &[]),
];

/// What a page can be refused. What only a program can send is not among it: for that, and for what is newer than the page, there is one sentence.
const REFUSALS: &[ErrorCode] = &[
    ErrorCode::OutOfRange,
    ErrorCode::BadName,
    ErrorCode::NameTaken,
    ErrorCode::BadPosition,
    ErrorCode::BadGameCode,
    ErrorCode::IllegalMove,
    ErrorCode::NotYourTurn,
    ErrorCode::NotAPlayer,
    ErrorCode::NotStarted,
    ErrorCode::NotOver,
    ErrorCode::MatchOver,
    ErrorCode::TooLate,
    ErrorCode::NoSuchProposal,
    ErrorCode::NotPossible,
    ErrorCode::AbsentPlayerWins,
    ErrorCode::RatedMatch,
    ErrorCode::Paused,
    ErrorCode::InSeries,
    ErrorCode::InTournament,
    ErrorCode::StalePly,
    ErrorCode::IdempotencyConflict,
    ErrorCode::NoSuchMatch,
    ErrorCode::NoSuchCode,
    ErrorCode::NoSuchSeek,
    ErrorCode::NoSuchPuzzle,
    ErrorCode::Declined,
    ErrorCode::SeatTaken,
    ErrorCode::OwnMatch,
    ErrorCode::BadToken,
    ErrorCode::MissingScope,
    ErrorCode::BadPassword,
    ErrorCode::BadCredentials,
    ErrorCode::TooManyAttempts,
    ErrorCode::NoSuchToken,
    ErrorCode::Banned,
    ErrorCode::UnsupportedVersion,
    ErrorCode::NoSuchTournament,
    ErrorCode::NotAllowed,
    ErrorCode::RateLimited,
    ErrorCode::TooMany,
    ErrorCode::ServerBusy,
    ErrorCode::AnalysisTooLarge,
    ErrorCode::AnalysisRunning,
    ErrorCode::ReadOnly,
    ErrorCode::ShuttingDown,
    ErrorCode::Internal,
];

/// A message, in the forms that a number asks for.
#[derive(Serialize)]
#[serde(untagged)]
enum Said {
    Always(String),
    Counted { one: String, other: String },
}

/// The messages as JSON for a page: each variable is its name in braces. They are made once for each language.
pub(super) fn json(words: &Catalogue) -> &'static str {
    static MADE: OnceLock<BTreeMap<Language, String>> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let make = |language| (language, make(Catalogue::of(language)));
        Language::ALL.into_iter().map(make).collect()
    });
    &made[&words.language()]
}

/// Why something is refused, in a sentence: in English the server's own, `said`.
pub(super) fn refused(words: &Catalogue, code: &str, said: &str) -> String {
    let variables = [("code", Value::Text(code)), ("said", Value::Text(said))];
    words.with("refused", &variables)
}

fn make(words: &Catalogue) -> String {
    let mut all: BTreeMap<Cow<'_, str>, Said> = BTreeMap::new();
    for (name, variables) in LIVE {
        let form = |count: u64| {
            let placeholders: Vec<String> =
                variables.iter().map(|name| format!("{{{name}}}")).collect();
            let mut values: Vec<(&str, Value<'_>)> = variables
                .iter()
                .zip(&placeholders)
                .map(|(name, placeholder)| (*name, Value::Text(placeholder)))
                .filter(|(name, _)| *name != "count")
                .collect();
            values.push(("count", Value::Number(count)));
            values.push(("n", Value::Text("{n}")));
            words.with(name, &values)
        };
        let said = match variables.contains(&"count") {
            true => Said::Counted {
                one: form(1),
                other: form(2),
            },
            false => Said::Always(form(2)),
        };
        all.insert((*name).into(), said);
    }
    // English is what the server says itself.
    if words.language() != Language::English {
        let codes = REFUSALS.iter().map(|code| code.as_str());
        let own = codes.map(|code| (code, code));
        for (name, code) in own.chain([("other", "{code}")]) {
            let said = Said::Always(refused(words, code, ""));
            all.insert(format!("refused-{name}").into(), said);
        }
    }
    // What could end the element that holds it is written otherwise.
    let json = serde_json::to_string(&all).unwrap_or_default();
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use grundy_shared::protocol::chat::Preset;

    use super::*;

    #[test]
    fn every_word_is_there_in_every_language() {
        for language in Language::ALL {
            let json = json(Catalogue::of(language));
            assert!(
                !json.contains("[live-") && !json.contains("[how-") && !json.contains("[said-"),
                "{json}"
            );
            let read: serde_json::Value = serde_json::from_str(json).expect("JSON");
            for (name, variables) in LIVE {
                let text = read[name].to_string();
                for variable in variables.iter().filter(|variable| **variable != "count") {
                    assert!(
                        text.contains(&format!("{{{variable}}}")),
                        "{language:?} {name}: {text}"
                    );
                }
            }
        }
    }

    /// What no page asks for can be refused to none.
    const OF_PROGRAMS: &[ErrorCode] = &[
        ErrorCode::BadJson,
        ErrorCode::TooDeep,
        ErrorCode::UnknownType,
        ErrorCode::UnknownField,
        ErrorCode::MissingField,
        ErrorCode::WrongType,
        ErrorCode::DuplicateField,
        ErrorCode::NoSuchPlayer,
        ErrorCode::PlayerAbsent,
        ErrorCode::AccountNotFollowed,
        ErrorCode::NoSuchChallenge,
        ErrorCode::AuthRequired,
        ErrorCode::AlreadyIdentified,
        ErrorCode::EntriesClosed,
        ErrorCode::NotAdmitted,
        ErrorCode::NotEntered,
        ErrorCode::WrongStatus,
        ErrorCode::Cancelled,
        ErrorCode::BinaryUnsupported,
    ];

    #[test]
    fn every_refusal_is_said_in_chinese_or_no_page_can_get_it() {
        for code in ErrorCode::ALL {
            let (said, never) = (REFUSALS.contains(code), OF_PROGRAMS.contains(code));
            assert!(said != never, "{code:?}");
        }
        let json = json(Catalogue::of(Language::Chinese));
        let read: serde_json::Value = serde_json::from_str(json).expect("JSON");
        for code in REFUSALS {
            let said = read[format!("refused-{}", code.as_str())].as_str();
            let said = said.unwrap_or_else(|| panic!("{code:?}"));
            assert!(!said.contains(code.as_str()), "{code:?}: {said}");
        }
        let other = read["refused-other"].as_str().expect("a sentence");
        assert!(other.contains("{code}"), "{other}");
        // English is what the server says itself.
        let json = self::json(Catalogue::of(Language::English));
        assert!(!json.contains("refused-other"), "{json}");
    }

    #[test]
    fn every_preset_is_said() {
        for preset in Preset::ALL {
            let name = format!("said-{}", preset.as_str());
            assert!(LIVE.iter().any(|(known, _)| *known == name), "{name}");
        }
    }
}
