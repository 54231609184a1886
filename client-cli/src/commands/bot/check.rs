//! `grundy bot check`: whether a program speaks the protocol.

use clap::Args;
use grundy_words::{Catalogue, Message};
use serde::Serialize;

use crate::address::Address;
use crate::bot::check::{self, check_all};
use crate::bot::checked::Checked;
use crate::bot::limits::Limits;
use crate::bot::online_check::{check_online, names_the_code};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Arguments of `bot check`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy bot check python3 mybot/bot.py
  grundy bot check --json ./mybot --depth 5
  grundy bot check --url http://127.0.0.1:7310 python3 client.py --server {url} --join {code}
  grundy bot check --url http://127.0.0.1:7310 grundy bot run --server {url} --join {code} -- ./mybot

With --url the bot plays matches on a server, against this program. The command is started once for each match; {code} \
stands for the join code of its seat and {url} for the server.

Exit code 10 if a check fails. Of the first one the lines that led to it are shown, > to the bot and < from it. \
What a bot has to say is in docs/BOTS.md.")]
pub(crate) struct Arguments {
    /// Check a bot that plays on this server
    #[arg(long, value_name = "URL", value_parser = Address::parse)]
    url: Option<Address>,
    #[command(flatten)]
    limits: Limits,
    /// The command of the bot with its arguments
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "COMMAND"
    )]
    command: Vec<String>,
}

#[derive(Serialize)]
struct Checklist {
    schema: &'static str,
    passed: usize,
    failed: usize,
    checks: Vec<Checked>,
}

impl Arguments {
    /// Checks it.
    pub(crate) fn run(self, context: &Context) -> Result<Exit, Failure> {
        let output = &context.output;
        let way = match &self.url {
            None => "bot-check",
            Some(_) => "bot-check-online",
        };
        let mut shown = Ok(());
        let mut failures = 0;
        let told = |checked: &Checked| {
            failures += usize::from(!checked.passed);
            if !output.json && shown.is_ok() {
                shown = output.text(&text(checked, failures == 1, way, output.words()));
            }
        };
        let checks = match &self.url {
            None => check_all(&check::launch(self.command, self.limits), told),
            Some(_) if !names_the_code(&self.command) => {
                let message = Message::new("bot-no-code");
                return Err(Failure::told(Exit::Usage, "no_code", message)
                    .help(Message::new("bot-no-code-how")));
            }
            Some(url) => {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build()?;
                let trust = context.config.server().trust().clone();
                let server = url.clone().trusting(trust);
                runtime.block_on(check_online(&server, &self.command, self.limits, told))?
            }
        };
        shown?;
        let failed = checks.iter().filter(|checked| !checked.passed).count();
        let passed = checks.len() - failed;
        if output.json {
            output.object(&Checklist {
                schema: "grundy/bot-check/1",
                passed,
                failed,
                checks,
            })?;
        } else {
            let end = match failed {
                0 => Message::new("bot-check-passed").text("n", passed),
                _ => Message::new("bot-check-failed")
                    .text("failed", failed)
                    .text("n", passed + failed),
            };
            output.line(&end.said(output.words()))?;
        }
        Ok(match failed {
            0 => Exit::Done,
            _ => Exit::No,
        })
    }
}

/// A check for people. `way` is the message that says what each check asks for.
fn text(checked: &Checked, is_first_failure: bool, way: &'static str, words: &Catalogue) -> String {
    let sign = words.say(match checked.passed {
        true => "bot-check-ok",
        false => "bot-check-fail",
    });
    let about = Message::new(way)
        .text("name", checked.name)
        .text("about", checked.about);
    let mut text = format!("{sign} {:14} {}", checked.name, about.said(words));
    let detail = checked.detail.as_ref().map(|detail| detail.said(words));
    if let Some(figure) = detail.as_ref().filter(|_| checked.passed) {
        let figure = Message::new("bot-check-figure").text("figure", figure);
        text.push_str(&figure.said(words));
    }
    text.push('\n');
    if !checked.passed {
        text.push_str(&format!("     {}\n", detail.unwrap_or_default()));
        if is_first_failure {
            for line in &checked.lines {
                text.push_str(&format!("       {line}\n"));
            }
        }
    }
    text
}
