//! All matches of a player together, as tables.

use grundy_shared::career::{
    Figures, MissedPosition, Opening, Opponent, Period, PeriodLength, Range, Report, Results, Share,
};
use grundy_shared::event::Outcome;
use grundy_shared::practice::Theme;
use grundy_shared::review::span;

use super::{clean, count, many, short, table, wrapped};

/// The report for a screen of this width. Every table fits into 40 columns and more.
pub(crate) fn page(report: &Report, width: Option<usize>) -> String {
    let mut page = Page {
        text: String::new(),
        width,
    };
    page.sentence(&head(report));
    page.results(report);
    page.decisions(report);
    page.trend(report);
    page.ranges(
        "Wins kept, by the number of the move",
        "moves",
        &report.plies,
        &numbers,
    );
    page.ranges(
        "Wins kept, by the time that the move took",
        "time used",
        &report.time_used_ms,
        &times,
    );
    page.ranges(
        "Wins kept, by the time left after the move",
        "time left",
        &report.time_left_ms,
        &times,
    );
    page.themes(report);
    page.missed(report);
    page.openings(report);
    page.opponents(report);
    page.left_out(report);
    page.text
}

fn head(report: &Report) -> String {
    let who = match &report.player {
        Some(name) => clean(name),
        None => "Your matches".to_owned(),
    };
    let total = &report.total;
    let results = total.results;
    let draws = match results.drawn {
        0 => String::new(),
        drawn => format!(", {drawn} drawn"),
    };
    let own = match total.matches - results.matches() {
        0 => String::new(),
        own => format!(", {own} with the same player on both sides"),
    };
    format!(
        "{who}: {}, {} won, {} lost{draws}{own}",
        many(total.matches, "match", "matches"),
        results.won,
        results.lost
    )
}

struct Page {
    text: String,
    width: Option<usize>,
}

impl Page {
    fn sentence(&mut self, words: &str) {
        self.text.push_str(&wrapped(words, self.width));
        self.text.push('\n');
    }

    fn table(&mut self, title: &str, headings: &[&str], rows: &[Vec<String>]) {
        if rows.is_empty() {
            return;
        }
        self.text.push('\n');
        self.sentence(title);
        self.text.push_str(&table(headings, rows, self.width));
    }

    /// Each family, and all of them if there are several.
    fn families(report: &Report) -> Vec<(&str, &Figures)> {
        let families = report.families.iter();
        let mut rows: Vec<(&str, &Figures)> =
            families.map(|row| (row.family, &row.figures)).collect();
        if rows.len() > 1 {
            rows.push(("all", &report.total));
        }
        rows
    }

    fn results(&mut self, report: &Report) {
        let row = |(family, figures): (&str, &Figures)| {
            let Results { won, lost, drawn } = figures.results;
            let counts = [
                figures.matches,
                won,
                lost,
                drawn,
                figures.moves,
                figures.mistakes,
            ];
            let counts = counts.map(|count| count.to_string());
            [family.to_owned()].into_iter().chain(counts).collect()
        };
        let rows: Vec<Vec<String>> = Self::families(report).into_iter().map(row).collect();
        let headings = [
            "game",
            ">matches",
            ">won",
            ">lost",
            ">drawn",
            ">moves",
            ">mistakes",
        ];
        self.table("Results", &headings, &rows);
    }

    fn decisions(&mut self, report: &Report) {
        let row = |(family, figures): (&str, &Figures)| {
            let [kept, share] = kept(&figures.share);
            let skill = figures.skill.map_or("-".to_owned(), |skill| {
                format!("{:.2} ({:.2} to {:.2})", skill.skill, skill.low, skill.high)
            });
            let bits = format!("{:.1} of {:.1}", figures.bits_found, figures.bits_offered);
            vec![family.to_owned(), kept, share, bits, skill]
        };
        let rows: Vec<Vec<String>> = Self::families(report).into_iter().map(row).collect();
        let headings = ["game", ">kept", "share (95%)", ">bits found", "skill (95%)"];
        self.table("Wins kept, of those that could be lost", &headings, &rows);
    }

    fn trend(&mut self, report: &Report) {
        let (by, letters) = match report.trend_by {
            PeriodLength::Day => ("day", 0),
            PeriodLength::Week => ("week from", 0),
            PeriodLength::Month => ("month", 3),
            PeriodLength::Year => ("year", 6),
        };
        let row = |period: &Period| {
            let [kept, share] = kept(&period.share);
            let shown = &period.from[..period.from.len() - letters];
            let counts = [period.matches, period.mistakes].map(|count| count.to_string());
            let row = [shown.to_owned()].into_iter().chain(counts);
            row.chain([kept, share]).collect()
        };
        let rows: Vec<Vec<String>> = report.trend.iter().map(row).collect();
        let headings = [by, ">matches", ">mistakes", ">kept", "share (95%)"];
        self.table("Trend", &headings, &rows);
    }

    fn ranges(
        &mut self,
        title: &str,
        heading: &str,
        ranges: &[Range],
        name: &dyn Fn(&Range) -> String,
    ) {
        let row = |range: &Range| {
            let [kept, share] = kept(&range.share);
            vec![name(range), range.mistakes.to_string(), kept, share]
        };
        let rows: Vec<Vec<String>> = ranges.iter().map(row).collect();
        self.table(
            title,
            &[heading, ">mistakes", ">kept", "share (95%)"],
            &rows,
        );
    }

    fn themes(&mut self, report: &Report) {
        let themes = report.themes.iter();
        let rows: Vec<Vec<String>> = themes
            .map(|row| vec![theme(row.theme), row.mistakes.to_string()])
            .collect();
        self.table(
            "Wins given away, by the idea that would have won",
            &["idea", ">mistakes"],
            &rows,
        );
    }

    fn missed(&mut self, report: &Report) {
        let row = |missed: &MissedPosition| {
            let to_move = missed
                .to_move
                .map_or(String::new(), |seat| format!(" ({seat} to move)"));
            vec![
                format!("{}{to_move}", missed.position),
                format!("{} of {}", missed.missed, missed.met),
                best(missed),
            ]
        };
        let rows: Vec<Vec<String>> = report.missed.iter().map(row).collect();
        let title = listed("Most missed positions", rows.len(), report.missed_positions);
        self.table(&title, &["position", ">missed", "best"], &rows);
    }

    fn openings(&mut self, report: &Report) {
        let row = |opening: &Opening| {
            let theory = match opening.theory {
                Some(Outcome::First) => "first",
                Some(Outcome::Second) => "second",
                Some(Outcome::Draw | Outcome::Void) => "draw",
                None => "unknown",
            };
            let counts = [opening.matches, opening.first_won, opening.second_won];
            let counts = counts.map(|count| count.to_string());
            let own = [opening.as_first, opening.as_second].map(score);
            let row = [opening.start.clone()].into_iter().chain(counts);
            row.chain(own).chain([theory.to_owned()]).collect()
        };
        let rows: Vec<Vec<String>> = report.openings.iter().map(row).collect();
        let title = listed("Start positions", rows.len(), report.start_positions);
        let headings = [
            "start",
            ">matches",
            ">first won",
            ">second won",
            ">as first",
            ">as second",
            "best play",
        ];
        self.table(&title, &headings, &rows);
    }

    fn opponents(&mut self, report: &Report) {
        let row = |opponent: &Opponent| {
            vec![
                clean(&opponent.name),
                score(opponent.total),
                score(opponent.as_first),
                score(opponent.as_second),
            ]
        };
        let rows: Vec<Vec<String>> = report.opponents.iter().map(row).collect();
        let title = listed("Opponents", rows.len(), report.opponents_total);
        let headings = ["opponent", ">won-lost-drawn", ">as first", ">as second"];
        self.table(&title, &headings, &rows);
    }

    fn left_out(&mut self, report: &Report) {
        let left_out = report.left_out;
        let mut gaps = Vec::new();
        let mut add = |number: u64, words: String| {
            if number > 0 {
                gaps.push(words);
            }
        };
        let unknown = report.total.unknown_moves;
        add(
            unknown,
            format!(
                "{} could not be judged within the budget; try a longer --budget.",
                count(unknown, "move")
            ),
        );
        let matches = |number| many(number, "match", "matches");
        add(
            left_out.uncounted,
            format!(
                "Not counted, because they were called off: {}.",
                matches(left_out.uncounted)
            ),
        );
        add(
            left_out.themes,
            format!("Mistakes without an idea in the list: {}.", left_out.themes),
        );
        add(
            left_out.positions,
            format!(
                "Moves from positions that are too long or too many for the list of missed positions: {}.",
                left_out.positions
            ),
        );
        add(
            left_out.openings,
            format!(
                "Matches from starts that are too long or too many for the list: {}.",
                left_out.openings
            ),
        );
        add(
            left_out.opponents,
            format!(
                "Matches against opponents who are too many for the list: {}.",
                left_out.opponents
            ),
        );
        if !gaps.is_empty() {
            self.text.push('\n');
        }
        gaps.iter().for_each(|gap| self.sentence(gap));
    }
}

/// A title, with how many rows are shown if not all are.
fn listed(title: &str, shown: usize, all: u64) -> String {
    match shown as u64 == all {
        true => title.to_owned(),
        false => format!("{title} ({shown} of {all}; show more with --rows)"),
    }
}

/// `21 of 34` and `62% (45% to 76%)`.
fn kept(share: &Share) -> [String; 2] {
    let percent = |share: f64| format!("{:.0}%", 100.0 * share);
    let interval = match (share.share, share.low, share.high) {
        (Some(middle), Some(low), Some(high)) => {
            format!(
                "{} ({} to {})",
                percent(middle),
                percent(low),
                percent(high)
            )
        }
        _ => "-".to_owned(),
    };
    [format!("{} of {}", share.kept, share.decisions), interval]
}

/// `3-1`, and `3-1-2` with draws.
fn score(results: Results) -> String {
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

/// `5-8`.
fn numbers(range: &Range) -> String {
    match range.below {
        Some(below) if below == range.from + 1 => range.from.to_string(),
        Some(below) => format!("{}-{}", range.from, below - 1),
        None => format!("{} or more", range.from),
    }
}

/// `below 5 s`.
fn times(range: &Range) -> String {
    match (range.from, range.below) {
        (0, Some(below)) => format!("below {}", span(below)),
        (from, Some(below)) => format!("{} to {}", span(from), span(below)),
        (from, None) => format!("{} or more", span(from)),
    }
}

/// The moves that would have kept the win.
fn best(missed: &MissedPosition) -> String {
    if missed.drawn {
        return "a draw".to_owned();
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
fn theme(theme: Theme) -> String {
    let name = serde_json::to_value(theme);
    let name = name
        .ok()
        .and_then(|name| Some(name.as_str()?.replace('_', " ")));
    name.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use grundy_shared::career::Career;
    use grundy_shared::ids::Seat;
    use grundy_shared::record::Record;
    use grundy_shared::review::Review;
    use grundy_shared::solver::Budget;
    use unicode_width::UnicodeWidthStr as _;

    use super::*;

    #[test]
    fn ranges_and_scores_read_like_ranges_and_scores() {
        let range = |from, below| Range {
            from,
            below,
            mistakes: 0,
            share: Share::default(),
        };
        assert_eq!(numbers(&range(1, Some(2))), "1");
        assert_eq!(numbers(&range(5, Some(9))), "5-8");
        assert_eq!(numbers(&range(129, None)), "129 or more");
        assert_eq!(
            times(&range(0, Some(1_000))),
            format!("below {}", span(1_000))
        );
        assert_eq!(theme(Theme::NimSum), "nim sum");
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
        assert_eq!(kept(&Share::default()), ["0 of 0", "-"]);
    }

    /// The example of the documentation, once from both sides.
    fn report() -> Report {
        let page = include_str!("../../../docs/RECORDS.md");
        let (_, rest) = page.split_once("```ndjson\n").expect("an example");
        let text = rest.split_once("```").expect("its end").0;
        let record = Record::read(text.as_bytes()).expect("a record");
        let mut career = Career::default();
        let budget = Budget::nodes(100_000);
        let review = Review::outline(record.referee(), &budget);
        career.add(record.referee(), &review, &Seat::BOTH, &budget);
        career.add(record.referee(), &review, &[Seat::First], &budget);
        career.report(Some("Ada"), 10, Some(PeriodLength::Month))
    }

    #[test]
    fn tables_fit_screens_of_40_to_200_columns() {
        let report = report();
        let whole = page(&report, None);
        assert!(whole.contains("  2026-11  "), "{whole}");
        for width in 40..=200 {
            for line in page(&report, Some(width)).lines() {
                assert!(line.width() <= width, "{width}: {line}");
            }
        }
        assert_eq!(page(&report, Some(200)), whole);
    }
}
