//! What stands in the tables of a player's matches.

use grundy_shared::career::{MissedPosition, Range, Results, Share};
use grundy_shared::practice::Theme;
use grundy_shared::review::span;
use grundy_words::{Catalogue, Message};

use crate::render::short;

/// A title, with how many rows are shown if not all are.
pub(super) fn listed(title: &str, shown: usize, all: u64, words: &Catalogue) -> String {
    let title = words.say(title);
    match shown as u64 == all {
        true => title,
        false => Message::new("career-listed")
            .text("title", title)
            .text("shown", shown)
            .text("all", all)
            .said(words),
    }
}

/// `21 of 34`.
pub(super) fn part(part: impl ToString, whole: impl ToString, words: &Catalogue) -> String {
    Message::new("career-of")
        .text("part", part)
        .text("whole", whole)
        .said(words)
}

/// `62% (45% to 76%)`.
pub(super) fn interval([value, low, high]: [String; 3], words: &Catalogue) -> String {
    Message::new("career-span")
        .text("value", value)
        .text("low", low)
        .text("high", high)
        .said(words)
}

/// `21 of 34` and `62% (45% to 76%)`.
pub(super) fn kept(share: &Share, words: &Catalogue) -> [String; 2] {
    let percent = |share: f64| format!("{:.0}%", 100.0 * share);
    let span = match (share.share, share.low, share.high) {
        (Some(middle), Some(low), Some(high)) => interval([middle, low, high].map(percent), words),
        _ => "-".to_owned(),
    };
    [part(share.kept, share.decisions, words), span]
}

/// `3-1`, and `3-1-2` with draws.
pub(super) fn score(results: Results) -> String {
    match results {
        _ if results.matches() == 0 => "-".to_owned(),
        Results {
            won,
            lost,
            drawn: 0,
        } => format!("{won}-{lost}"),
        Results { won, lost, drawn } => format!("{won}-{lost}-{drawn}"),
    }
}

fn or_more(from: impl ToString, words: &Catalogue) -> String {
    Message::new("career-or-more")
        .text("from", from)
        .said(words)
}

/// `5-8`.
pub(super) fn numbers(range: &Range, words: &Catalogue) -> String {
    match range.below {
        Some(below) if below == range.from + 1 => range.from.to_string(),
        Some(below) => format!("{}-{}", range.from, below - 1),
        None => or_more(range.from, words),
    }
}

/// `below 5 s`.
pub(super) fn times(range: &Range, words: &Catalogue) -> String {
    match (range.from, range.below) {
        (0, Some(below)) => Message::new("career-below")
            .text("below", span(below))
            .said(words),
        (from, Some(below)) => Message::new("career-from-to")
            .text("from", span(from))
            .text("below", span(below))
            .said(words),
        (from, None) => or_more(span(from), words),
    }
}

/// The moves that would have kept the win.
pub(super) fn best(missed: &MissedPosition, words: &Catalogue) -> String {
    if missed.drawn {
        return words.say("career-a-draw");
    }
    let named = missed.winning_moves.len() as u64;
    let moves = missed.winning_moves.iter().map(|mv| short(mv));
    let moves: Vec<String> = moves.collect();
    let moves = moves.join(", ");
    match missed.winning_moves_total {
        _ if named == 0 => "-".to_owned(),
        Some(total) if total > named => format!("{moves} +{}", total - named),
        Some(_) => moves,
        None => format!("{moves}, ..."),
    }
}

/// The name of an idea.
pub(super) fn theme(theme: Theme, words: &Catalogue) -> String {
    let name = serde_json::to_value(theme).ok();
    let name = name.as_ref().and_then(|name| name.as_str());
    let name = name.unwrap_or_default();
    Message::new("career-theme")
        .text("theme", name)
        .text("name", name.replace('_', " "))
        .said(words)
}

#[cfg(test)]
mod tests {
    use grundy_words::Language;

    use super::*;

    #[test]
    fn ranges_and_scores_read_like_ranges_and_scores() {
        let words = Catalogue::of(Language::English);
        let range = |from, below| Range {
            from,
            below,
            mistakes: 0,
            share: Share::default(),
        };
        assert_eq!(numbers(&range(1, Some(2)), words), "1");
        assert_eq!(numbers(&range(5, Some(9)), words), "5-8");
        assert_eq!(numbers(&range(129, None), words), "129 or more");
        assert_eq!(
            times(&range(0, Some(1_000)), words),
            format!("below {}", span(1_000))
        );
        assert_eq!(theme(Theme::NimSum, words), "nim sum");
        let results = Results {
            won: 3,
            lost: 1,
            drawn: 2,
        };
        assert_eq!(score(results), "3-1-2");
        assert_eq!(
            score(Results {
                drawn: 0,
                ..results
            }),
            "3-1"
        );
        assert_eq!(kept(&Share::default(), words), ["0 of 0", "-"]);
    }
}
