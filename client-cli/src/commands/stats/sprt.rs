//! `grundy stats sprt`: the sequential test of two rating differences.

use clap::{Args, ValueEnum};
use grundy_shared::statistics::{
    PairCounts, Sample, SprtError, SprtModel, SprtTest, SprtVerdict, sprt,
};
use grundy_words::Message;
use serde::Serialize;

use super::results::Results;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::figures::undetermined;

/// The unit of the differences.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Model {
    /// Normalised Elo
    Normalized,
    /// Logistic Elo
    Logistic,
}

/// Arguments of `stats sprt`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy stats sprt --pairs 13,37,50,25,3 --elo0 0 --elo1 4
  grundy stats sprt --games 89,123,76 --elo0 -5 --elo1 0 --model logistic --json

The verdict is H1 if the log-likelihood ratio 'llr' has reached the upper bound, H0 if it has \
reached the lower one, and 'continue' between them. A score that never occurred counts as 0.001 \
times.")]
pub(super) struct Arguments {
    #[command(flatten)]
    results: Results,
    /// The difference under H0
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    elo0: f64,
    /// The difference under H1, larger than that under H0
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    elo1: f64,
    /// The chance to accept H1 although H0 holds
    #[arg(
        long,
        value_name = "CHANCE",
        default_value_t = 0.05,
        allow_negative_numbers = true
    )]
    alpha: f64,
    /// The chance to accept H0 although H1 holds
    #[arg(
        long,
        value_name = "CHANCE",
        default_value_t = 0.05,
        allow_negative_numbers = true
    )]
    beta: f64,
    /// The unit of both differences
    #[arg(long, value_name = "MODEL", default_value = "normalized")]
    model: Model,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    llr: Option<f64>,
    lower: f64,
    upper: f64,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
}

impl Arguments {
    pub(super) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        let sample = self.results.sample()?;
        let test = SprtTest {
            elo0: self.elo0,
            elo1: self.elo1,
            alpha: self.alpha,
            beta: self.beta,
            model: match self.model {
                Model::Normalized => SprtModel::Normalized,
                Model::Logistic => SprtModel::Logistic,
            },
        };
        // Without a game nothing speaks for either hypothesis. The bounds do not depend on the results.
        let is_empty = sample.size() <= 0.0;
        let tested = match is_empty {
            true => Sample::from(PairCounts([0, 0, 1, 0, 0])),
            false => sample,
        };
        let mut report = sprt(&tested, &test).map_err(|error| {
            let (fault, example) = match error {
                SprtError::Chance => ("chance", "--alpha 0.05 --beta 0.05"),
                SprtError::Order => ("order", "--elo0 0 --elo1 5"),
                SprtError::Range => ("range", "--elo0 0 --elo1 5"),
                SprtError::Empty => ("empty", "--elo0 0 --elo1 5"),
            };
            let message = Message::new("sprt-bad")
                .text("fault", fault)
                .text("said", error);
            Failure::told(Exit::Usage, "bad_test", message)
                .help(Message::new("such-as").text("example", example))
        })?;
        if is_empty {
            report.llr = Ok(0.0);
            report.verdict = SprtVerdict::Continue;
        }
        if context.output.json {
            context.output.object(&Report {
                llr: report.llr.ok(),
                lower: report.lower,
                upper: report.upper,
                verdict: report.verdict.as_str(),
                why: report.llr.err().map(|why| why.as_str()),
            })?;
            return Ok(Exit::Done);
        }
        let words = context.output.words();
        let llr = match report.llr {
            Ok(llr) => format!("{llr:.3}"),
            Err(why) => format!("? ({})", undetermined(why).said(words)),
        };
        let state = Message::new("sprt-state")
            .text("llr", llr)
            .text("lower", format!("{:.3}", report.lower))
            .text("upper", format!("{:.3}", report.upper));
        let verdict = Message::new("sprt-verdict")
            .text("verdict", report.verdict.as_str())
            .text("elo0", self.elo0)
            .text("elo1", self.elo1)
            .text("unit", self.results.unit());
        let text = [state, verdict].map(|message| message.said(words));
        context.output.line(&text.join("\n"))?;
        Ok(Exit::Done)
    }
}
