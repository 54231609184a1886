//! `grundy stats match`: the rating difference that a match shows.

use std::fmt::Write as _;

use clap::Args;
use grundy_shared::statistics::{Figure, MatchSummary, summarise};
use grundy_words::{Catalogue, Language, Message};
use serde::Serialize;

use super::results::Results;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::figures::undetermined;

/// Arguments of `stats match`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy stats match --pairs 13,37,50,25,3
  grundy stats match --games 89,123,76 --json

'score' is the mean of a game from 0 to 1, 'variance' that of one pair (halved) or game, \
'elo_lo' and 'elo_hi' the ends of the 95 % interval, 'nelo_err' half the width of its interval, \
'los' the chance that the player is the stronger one. If all results are the same there is no \
variance, and figures that need one are null; at 0 % and 100 % one end of the interval is \
Wilson's, the other is null.")]
pub(super) struct Arguments {
    #[command(flatten)]
    results: Results,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    n: u64,
    score: Option<f64>,
    variance: Option<f64>,
    elo: Option<f64>,
    elo_lo: Option<f64>,
    elo_hi: Option<f64>,
    nelo: Option<f64>,
    nelo_err: Option<f64>,
    los: Option<f64>,
    /// Why figures are null.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// The reasons for what is not determined, as one text.
fn why(summary: &MatchSummary) -> Option<String> {
    let reasons: Vec<&str> = summary.reasons().iter().map(|why| why.as_str()).collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

impl Arguments {
    pub(super) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        let sample = self.results.sample()?;
        let Some(summary) = summarise(&sample) else {
            return self.nothing(context);
        };
        if context.output.json {
            context.output.object(&Report {
                n: summary.n as u64,
                score: Some(summary.score),
                variance: Some(summary.variance),
                elo: summary.elo.ok(),
                elo_lo: summary.elo_lo.ok(),
                elo_hi: summary.elo_hi.ok(),
                nelo: summary.nelo.ok(),
                nelo_err: summary.nelo_err.ok(),
                los: summary.los.ok(),
                why: why(&summary),
            })?;
        } else {
            let words = context.output.words();
            let text = figures(&summary, self.results.unit(), words);
            context.output.text(&text)?;
        }
        Ok(Exit::Done)
    }
}

impl Arguments {
    /// There is no game yet, and no figure.
    fn nothing(&self, context: &Context) -> Result<Exit, Failure> {
        let unit = self.results.unit();
        let why = Message::new("contest-nothing").text("unit", unit);
        if context.output.json {
            context.output.object(&Report {
                n: 0,
                score: None,
                variance: None,
                elo: None,
                elo_lo: None,
                elo_hi: None,
                nelo: None,
                nelo_err: None,
                los: None,
                why: Some(why.said(Catalogue::of(Language::English))),
            })?;
        } else {
            let nothing = Message::new("contest-none")
                .text("unit", unit)
                .message("why", why);
            context.output.line(&nothing.said(context.output.words()))?;
        }
        Ok(Exit::Done)
    }
}

/// The figures for people.
fn figures(summary: &MatchSummary, unit: &str, words: &Catalogue) -> String {
    let shown = |figure: Figure| match figure {
        Ok(figure) => format!("{figure:.2}"),
        Err(_) => "?".to_owned(),
    };
    let number = if summary.n == 1.0 { "one" } else { "several" };
    let score = Message::new("contest-score")
        .text("n", summary.n)
        .text("unit", format!("{unit}-{number}"))
        .text("score", format!("{:.2}", summary.score * 100.0))
        .text("variance", format!("{:.5}", summary.variance));
    let interval = Message::new("contest-interval")
        .text("elo", shown(summary.elo))
        .text("low", shown(summary.elo_lo))
        .text("high", shown(summary.elo_hi));
    let mut text = score.said(words) + "\n";
    let lines = [
        ("elo", interval.said(words)),
        (
            "nelo",
            format!("{} +/- {}", shown(summary.nelo), shown(summary.nelo_err)),
        ),
        (
            "los",
            match summary.los {
                Ok(los) => format!("{:.2} %", los * 100.0),
                Err(_) => "?".to_owned(),
            },
        ),
    ];
    for (name, figure) in lines {
        writeln!(text, "{name:<6}{figure}").expect("writing to a String cannot fail");
    }
    let reasons = summary.reasons();
    let reasons: Vec<String> = reasons
        .iter()
        .map(|why| undetermined(*why).said(words))
        .collect();
    if !reasons.is_empty() {
        let why = reasons.join(&words.say("contest-and"));
        writeln!(text, "?     {why}").expect("writing to a String cannot fail");
    }
    text
}
