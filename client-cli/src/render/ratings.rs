//! Ratings and leaderboards as text.

use grundy_shared::protocol::puzzle::{SolverRating, SolvingChange};
use grundy_shared::protocol::rating::{LeaderboardEntry, RatedChange, RatedEntry, RatingInfo};
use grundy_shared::rated::PairScore;
use grundy_shared::record::date_text;

use super::{clean, count, table};

/// A rating with the span in which the strength is with a chance of 95 %.
fn rating(points: i64, deviation: i64, provisional: bool) -> String {
    let mark = if provisional { "?" } else { "" };
    format!("{points}{mark} ± {}", 2 * deviation)
}

/// A rating alone, as it stands beside a name.
pub(crate) fn short(info: &RatingInfo) -> String {
    let mark = if info.provisional { "?" } else { "" };
    format!("{}{mark}", info.rating)
}

/// The rating of a player in puzzles.
pub(crate) fn in_puzzles(solving: &SolverRating) -> String {
    format!(
        "Puzzles: {} after {}.",
        rating(solving.rating, solving.deviation, solving.provisional),
        count(solving.attempts, "answer"),
    )
}

/// A puzzle that is put: its family and rating (points, deviation, answers), and the rating of the player.
pub(crate) fn of_puzzle(
    family: &str,
    (points, deviation, attempts): (i64, i64, u64),
    you: &SolverRating,
) -> String {
    format!(
        "\nPuzzle: {}, rated {} after {}. You: {}.",
        clean(family),
        rating(points, deviation, deviation > 110),
        count(attempts, "answer"),
        rating(you.rating, you.deviation, you.provisional),
    )
}

/// What an answer to a puzzle has made of the ratings of the player and of the puzzle.
pub(crate) fn after_answer(you: &SolvingChange, puzzle: &SolvingChange) -> String {
    let after = |it: &SolvingChange| {
        let shown = rating(it.rating, it.deviation, it.provisional);
        format!("{shown} ({})", change(it.change))
    };
    format!(
        "Your rating in puzzles: {}. The puzzle: {}.",
        after(you),
        after(puzzle)
    )
}

/// By how much a rating has changed: always with its sign.
fn change(by: i64) -> String {
    format!("{by:+}")
}

/// The ratings of a player, one line each.
pub(crate) fn of_player(ratings: &[RatingInfo], width: Option<usize>) -> String {
    let row = |info: &RatingInfo| {
        vec![
            clean(&info.family),
            rating(info.rating, info.deviation, info.provisional),
            info.pairs.to_string(),
            date_text(info.last_at_ms),
        ]
    };
    let rows: Vec<Vec<String>> = ratings.iter().map(row).collect();
    table(&["game", ">rating", ">pairs", "last pair"], &rows, width)
}

/// The history of a rating, one line a pair.
pub(crate) fn history(pairs: &[RatedEntry], width: Option<usize>) -> String {
    let row = |entry: &RatedEntry| {
        let result = match entry.score {
            PairScore::Won => "won",
            PairScore::Drawn => "even",
            PairScore::Lost => "lost",
        };
        vec![
            entry.seq.to_string(),
            date_text(entry.at_ms),
            clean(&entry.opponent.name),
            entry.opponent_rating.to_string(),
            result.to_owned(),
            entry.rating.to_string(),
            change(entry.change),
            entry.match_id.to_string(),
        ]
    };
    let rows: Vec<Vec<String>> = pairs.iter().map(row).collect();
    let headings = [
        ">pair",
        "date",
        "opponent",
        ">their rating",
        "result",
        ">rating",
        ">change",
        "last match",
    ];
    table(&headings, &rows, width)
}

/// A page of a leaderboard; `first` is the rank of its first player, if that is known.
pub(crate) fn leaderboard(
    entries: &[LeaderboardEntry],
    provisional: bool,
    first: Option<usize>,
    width: Option<usize>,
) -> String {
    let row = |(place, entry): (usize, &LeaderboardEntry)| {
        let rank = first.map(|first| (first + place).to_string());
        let of_entry = [
            clean(&entry.player.name),
            rating(entry.rating, entry.deviation, provisional),
            entry.pairs.to_string(),
            date_text(entry.last_at_ms),
        ];
        rank.into_iter().chain(of_entry).collect()
    };
    let rows: Vec<Vec<String>> = entries.iter().enumerate().map(row).collect();
    let headings = [">rank", "player", ">rating", ">pairs", "last pair"];
    table(&headings[usize::from(first.is_none())..], &rows, width)
}

/// What a rated pair has made of the ratings of its players, in one line.
pub(crate) fn changes(changes: [&RatedChange; 2]) -> String {
    let one = |rated: &RatedChange| {
        let mark = if rated.provisional { "?" } else { "" };
        format!(
            "{} {}{mark} ({})",
            clean(&rated.player.name),
            rated.rating,
            change(rated.change)
        )
    };
    format!("New ratings: {}, {}.", one(changes[0]), one(changes[1]))
}

#[cfg(test)]
mod tests {
    use grundy_shared::event::PlayerInfo;
    use grundy_shared::ids::{Millis, PlayerId};
    use unicode_width::UnicodeWidthStr as _;

    use super::*;

    fn player(name: &str) -> PlayerInfo {
        PlayerInfo {
            id: PlayerId::from_random(7),
            name: name.to_owned(),
            bot: false,
        }
    }

    #[test]
    fn a_leaderboard_fits_40_columns_and_obeys_no_name() {
        let entries = [LeaderboardEntry {
            player: player("Ada\u{1b}[2J"),
            rating: 1_612,
            deviation: 61,
            pairs: 40,
            last_at_ms: Millis(1_795_240_800_000),
        }];
        let wide = leaderboard(&entries, false, Some(3), None);
        let line = wide.lines().nth(1).expect("an entry");
        let cells: Vec<&str> = line.split_whitespace().take(5).collect();
        assert_eq!(cells, ["3", "Ada[2J", "1612", "±", "122"], "{wide}");
        let narrow = leaderboard(&entries, true, Some(1), Some(40));
        assert!(narrow.contains("1612? ± 122"), "{narrow}");
        assert!(narrow.lines().all(|line| line.width() <= 40), "{narrow}");
    }

    #[test]
    fn changes_have_their_signs() {
        let change = |name: &str, rating, change, provisional| RatedChange {
            player: player(name),
            score: PairScore::Drawn,
            rating,
            change,
            deviation: 300,
            provisional,
        };
        let (one, other) = (
            change("Ann", 1_662, 162, true),
            change("Bo", 1_480, -20, false),
        );
        assert_eq!(
            changes([&one, &other]),
            "New ratings: Ann 1662? (+162), Bo 1480 (-20)."
        );
    }
}
