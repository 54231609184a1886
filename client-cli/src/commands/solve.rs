//! `grundy solve`: who wins, and with which moves.

use std::io::{self, BufRead, Read as _};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::picture::Picture;
use grundy_shared::solver::{OutcomeClass, certify, solve};
use grundy_words::{Catalogue, Message, Value};
use serde::Serialize;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::{Failure, InBatch};
use crate::output::Output;
use crate::reading::position;
use crate::thinking::Thinking;
use crate::verdict::{Considered, Verdict};
use crate::written::{self, Kind};
use crate::{record, render};

/// Bytes of one line of `solve -`: more than a position of 100,000 heaps of 10^18 has.
const LINE_BYTES: usize = 4 << 20;
/// Winning moves that JSON lists when nobody says how many.
const JSON_MOVES: usize = 1_000;
/// Moves that a screen lists when nobody says how many.
const SCREEN_MOVES: usize = 20;

/// What `--expect` takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
#[value(rename_all = "verbatim")]
enum Expected {
    /// The player to move wins.
    N,
    /// The player who has just moved wins.
    P,
    /// Left wins.
    L,
    /// Right wins.
    R,
    /// Nobody wins.
    D,
}

impl Expected {
    fn is(self, outcome: OutcomeClass) -> bool {
        let expected = match self {
            Self::N => OutcomeClass::N,
            Self::P => OutcomeClass::P,
            Self::L => OutcomeClass::L,
            Self::R => OutcomeClass::R,
            Self::D => OutcomeClass::D,
        };
        expected == outcome
    }
}

/// Arguments of `solve`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy solve nim:1,4,6,7
  grundy solve wythoff:5,8 --all
  grundy solve nim:3,5,6 --expect P && echo lost
  grundy solve kayles:7,5 --certificate kayles.json && grundy verify kayles.json
  grundy solve domineering:.../... --svg board.svg
  printf 'nim:1,2,3\\nkayles:7\\n' | grundy solve - --json

With '-', each line of stdin is a position of at most 4 MiB, and each is answered by one line at \
once. A line that does not parse is answered by an error; the rest is still solved, and the exit \
code is 3 at the end.")]
pub(crate) struct Arguments {
    /// The position, such as nim:3,5,7; '-' reads one per line from stdin
    position: String,
    /// Also show the losing moves
    #[arg(long)]
    all: bool,
    /// How many moves to list [default: 1000 in JSON, 20 on a screen]
    #[arg(long, value_name = "N")]
    max_moves: Option<usize>,
    /// Exit with 10 if the outcome is different
    #[arg(long, value_name = "OUTCOME")]
    expect: Option<Expected>,
    /// Write a proof of the verdict to this file, for 'grundy verify'; '-' prints it instead of the verdict
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Also write the position to this file, as a picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    thinking: Thinking,
}

/// What a line of stdin gets that does not parse.
#[derive(Serialize)]
struct BadLine<'f> {
    schema: &'static str,
    line: u64,
    error: InBatch<'f>,
}

impl Arguments {
    /// Solves one position, or each line of stdin.
    pub(crate) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        if self.position == "-" {
            if self.certificate.is_some() {
                return Err(Failure::usage(Message::new("usage-certificate")));
            }
            if self.svg.is_some() {
                return Err(Failure::usage(Message::new("usage-svg")));
            }
            return self.batch(context, &mut io::stdin().lock());
        }
        let position = position(&self.position)?;
        let file = self.certificate.as_deref();
        if let Some(path) = file.filter(|path| *path != Path::new("-")) {
            written::check(path, Kind::Certificate, &[])?;
        }
        if let Some(path) = &self.svg {
            written::check(path, Kind::Svg, &[])?;
            record::save(path, Picture::of(&position).svg().as_bytes())?;
        }
        let verdict = self.verdict(context, &position);
        match self.certificate.as_deref() {
            Some(path) if path == Path::new("-") => self.prove(context, &position, path)?,
            certificate => {
                self.show(context, &position, &verdict)?;
                if let Some(path) = certificate {
                    self.prove(context, &position, path)?;
                }
            }
        }
        Ok(self.answer(&verdict))
    }

    fn show(
        &self,
        context: &Context,
        position: &Position,
        verdict: &Verdict,
    ) -> Result<(), Failure> {
        if context.output.json {
            context.output.object(verdict)?;
        } else {
            let followed = self.followed(position, context.output.words());
            context.output.prose(&render::solution::screen(
                verdict,
                &followed,
                &self.thinking.larger_budget(),
                context.output.words(),
                context.output.width(),
            ))?;
        }
        Ok(())
    }

    /// Writes the certificate. If there is no proof, the file and a message give the reason.
    fn prove(&self, context: &Context, position: &Position, path: &Path) -> Result<(), Failure> {
        let certificate = self
            .thinking
            .think(&context.output, |budget| certify(position, budget));
        let text = format!("{}\n", certificate.to_json());
        match path == Path::new("-") {
            true => context.output.text(&text)?,
            false => record::save(path, text.as_bytes())?,
        }
        if let Some(reason) = &certificate.reason {
            let none = Message::new("no-proof").text("reason", reason);
            context.output.talk(&none.said(context.output.words()));
        }
        Ok(())
    }

    /// One line of output for one line of input, as they come.
    fn batch(&self, context: &Context, input: &mut impl BufRead) -> Result<Exit, Failure> {
        let mut exit = Exit::Done;
        let mut number = 0u64;
        while let Some(line) = read_line(input)? {
            number += 1;
            let read = line.and_then(|line| position(&line));
            match read {
                Ok(position) => {
                    let verdict = self.verdict(context, &position);
                    if context.output.json {
                        context.output.object(&verdict)?;
                    } else {
                        context.output.line(&render::solution::headline(
                            &verdict.solution,
                            context.output.words(),
                        ))?;
                    }
                    if exit == Exit::Done {
                        exit = self.answer(&verdict);
                    }
                }
                Err(failure) => {
                    exit = Exit::Input;
                    if context.output.json {
                        context.output.object(&BadLine {
                            schema: "grundy/solve/1",
                            line: number,
                            error: failure.in_batch(),
                        })?;
                    } else {
                        context
                            .output
                            .line(&format!("line {number}: {}", failure.in_batch()))?;
                    }
                }
            }
        }
        Ok(exit)
    }

    fn verdict(&self, context: &Context, position: &Position) -> Verdict {
        let to_move = self.thinking.to_move();
        let most = self.max_moves.unwrap_or(match context.output.json {
            true => JSON_MOVES,
            false => SCREEN_MOVES,
        });
        let solution = self.thinking.think(&context.output, |budget| {
            solve(position, to_move, budget, most)
        });
        let screen_needs_them = !context.output.json && !solution.winning_moves.is_empty();
        let moves = if self.all {
            Some(self.consider(
                &context.output,
                position,
                position.moves(to_move).take(most),
            ))
        } else if screen_needs_them {
            let winning = solution.winning_moves.iter();
            let moves =
                winning.filter_map(|winning| position.parse_move(to_move, &winning.mv).ok());
            Some(self.consider(&context.output, position, moves))
        } else {
            None
        };
        Verdict { solution, moves }
    }

    /// What each of these moves leads to, all within one budget.
    fn consider(
        &self,
        output: &Output,
        position: &Position,
        moves: impl Iterator<Item = grundy_shared::Move>,
    ) -> Vec<Considered> {
        let next = self.thinking.to_move().other();
        self.thinking.think(output, |budget| {
            moves
                .map(|mv| Considered {
                    mv: mv.to_string(),
                    after: solve(&position.play(&mv), next, budget, 0),
                })
                .collect()
        })
    }

    /// What to type next.
    fn followed(&self, position: &Position, words: &Catalogue) -> String {
        let side = match self.thinking.to_move() {
            Seat::First => "",
            Seat::Second => " --side right",
        };
        let shown = render::short(&position.to_string());
        let command = format!("grundy explain {shown}{side}");
        words.with("solve-why", &[("command", Value::Text(&command))])
    }

    fn answer(&self, verdict: &Verdict) -> Exit {
        match self.expect {
            Some(expected) if !expected.is(verdict.solution.outcome) => Exit::No,
            _ => Exit::Done,
        }
    }
}

/// The next line without its end; the inner `Err` is for a line that is too long or not UTF-8. A line that is too long is skipped, not kept.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, Failure>>> {
    let mut line = Vec::new();
    let read = input
        .by_ref()
        .take(LINE_BYTES as u64 + 1)
        .read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() > LINE_BYTES {
        input.skip_until(b'\n')?;
        let message = Message::new("line-too-long").text("most", LINE_BYTES);
        let failure = Failure::told(Exit::Input, "out_of_range", message);
        return Ok(Some(Err(failure)));
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(Some(String::from_utf8(line).map_err(|error| {
        let column = error.utf8_error().valid_up_to() + 1;
        let message = Message::new("line-not-utf8").text("byte", column);
        Failure::told(Exit::Input, "bad_position", message)
    })))
}
