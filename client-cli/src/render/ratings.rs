//! Ratings and leaderboards as text.

use grundy_shared::protocol::puzzle::{SolverRating, SolvingChange};
use grundy_shared::protocol::rating::{LeaderboardEntry, RatedChange, RatedEntry, RatingInfo};
use grundy_shared::rated::PairScore;
use grundy_shared::record::date_text;
use grundy_words::{Catalogue, Message};

use super::{clean, headings, table};

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
pub(crate) fn in_puzzles(solving: &SolverRating, words: &Catalogue) -> String {
    let rating = rating(solving.rating, solving.deviation, solving.provisional);
    Message::new("rating-puzzles")
        .text("rating", rating)
        .number("count", solving.attempts)
        .said(words)
}

/// A puzzle that is put: its family and rating (points, deviation, answers), and the rating of the player.
pub(crate) fn of_puzzle(
    family: &str,
    (points, deviation, attempts): (i64, i64, u64),
    you: &SolverRating,
    words: &Catalogue,
) -> String {
    let message = Message::new("rating-puzzle")
        .text("family", clean(family))
        .text("rating", rating(points, deviation, deviation > 110))
        .number("count", attempts)
        .text("own", rating(you.rating, you.deviation, you.provisional));
    format!("\n{}", message.said(words))
}

/// What an answer to a puzzle has made of the ratings of the player and of the puzzle.
pub(crate) fn after_answer(
    you: &SolvingChange,
    puzzle: &SolvingChange,
    words: &Catalogue,
) -> String {
    let after = |it: &SolvingChange| {
        let shown = rating(it.rating, it.deviation, it.provisional);
        format!("{shown} ({})", change(it.change))
    };
    Message::new("rating-after-answer")
        .text("own", after(you))
        .text("puzzle", after(puzzle))
        .said(words)
}

/// By how much a rating has changed: always with its sign.
fn change(by: i64) -> String {
    format!("{by:+}")
}

/// The ratings of a player, one line each.
pub(crate) fn of_player(ratings: &[RatingInfo], width: Option<usize>, words: &Catalogue) -> String {
    let row = |info: &RatingInfo| {
        vec![
            clean(&info.family),
            rating(info.rating, info.deviation, info.provisional),
            info.pairs.to_string(),
            date_text(info.last_at_ms),
        ]
    };
    let rows: Vec<Vec<String>> = ratings.iter().map(row).collect();
    let names = [
        "rating-game",
        ">rating-rating",
        ">rating-pairs",
        "rating-last-pair",
    ];
    table(&headings(names, words), &rows, width)
}

/// The history of a rating, one line a pair.
pub(crate) fn history(pairs: &[RatedEntry], width: Option<usize>, words: &Catalogue) -> String {
    let row = |entry: &RatedEntry| {
        let result = match entry.score {
            PairScore::Won => "won",
            PairScore::Drawn => "even",
            PairScore::Lost => "lost",
        };
        let result = Message::new("rating-score").text("score", result);
        vec![
            entry.seq.to_string(),
            date_text(entry.at_ms),
            clean(&entry.opponent.name),
            entry.opponent_rating.to_string(),
            result.said(words),
            entry.rating.to_string(),
            change(entry.change),
            entry.match_id.to_string(),
        ]
    };
    let rows: Vec<Vec<String>> = pairs.iter().map(row).collect();
    let names = [
        ">rating-pair",
        "rating-date",
        "rating-opponent",
        ">rating-theirs",
        "rating-result",
        ">rating-rating",
        ">rating-change",
        "rating-last-match",
    ];
    table(&headings(names, words), &rows, width)
}

/// A page of a leaderboard; `first` is the rank of its first player, if that is known.
pub(crate) fn leaderboard(
    entries: &[LeaderboardEntry],
    provisional: bool,
    first: Option<usize>,
    width: Option<usize>,
    words: &Catalogue,
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
    let names = [
        ">rating-rank",
        "rating-player",
        ">rating-rating",
        ">rating-pairs",
        "rating-last-pair",
    ];
    let headings = headings(names, words);
    table(&headings[usize::from(first.is_none())..], &rows, width)
}

/// What a rated pair has made of the ratings of its players, in one line.
pub(crate) fn changes(changes: [&RatedChange; 2], words: &Catalogue) -> String {
    let one = |rated: &RatedChange| {
        let mark = if rated.provisional { "?" } else { "" };
        format!(
            "{} {}{mark} ({})",
            clean(&rated.player.name),
            rated.rating,
            change(rated.change)
        )
    };
    Message::new("rating-new")
        .text("first", one(changes[0]))
        .text("second", one(changes[1]))
        .said(words)
}

#[cfg(test)]
mod tests {
    use grundy_shared::event::PlayerInfo;
    use grundy_shared::ids::{Millis, PlayerId};
    use grundy_words::Language;
    use unicode_width::UnicodeWidthStr as _;

    use super::*;

    fn english() -> &'static Catalogue {
        Catalogue::of(Language::English)
    }

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
        let wide = leaderboard(&entries, false, Some(3), None, english());
        let line = wide.lines().nth(1).expect("an entry");
        let cells: Vec<&str> = line.split_whitespace().take(5).collect();
        assert_eq!(cells, ["3", "Ada[2J", "1612", "±", "122"], "{wide}");
        let narrow = leaderboard(&entries, true, Some(1), Some(40), english());
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
            changes([&one, &other], english()),
            "New ratings: Ann 1662? (+162), Bo 1480 (-20)."
        );
    }
}
