//! The trend and the mistakes by move as a picture: SVG that needs nothing from outside.

use std::fmt::{self, Write as _};

use super::bucket::Range;
use super::report::{Period, Report};
use super::share::Share;
use crate::review::cut;
use crate::xml::Escaped;

/// Width of the picture, in pixels.
const WIDTH: f64 = 640.0;
/// Of one plot, with its title and its labels.
const PLOT: f64 = 250.0;
/// From the top of a plot to the line of 100 %.
const HEAD: f64 = 48.0;
/// Between the lines of 100 % and 0 %.
const SCALE: f64 = 160.0;
/// Left of the plots, for the labels of the scale; and right of them.
const LEFT: f64 = 52.0;
const RIGHT: f64 = 24.0;
/// Letters of a name.
const NAME: usize = 32;
/// Room for the date below a point.
const DATE: f64 = 84.0;

/// Blue and orange are told apart with every kind of colour vision (Okabe, Ito 2008).
const STYLE: &str = "\
text{font:12px system-ui,sans-serif;fill:#1b1f24}.head{font-weight:bold;font-size:14px}.back{fill:#fff}\
.grid{stroke:#6b7682;stroke-dasharray:3 4}.line{fill:none;stroke:#0072b2;stroke-width:1.6}.span{stroke:#0072b2;stroke-width:1.2}\
.point{fill:#0072b2}.bar{fill:#9a4100}.error{stroke:#1b1f24;stroke-width:1.2}\
@media(prefers-color-scheme:dark){text{fill:#e8ecf0}.back{fill:#14181d}.grid{stroke:#8a949e}.line,.span{stroke:#56b4e9}\
.point{fill:#56b4e9}.bar{fill:#e69f00}.error{stroke:#e8ecf0}}";

impl Report {
    /// Two plots: the share of wins kept in each period with its 95 % interval, and the share of wins given away by the number of the move.
    /// Without scripts and links, light or dark as the reader's screen is. O(periods).
    #[must_use]
    pub fn svg(&self) -> String {
        let mut text = String::new();
        self.write_svg(&mut text)
            .expect("writing to a String cannot fail");
        text
    }

    fn write_svg(&self, text: &mut String) -> fmt::Result {
        let height = 2.0 * PLOT;
        let heading = match &self.player {
            Some(name) => format!("Wins kept by {}", Escaped(&cut(name, NAME))),
            None => "Wins kept".to_owned(),
        };
        writeln!(
            text,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" aria-labelledby="title desc">"#
        )?;
        writeln!(text, r#"<title id="title">{heading}</title>"#)?;
        writeln!(text, r#"<desc id="desc">{}</desc>"#, self.described())?;
        writeln!(text, "<style>{STYLE}</style>")?;
        writeln!(text, r#"<rect class="back" width="100%" height="100%"/>"#)?;
        frame(text, 0.0, &format!("{heading}, with 95% intervals"))?;
        self.write_trend(text)?;
        frame(text, PLOT, "Wins given away, by the number of the move")?;
        self.write_plies(text)?;
        writeln!(text, "</svg>")
    }

    /// The picture in words.
    fn described(&self) -> String {
        let total = &self.total.share;
        let mut words = format!(
            "{} of {} decisions kept the win.",
            total.kept, total.decisions
        );
        for period in &self.trend {
            words.push_str(&format!(" {}: {}.", period.from, kept(&period.share)));
        }
        for range in &self.plies {
            words.push_str(&format!(" {}: {}.", moves(range), missed(&range.share)));
        }
        words
    }

    fn write_trend(&self, text: &mut String) -> fmt::Result {
        let shown = self
            .trend
            .iter()
            .filter(|period| period.share.decisions > 0);
        let shown: Vec<&Period> = shown.collect();
        let (Some(first), Some(last)) = (shown.first(), shown.last()) else {
            return nothing(text, 0.0);
        };
        let days = (last.first_day.0 - first.first_day.0).max(1) as f64;
        let room = WIDTH - LEFT - RIGHT - DATE;
        let place = |period: &Period| {
            let day = (period.first_day.0 - first.first_day.0) as f64;
            LEFT + DATE / 2.0 + room * day / days
        };
        let points: Vec<String> = shown
            .iter()
            .filter_map(|period| {
                Some(format!(
                    "{:.1},{:.1}",
                    place(period),
                    at(0.0, period.share.share?)
                ))
            })
            .collect();
        writeln!(
            text,
            r#"<polyline class="line" points="{}"/>"#,
            points.join(" ")
        )?;
        // A date where there is room after the one before it.
        let mut free = f64::MIN;
        for period in shown {
            let x = place(period);
            let (Some(share), Some(low), Some(high)) =
                (period.share.share, period.share.low, period.share.high)
            else {
                continue;
            };
            writeln!(
                text,
                r#"<g><title>{}: {}</title><line class="span" x1="{x:.1}" x2="{x:.1}" y1="{:.1}" y2="{:.1}"/><circle class="point" cx="{x:.1}" cy="{:.1}" r="4"/></g>"#,
                period.from,
                kept(&period.share),
                at(0.0, low),
                at(0.0, high),
                at(0.0, share)
            )?;
            if x >= free {
                label(text, 0.0, x, &period.from)?;
                free = x + DATE;
            }
        }
        Ok(())
    }

    fn write_plies(&self, text: &mut String) -> fmt::Result {
        let shown = self.plies.iter().filter(|range| range.share.decisions > 0);
        let shown: Vec<&Range> = shown.collect();
        if shown.is_empty() {
            return nothing(text, PLOT);
        }
        let step = (WIDTH - LEFT - RIGHT) / shown.len() as f64;
        for (place, range) in (0u32..).zip(shown) {
            let x = LEFT + step * (f64::from(place) + 0.5);
            let (Some(share), Some(low), Some(high)) =
                (range.share.share, range.share.low, range.share.high)
            else {
                continue;
            };
            let (width, top) = ((step / 2.0).min(48.0), at(PLOT, 1.0 - share));
            writeln!(
                text,
                r#"<g><title>{}: {}</title><rect class="bar" x="{:.1}" y="{top:.1}" width="{width:.1}" height="{:.1}"/><line class="error" x1="{x:.1}" x2="{x:.1}" y1="{:.1}" y2="{:.1}"/></g>"#,
                moves(range),
                missed(&range.share),
                x - width / 2.0,
                at(PLOT, 0.0) - top,
                at(PLOT, 1.0 - low),
                at(PLOT, 1.0 - high)
            )?;
            label(text, PLOT, x, &numbers(range))?;
        }
        Ok(())
    }
}

/// The height of a share in the plot that begins here.
fn at(top: f64, share: f64) -> f64 {
    top + HEAD + SCALE * (1.0 - share)
}

/// The heading of a plot, and its scale.
fn frame(text: &mut String, top: f64, heading: &str) -> fmt::Result {
    writeln!(
        text,
        r#"<text class="head" x="8" y="{:.0}">{heading}</text>"#,
        top + 22.0
    )?;
    for share in [0.0, 0.5, 1.0] {
        let y = at(top, share);
        writeln!(
            text,
            r#"<line class="grid" x1="{LEFT}" x2="{:.0}" y1="{y:.0}" y2="{y:.0}"/><text x="{:.0}" y="{:.0}" text-anchor="end">{:.0}%</text>"#,
            WIDTH - RIGHT,
            LEFT - 6.0,
            y + 4.0,
            100.0 * share
        )?;
    }
    Ok(())
}

/// A label below a plot.
fn label(text: &mut String, top: f64, x: f64, words: &str) -> fmt::Result {
    let y = at(top, 0.0) + 18.0;
    writeln!(
        text,
        r#"<text x="{x:.1}" y="{y:.0}" text-anchor="middle">{words}</text>"#
    )
}

/// In a plot without a point.
fn nothing(text: &mut String, top: f64) -> fmt::Result {
    let (x, y) = (WIDTH / 2.0, at(top, 0.5) - 8.0);
    writeln!(
        text,
        r#"<text x="{x:.0}" y="{y:.0}" text-anchor="middle">no decisions</text>"#
    )
}

fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.0}%", 100.0 * share))
}

/// `21 of 34 kept, 62% (45% to 76%)`.
fn kept(share: &Share) -> String {
    let [low, middle, high] = [share.low, share.share, share.high].map(percent);
    format!(
        "{} of {} kept, {middle} ({low} to {high})",
        share.kept, share.decisions
    )
}

/// The same for what was not kept.
fn missed(share: &Share) -> String {
    let rest = |share: Option<f64>| percent(share.map(|share| 1.0 - share));
    let [low, middle, high] = [share.high, share.share, share.low].map(rest);
    format!(
        "{} of {} given away, {middle} ({low} to {high})",
        share.missed(),
        share.decisions
    )
}

/// `5-8`.
fn numbers(range: &Range) -> String {
    match range.below {
        Some(below) if below == range.from + 1 => range.from.to_string(),
        Some(below) => format!("{}-{}", range.from, below - 1),
        None => format!("{}+", range.from),
    }
}

fn moves(range: &Range) -> String {
    match range.below {
        Some(below) if below == range.from + 1 => format!("move {}", range.from),
        _ => format!("moves {}", numbers(range)),
    }
}
