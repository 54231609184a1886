//! The bounds of the page: the defaults of the settings, and the constants of the code.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use grundy_server::config::Config;

use super::{page, table};

/// A constant: its file below the repository, and its name.
type Constant = (&'static str, &'static str);

/// Stands for the number 1, which is no constant.
const ONE: Constant = ("", "1");

/// The rows of the page without a setting, and the constants whose values their bounds show, in their order.
const ROWS: &[(&str, &[Constant])] = &[
    (
        "Passwords that are tried at once, that wait, that wait from one address",
        &[
            ("server/src/analysis/schedule.rs", "SECRETS_AT_ONCE"),
            ("server/src/analysis/mod.rs", "SECRETS_WAITING"),
            ("server/src/analysis/mod.rs", "SECRETS_OF_ADDRESS"),
        ],
    ),
    (
        "Time for a password to be tried",
        &[("server/src/identity/proofs.rs", "SECRET_PATIENCE")],
    ),
    (
        "Characters, bytes of a password",
        &[
            ("shared/src/bounds.rs", "PASSWORD_MIN"),
            ("shared/src/bounds.rs", "PASSWORD_BYTES_MAX"),
        ],
    ),
    (
        "Tokens of one account with the scope `account`",
        &[("server/src/identity/mod.rs", "LOGINS_MAX")],
    ),
    (
        "Tokens of one account without it",
        &[("server/src/identity/mod.rs", "TOKENS_MAX")],
    ),
    (
        "Validity of a token that expires",
        &[("shared/src/bounds.rs", "TOKEN_LIFE")],
    ),
    (
        "Recovery codes of one account",
        &[("server/src/identity/codes.rs", "CODES")],
    ),
    (
        "Lines that wait in one room while others are stored: in all, from one address",
        &[
            ("server/src/chat/mod.rs", "WAITING_MAX"),
            ("server/src/chat/mod.rs", "WAITING_OF_ADDRESS"),
        ],
    ),
    (
        "Characters of a line",
        &[ONE, ("server/src/chat/text.rs", "TEXT_MAX")],
    ),
    (
        "Marks on one letter of a line",
        &[("server/src/chat/text.rs", "MARKS_MAX")],
    ),
    (
        "Time after the end of a match in which something can be said",
        &[("server/src/chat/mod.rs", "CLOSES_AFTER")],
    ),
    (
        "Players whom one player has muted",
        &[("server/src/identity/muting.rs", "MUTED_MAX")],
    ),
    (
        "Nesting of arrays and objects",
        &[("shared/src/protocol/mod.rs", "DEPTH_MAX")],
    ),
    (
        "Messages that are not JSON, per minute",
        &[("server/src/session/limits.rs", "NONSENSE_MAX")],
    ),
    (
        "Fragments of a message with their heads, as a multiple of `message_bytes`",
        &[("server/src/transport/ws.rs", "FRAGMENTS")],
    ),
    (
        "Bytes of the head of an HTTP request",
        &[("server/src/transport/mod.rs", "HEAD_MAX")],
    ),
    (
        "Time for replies after `bye`",
        &[("server/src/session/connection.rs", "LAST_ANSWERS")],
    ),
    (
        "Time to take what waits and the close frame",
        &[("server/src/transport/ws.rs", "LAST_FRAMES")],
    ),
    (
        "Time to hang up after the close frame",
        &[("server/src/transport/ws.rs", "PARTING")],
    ),
    (
        "Requests of one player that wait in one match while something is stored",
        &[("server/src/matches/machine/queue.rs", "QUEUE_PER_PLAYER")],
    ),
    (
        "Players who wait to join one match",
        &[("server/src/matches/machine/queue.rs", "QUEUE_TO_JOIN")],
    ),
    (
        "Requests that wait while a match is read from its log",
        &[("server/src/matches/live/waiting.rs", "WAITING_MAX")],
    ),
    (
        "Bytes of a start position, written out",
        &[("shared/src/bounds.rs", "START_BYTES_MAX")],
    ),
    (
        "Bytes of a move in a start position",
        &[("shared/src/referee/limits.rs", "MOVE_BYTES_MAX")],
    ),
    (
        "Bytes of a position during a match",
        &[("shared/src/referee/limits.rs", "POSITION_BYTES_MAX")],
    ),
    (
        "Bytes of all moves of a match, plus 256 for each",
        &[("shared/src/referee/limits.rs", "MOVES_BYTES_MAX")],
    ),
    (
        "Entries on a page, or winning moves",
        &[
            ("shared/src/protocol/mod.rs", "PAGE_DEFAULT"),
            ("shared/src/protocol/mod.rs", "PAGE_MAX"),
        ],
    ),
    (
        "`obligations` in `welcome`",
        &[("shared/src/protocol/mod.rs", "PAGE_MAX")],
    ),
    (
        "Characters of a name",
        &[ONE, ("shared/src/bounds.rs", "NAME_MAX")],
    ),
    (
        "Bytes of `client`",
        &[("shared/src/bounds.rs", "CLIENT_BYTES_MAX")],
    ),
    (
        "Bytes of `language`",
        &[("shared/src/bounds.rs", "LANGUAGE_BYTES_MAX")],
    ),
    (
        "Characters of a `client_move_id` or `client_create_id`",
        &[ONE, ("shared/src/ids.rs", "MAX_BYTES")],
    ),
    (
        "Connections that follow one account",
        &[("server/src/accounts/mod.rs", "FOLLOWERS_MAX")],
    ),
    (
        "Events of an account that are kept for a reconnect",
        &[("server/src/accounts/account.rs", "KEPT")],
    ),
    (
        "Accounts whose events are kept although no connection follows them",
        &[("server/src/accounts/state.rs", "ABSENT_MAX")],
    ),
    (
        "Time that a challenge stands",
        &[
            ("server/src/accounts/mod.rs", "STANDS_FOR_MS"),
            ("shared/src/bounds.rs", "CHALLENGE_STANDS"),
        ],
    ),
    (
        "Open challenges from one player",
        &[("server/src/accounts/challenges.rs", "SENT_MAX")],
    ),
    (
        "Open challenges to one player",
        &[("server/src/accounts/challenges.rs", "RECEIVED_MAX")],
    ),
    (
        "Open challenges of the server",
        &[("server/src/accounts/challenges.rs", "OPEN_MAX")],
    ),
    (
        "Bytes of the start position of a seek",
        &[("shared/src/bounds.rs", "SEEK_START_BYTES_MAX")],
    ),
    (
        "Takes that are remembered, so that a repeat gets the same match",
        &[("server/src/lobby/state.rs", "TAKES_MAX")],
    ),
    (
        "Games in an offer",
        &[("shared/src/bounds.rs", "OFFER_GAMES_MAX")],
    ),
    (
        "Tournaments that a connection follows",
        &[("server/src/session/tournaments.rs", "FOLLOWS_MAX")],
    ),
    (
        "Characters of the reason of a cancellation",
        &[("shared/src/bounds.rs", "REASON_MAX")],
    ),
    (
        "Requests that wait in one tournament while something is stored: in all, of one player",
        &[
            ("server/src/tournaments/machine/state.rs", "WAITING_MAX"),
            (
                "server/src/tournaments/machine/state.rs",
                "WAITING_OF_PLAYER",
            ),
        ],
    ),
    (
        "Time until a tournament starts by itself",
        &[("shared/src/bounds.rs", "START_DELAY_MAX")],
    ),
    (
        "Time in which a tournament without a time to start has to be started, and one that is paused resumed",
        &[("shared/src/bounds.rs", "TOURNAMENT_IDLE")],
    ),
    (
        "Characters of the name of a tournament",
        &[ONE, ("shared/src/bounds.rs", "TOURNAMENT_NAME_MAX")],
    ),
    (
        "Games of a pairing",
        &[ONE, ("shared/src/bounds.rs", "GAMES_OF_PAIRING_MAX")],
    ),
    (
        "Rounds of a Swiss tournament, of a ladder",
        &[
            ONE,
            ("shared/src/bounds.rs", "SWISS_ROUNDS_MAX"),
            ONE,
            ("shared/src/bounds.rs", "LADDER_ROUNDS_MAX"),
        ],
    ),
    (
        "Time to come to a game of a tournament, to come back to it",
        &[("shared/src/bounds.rs", "ABSENCE_MS")],
    ),
    (
        "Offers of a rematch in a match",
        &[("shared/src/referee/limits.rs", "OFFERS_MAX")],
    ),
    (
        "Proposals of each player in a match",
        &[("shared/src/referee/limits.rs", "PROPOSALS_MAX")],
    ),
    (
        "The same for `resume`, and for `continue` in an adjourned match",
        &[("shared/src/referee/limits.rs", "RESUMES_MAX")],
    ),
    (
        "Pauses and adjournments of a match",
        &[("shared/src/referee/limits.rs", "PAUSES_MAX")],
    ),
    (
        "Length of a pause, of an adjournment",
        &[
            ("shared/src/referee/limits.rs", "PAUSE_MS"),
            ("shared/src/referee/limits.rs", "ADJOURN_MS"),
        ],
    ),
    (
        "Moves in one `explain`",
        &[("shared/src/bounds.rs", "EXPLAINED_MOVES_MAX")],
    ),
    (
        "Hints before one move that a client can report",
        &[("shared/src/bounds.rs", "HINTS_MAX")],
    ),
    (
        "Lines of a plan",
        &[("shared/src/bounds.rs", "PLAN_LINES_MAX")],
    ),
    (
        "Moves in a line of a plan, an even number",
        &[("shared/src/bounds.rs", "PLAN_MOVES_MAX")],
    ),
    (
        "Bytes of all moves of a plan",
        &[("shared/src/referee/limits.rs", "PLAN_TEXT_MAX")],
    ),
    (
        "Plans of one player in one match",
        &[("shared/src/referee/limits.rs", "PLANS_MAX")],
    ),
    (
        "Time that a player must be away before the other can claim, with clocks and without",
        &[
            ("shared/src/referee/limits.rs", "CLAIM_AFTER_MS"),
            ("shared/src/referee/limits.rs", "CLAIM_AFTER_UNTIMED_MS"),
        ],
    ),
    (
        "Work, bytes of the solver for one claim",
        &[
            ("shared/src/referee/limits.rs", "CLAIM_NODES"),
            ("shared/src/referee/limits.rs", "CLAIM_BYTES"),
        ],
    ),
    (
        "Time for the first move from which nothing can be claimed",
        &[("shared/src/referee/limits.rs", "CLAIM_CLOCKS_BELOW_MS")],
    ),
    (
        "Moves after which none is taken back",
        &[("shared/src/referee/limits.rs", "TAKEBACK_PLIES_MAX")],
    ),
    (
        "Starting time, increment",
        &[
            ("shared/src/bounds.rs", "BASE_MS"),
            ("shared/src/bounds.rs", "INCREMENT_MS"),
        ],
    ),
    (
        "Delay of a clock, time for each move",
        &[
            ("shared/src/bounds.rs", "DELAY_MS"),
            ("shared/src/bounds.rs", "MOVE_MS"),
        ],
    ),
    (
        "Byo-yomi: starting time, period, number of periods",
        &[
            ("shared/src/bounds.rs", "MAIN_MS"),
            ("shared/src/bounds.rs", "PERIOD_MS"),
            ("shared/src/bounds.rs", "PERIODS"),
        ],
    ),
];

/// Bounds that the page states in a sentence: the constant, its value, and a part of the sentence.
const SENTENCES: &[(Constant, u64, &str)] = &[
    (
        ("server/src/identity/proofs.rs", "KNOWN_MAX"),
        8,
        "The last eight addresses from which a player has signed in",
    ),
    (
        ("shared/src/bounds.rs", "SERIES_MAX"),
        1_000,
        "an even number of games from 2 to 1000",
    ),
    (
        ("server/src/session/limits.rs", "REFUSALS_MAX"),
        3,
        "the third time in a row closes the connection",
    ),
    (
        ("server/src/matches/machine/presence.rs", "DOUBLINGS_MAX"),
        7,
        "up to 128 times as long",
    ),
    (
        ("shared/src/tournament/event.rs", "MAX_REPLAYS"),
        5,
        "at most five times",
    ),
    (
        ("shared/src/referee/limits.rs", "MOVE_OVERHEAD"),
        256,
        "plus 256 for each",
    ),
    (
        ("shared/src/protocol/mod.rs", "INTEGER_MAX"),
        (1 << 53) - 1,
        "an integer from 0 to 2^53-1",
    ),
    (
        ("server/src/matches/machine/policy.rs", "REMATCH_START_MS"),
        10_000,
        "for 10 seconds at most",
    ),
    (
        ("server/src/matches/recovery.rs", "FINDING_BACK"),
        5_000,
        "until 5 seconds after the longest delay",
    ),
    (
        ("server/src/lifecycle.rs", "RECONNECT_MOST"),
        3_000,
        "which is 3 seconds",
    ),
    (
        ("shared/src/referee/limits.rs", "FIRST_MOVE_MS"),
        60_000,
        "each player has 60 seconds for the first move",
    ),
    (
        ("shared/src/referee/limits.rs", "FIRST_MOVE_CLOCKS_BELOW_MS"),
        3_600_000,
        "the clock gives at least an hour for the first move",
    ),
    (
        ("shared/src/referee/limits.rs", "LAG_MAX"),
        1_000,
        "A player has 1000 ms for",
    ),
    (
        ("shared/src/referee/limits.rs", "LAG_REFILL"),
        100,
        "up to 100 ms of what was used come back",
    ),
];

/// Rows that are no constant: a setting once more, or what a connection has one of.
const NO_CONSTANT: &[&str] = &[
    "Finished matches that a connection follows",
    "Analyses of one connection at once",
    "Seeks of one player with automatic matching",
];

/// Bounds of the code that no client can meet, and why.
const INSIDE: &[(Constant, &str)] = &[
    (
        ("server/src/analysis/schedule.rs", "GIVES_WAY_MAX"),
        "a job that gave way is done later",
    ),
    (
        ("server/src/analysis/schedule.rs", "LEAVING_MAX"),
        "of jobs that are refused already",
    ),
    (
        ("server/src/matches/machine/deciding.rs", "CONFLICTS_MAX"),
        "conflicts with another server",
    ),
    (
        ("server/src/tournaments/registry.rs", "CONFLICTS_MAX"),
        "conflicts with another server",
    ),
    (
        ("server/src/matches/machine/late.rs", "LATE_MAX"),
        "connections that are answered after a look at what another server has stored",
    ),
    (
        ("server/src/matches/recovery.rs", "CONFLICTS_MAX"),
        "conflicts with another server",
    ),
    (
        ("server/src/matches/machine/following.rs", "RECENT_MAX"),
        "older events come from the log",
    ),
    (
        ("server/src/matches/machine/followers.rs", "UNTOLD_MAX"),
        "watchers are served in portions",
    ),
    (
        ("server/src/matches/machine/following.rs", "KEPT_MAX"),
        "older events come from the log",
    ),
    (
        ("server/src/matches/live/panics.rs", "PANICS_MAX"),
        "errors of the program",
    ),
    (
        ("server/src/transport/mod.rs", "TURNED_AWAY_MAX"),
        "connections that are being refused",
    ),
    (
        ("server/src/analysis/reviews.rs", "BYTES_MAX"),
        "reviews that are kept for the next who asks",
    ),
    (
        ("shared/src/bounds.rs", "MATCHES_PER_PLAYER_MAX"),
        "the most that `limits.matches_per_player` can be set to",
    ),
];

/// A bound in the unit of its setting: milliseconds, bytes, or pieces.
fn in_units(number: &str, unit: &str) -> u64 {
    let unit = match unit {
        "s" => 1_000,
        "h" => 3_600_000,
        "days" => 86_400_000,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        _ => 1,
    };
    number.parse::<u64>().expect("a number") * unit
}

/// All numbers of a cell, each in its unit.
fn numbers(cell: &str) -> Vec<u64> {
    let words: Vec<&str> = cell
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .collect();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let numbers = words.iter().enumerate().filter(|(_, word)| is_number(word));
    let unit = |place: usize| words.get(place + 1).copied().unwrap_or_default();
    numbers
        .map(|(place, word)| in_units(word, unit(place)))
        .collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The values of a constant, as its file has them: integers, products, shifts, ranges, and those of `Millis` and `Duration`.
fn values(text: &str, (file, name): Constant) -> Vec<u64> {
    let declared = format!("const {name}: ");
    let (_, rest) = text
        .split_once(&declared)
        .unwrap_or_else(|| panic!("{file} has no constant {name}"));
    let (_, value) = rest.split_once(" = ").expect("a constant has a value");
    let (value, _) = value.split_once(';').expect("a constant ends");
    let factor = if value.contains("from_secs(") {
        1_000
    } else {
        1
    };
    let bare = ["Millis(", "Duration::from_secs(", "[", "]", ")", "_"]
        .iter()
        .fold(value.to_owned(), |text, word| text.replace(word, ""));
    let integer = |text: &str| -> u64 {
        let text = text.trim();
        text.parse()
            .unwrap_or_else(|_| panic!("{file}: {name} = {value} is not understood"))
    };
    let term = |text: &str| match text.split_once("<<") {
        Some((left, right)) => integer(left) << integer(right),
        None => text.split('*').map(integer).product(),
    };
    bare.replace("..=", ",")
        .split(',')
        .map(|text| term(text) * factor)
        .collect()
}

fn source(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn the_bounds_of_the_page_are_the_defaults() {
    let page = page();
    let shown: BTreeMap<String, u64> = table(&page, "Bounds")
        .into_iter()
        .filter(|cells| cells[3].starts_with('`'))
        .map(|cells| (cells[3].trim_matches('`').to_owned(), numbers(cells[1])[0]))
        .collect();
    let config = Config::default();
    let defaults: BTreeMap<String, u64> = config
        .values()
        .into_iter()
        .map(|(key, value)| (key.path.to_owned(), value.to_string()))
        // How many threads there are concerns no client, and who may create tournaments is no number.
        .filter(|(path, _)| path.contains('.') && path != "solver.threads")
        .filter(|(path, _)| path != "tournaments.create")
        // Nor are lists of trusted clients.
        .filter(|(path, _)| !["trusted.addresses", "trusted.bots"].contains(&&**path))
        .map(|(path, value)| (path, value.parse().expect("a number")))
        .collect();
    assert_eq!(shown, defaults, "left: the page, right: the defaults");
}

#[test]
fn the_fixed_bounds_of_the_page_are_the_constants() {
    let page = page();
    let rows = table(&page, "Bounds");
    let fixed = rows.iter().filter(|cells| cells[3].is_empty());
    let mut shown: BTreeMap<&str, Vec<u64>> =
        fixed.map(|cells| (cells[0], numbers(cells[1]))).collect();
    for row in NO_CONSTANT {
        assert!(shown.remove(row).is_some(), "the page has no row {row}");
    }
    let constants: BTreeMap<&str, Vec<u64>> = ROWS
        .iter()
        .map(|(row, constants)| {
            let of = |constant: &Constant| match *constant {
                ONE => vec![1],
                constant => values(&source(constant.0), constant),
            };
            (*row, constants.iter().flat_map(of).collect())
        })
        .collect();
    assert_eq!(shown, constants, "left: the page, right: the constants");
    for (constant, value, words) in SENTENCES {
        // A power of two less one is the only difference.
        if constant.1 != "INTEGER_MAX" {
            assert_eq!(values(&source(constant.0), *constant), [*value], "{words}");
        }
        assert!(page.contains(words), "the page does not say: {words}");
    }
}

#[test]
fn every_bound_that_a_client_can_meet_is_on_the_page() {
    const PLACES: &[&str] = &[
        "server/src/accounts",
        "server/src/addresses.rs",
        "server/src/analysis",
        "server/src/chat",
        "server/src/identity",
        "server/src/matches",
        "server/src/session",
        "server/src/tournaments",
        "server/src/transport",
        "shared/src/bounds.rs",
        "shared/src/ids.rs",
        "shared/src/protocol",
        "shared/src/referee",
        "shared/src/tournament/event.rs",
    ];
    let on_the_page = ROWS.iter().flat_map(|(_, constants)| constants.iter());
    let in_sentences = SENTENCES.iter().map(|(constant, ..)| constant);
    let inside = INSIDE.iter().map(|(constant, _)| constant);
    let known: BTreeSet<Constant> = on_the_page
        .chain(in_sentences)
        .chain(inside)
        .copied()
        .collect();
    let mut missing = Vec::new();
    for place in PLACES {
        for file in files(place) {
            let text = source(&file);
            for declared in text.split("const ").skip(1) {
                let name = declared.split(':').next().unwrap_or_default();
                let bounds = name.ends_with("_MAX") || name.starts_with("MAX_");
                if bounds && !known.contains(&(file.as_str(), name)) {
                    missing.push(format!("{file}: {name}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "not on the page: {missing:#?}");
}

/// The source files in a place, named from the root of the repository.
fn files(place: &str) -> Vec<String> {
    let path = root().join(place);
    if path.is_file() {
        return vec![place.to_owned()];
    }
    let entries = std::fs::read_dir(&path).expect("the sources");
    let inner = entries.flat_map(|entry| {
        let name = entry.expect("an entry").file_name();
        let inner = format!("{place}/{}", name.to_str().expect("a plain name"));
        match root().join(&inner).is_dir() {
            true => files(&inner),
            false => vec![inner],
        }
    });
    inner.collect()
}
