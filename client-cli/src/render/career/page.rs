//! All matches of a player together, as tables.

use grundy_shared::bot::Bot;
use grundy_shared::career::{
    Figures, MissedPosition, Opening, Opponent, Period, PeriodLength, Range, Report, Results,
};
use grundy_shared::event::Outcome;
use grundy_words::{Catalogue, Message};

use super::cells::{best, interval, kept, listed, numbers, part, score, theme, times};
use crate::render::{bot_name, clean, headings, table, wrapped};

/// The report for a screen of this width. Every table fits into 40 columns and more.
pub(crate) fn page(report: &Report, width: Option<usize>, words: &Catalogue) -> String {
    let mut page = Page {
        text: String::new(),
        width,
        words,
    };
    page.sentence(&head(report).said(words));
    page.results(report);
    page.decisions(report);
    page.trend(report);
    page.ranges("career-by-ply", "career-ply", &report.plies, numbers);
    page.ranges("career-by-used", "career-used", &report.time_used_ms, times);
    page.ranges("career-by-left", "career-left", &report.time_left_ms, times);
    page.themes(report);
    page.missed(report);
    page.openings(report);
    page.opponents(report);
    page.left_out(report);
    page.text
}

fn head(report: &Report) -> Message {
    let total = &report.total;
    let results = total.results;
    let who = match &report.player {
        Some(name) => Message::new("career-name").text("name", clean(name)),
        None => Message::new("career-yours"),
    };
    Message::new("career-head")
        .messages("who", vec![who])
        .number("count", total.matches)
        .text("won", results.won)
        .text("lost", results.lost)
        .number("drawn", results.drawn)
        .number("own", total.matches - results.matches())
}

struct Page<'w> {
    text: String,
    width: Option<usize>,
    words: &'w Catalogue,
}

impl Page<'_> {
    fn sentence(&mut self, words: &str) {
        self.text.push_str(&wrapped(words, self.width));
        self.text.push('\n');
    }

    /// A table with a title; the headings are messages.
    fn table<const N: usize>(&mut self, title: &str, names: [&str; N], rows: &[Vec<String>]) {
        if rows.is_empty() {
            return;
        }
        self.text.push('\n');
        self.sentence(title);
        let table = table(&headings(names, self.words), rows, self.width);
        self.text.push_str(&table);
    }

    /// Each family, and all of them if there are several.
    fn families<'r>(&self, report: &'r Report) -> Vec<(String, &'r Figures)> {
        let families = report.families.iter();
        let mut rows: Vec<(String, &Figures)> = families
            .map(|row| (row.family.to_owned(), &row.figures))
            .collect();
        if rows.len() > 1 {
            rows.push((self.words.say("career-all"), &report.total));
        }
        rows
    }

    fn results(&mut self, report: &Report) {
        let row = |(family, figures): (String, &Figures)| {
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
            [family].into_iter().chain(counts).collect()
        };
        let rows: Vec<Vec<String>> = self.families(report).into_iter().map(row).collect();
        let names = [
            "career-game",
            ">career-played",
            ">career-won",
            ">career-lost",
            ">career-drawn",
            ">career-moves",
            ">career-mistakes",
        ];
        self.table(&self.words.say("career-results"), names, &rows);
    }

    fn decisions(&mut self, report: &Report) {
        let words = self.words;
        let row = |(family, figures): (String, &Figures)| {
            let [kept, share] = kept(&figures.share, words);
            let skill = figures.skill.map_or("-".to_owned(), |skill| {
                let figures = [skill.skill, skill.low, skill.high];
                interval(figures.map(|figure| format!("{figure:.2}")), words)
            });
            let [found, offered] = [figures.bits_found, figures.bits_offered];
            let bits = part(format!("{found:.1}"), format!("{offered:.1}"), words);
            vec![family, kept, share, bits, skill]
        };
        let rows: Vec<Vec<String>> = self.families(report).into_iter().map(row).collect();
        let names = [
            "career-game",
            ">career-kept",
            "career-share",
            ">career-bits",
            "career-skill",
        ];
        self.table(&words.say("career-decisions"), names, &rows);
    }

    fn trend(&mut self, report: &Report) {
        let words = self.words;
        let (by, letters) = match report.trend_by {
            PeriodLength::Day => ("career-day", 0),
            PeriodLength::Week => ("career-week", 0),
            PeriodLength::Month => ("career-month", 3),
            PeriodLength::Year => ("career-year", 6),
        };
        let row = |period: &Period| {
            let [kept, share] = kept(&period.share, words);
            let shown = &period.from[..period.from.len() - letters];
            let counts = [period.matches, period.mistakes].map(|count| count.to_string());
            let row = [shown.to_owned()].into_iter().chain(counts);
            row.chain([kept, share]).collect()
        };
        let rows: Vec<Vec<String>> = report.trend.iter().map(row).collect();
        let names = [
            by,
            ">career-played",
            ">career-mistakes",
            ">career-kept",
            "career-share",
        ];
        self.table(&words.say("career-trend"), names, &rows);
    }

    fn ranges(
        &mut self,
        title: &str,
        heading: &str,
        ranges: &[Range],
        name: fn(&Range, &Catalogue) -> String,
    ) {
        let words = self.words;
        let row = |range: &Range| {
            let [kept, share] = kept(&range.share, words);
            vec![name(range, words), range.mistakes.to_string(), kept, share]
        };
        let rows: Vec<Vec<String>> = ranges.iter().map(row).collect();
        let names = [heading, ">career-mistakes", ">career-kept", "career-share"];
        self.table(&words.say(title), names, &rows);
    }

    fn themes(&mut self, report: &Report) {
        let themes = report.themes.iter();
        let rows: Vec<Vec<String>> = themes
            .map(|row| vec![theme(row.theme, self.words), row.mistakes.to_string()])
            .collect();
        self.table(
            &self.words.say("career-themes"),
            ["career-idea", ">career-mistakes"],
            &rows,
        );
    }

    fn missed(&mut self, report: &Report) {
        let words = self.words;
        let row = |missed: &MissedPosition| {
            let position = match missed.to_move {
                Some(seat) => Message::new("career-to-move")
                    .text("position", &missed.position)
                    .text("role", seat)
                    .said(words),
                None => missed.position.clone(),
            };
            vec![
                position,
                part(missed.missed, missed.met, words),
                best(missed, words),
            ]
        };
        let rows: Vec<Vec<String>> = report.missed.iter().map(row).collect();
        let title = listed(
            "career-missed-positions",
            rows.len(),
            report.missed_positions,
            words,
        );
        let names = ["career-position", ">career-missed", "career-best"];
        self.table(&title, names, &rows);
    }

    fn openings(&mut self, report: &Report) {
        let words = self.words;
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
            let theory = Message::new("career-theory").text("theory", theory);
            row.chain(own).chain([theory.said(words)]).collect()
        };
        let rows: Vec<Vec<String>> = report.openings.iter().map(row).collect();
        let title = listed("career-openings", rows.len(), report.start_positions, words);
        let names = [
            "career-start",
            ">career-played",
            ">career-first-won",
            ">career-second-won",
            ">career-as-first",
            ">career-as-second",
            "career-best-play",
        ];
        self.table(&title, names, &rows);
    }

    fn opponents(&mut self, report: &Report) {
        let row = |opponent: &Opponent| {
            vec![
                opponent_name(&opponent.name, self.words),
                score(opponent.total),
                score(opponent.as_first),
                score(opponent.as_second),
            ]
        };
        let rows: Vec<Vec<String>> = report.opponents.iter().map(row).collect();
        let title = listed(
            "career-opponents",
            rows.len(),
            report.opponents_total,
            self.words,
        );
        let names = [
            "career-opponent",
            ">career-score",
            ">career-as-first",
            ">career-as-second",
        ];
        self.table(&title, names, &rows);
    }

    fn left_out(&mut self, report: &Report) {
        let left_out = report.left_out;
        let gaps = [
            ("career-unknown", report.total.unknown_moves),
            ("career-uncounted", left_out.uncounted),
            ("career-no-theme", left_out.themes),
            ("career-more-positions", left_out.positions),
            ("career-more-openings", left_out.openings),
            ("career-more-opponents", left_out.opponents),
        ];
        let gaps = gaps.into_iter().filter(|(_, number)| *number > 0);
        let gaps = gaps.map(|(message, number)| {
            let message = Message::new(message).number("count", number);
            message.text("n", number).said(self.words)
        });
        let gaps: Vec<String> = gaps.collect();
        if !gaps.is_empty() {
            self.text.push('\n');
        }
        gaps.iter().for_each(|gap| self.sentence(gap));
    }
}

/// An opponent, as matches call a built-in bot.
fn opponent_name(name: &str, words: &Catalogue) -> String {
    match name.parse::<Bot>() {
        Ok(bot) => bot_name(&bot, words),
        Err(_) => clean(name),
    }
}

#[cfg(test)]
mod tests {
    use grundy_shared::career::Career;
    use grundy_shared::ids::Seat;
    use grundy_shared::record::Record;
    use grundy_shared::review::Review;
    use grundy_shared::solver::Budget;
    use grundy_words::Language;
    use unicode_width::UnicodeWidthStr as _;

    use super::*;

    /// The example of the documentation, once from both sides.
    fn report() -> Report {
        let page = include_str!("../../../../docs/RECORDS.md");
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
        for language in Language::ALL {
            let words = Catalogue::of(language);
            let whole = page(&report, None, words);
            assert!(whole.contains("  2026-11  "), "{whole}");
            for width in 40..=200 {
                for line in page(&report, Some(width), words).lines() {
                    assert!(line.width() <= width, "{width}: {line}");
                }
            }
            assert_eq!(page(&report, Some(200), words), whole);
        }
    }
}
