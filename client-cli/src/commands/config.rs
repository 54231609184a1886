//! `grundy config`: what is set, and where.

use clap::{Args, Subcommand};
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::identity::Vault;
use crate::library::Library;
use crate::render::{headings, table};

/// Arguments of `config`.
#[derive(Debug, Args)]
#[command(after_help = "\
The settings file is TOML. This program never writes it. Its keys are:
  server = \"http://127.0.0.1:7310\"   the server to talk to
  ca = \"cert.pem\"                   for https: trust only the certificates in this file
  profile = \"default\"                the identity to use
  name = \"Ada\"                       the name to request for a new guest
  timeout = \"10s\"                    how long to wait for the server to answer
  screen = \"auto\"                    how to show a match: auto, full or lines
  lang = \"en\"                        the language of sentences: en or zh-CN")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Show the files that this program reads and writes
    Path,
    /// Show every setting and where it comes from
    Show,
}

impl Arguments {
    /// Shows it.
    pub(crate) fn run(&self, context: &Context) -> Result<Exit, Failure> {
        let output = context.output;
        let words = output.words();
        match self.what {
            What::Path => {
                let settings = context
                    .config_file
                    .as_ref()
                    .map(|path| path.display().to_string());
                let vault = Vault::open().ok();
                let credentials = vault.map(|vault| vault.path().display().to_string());
                let library = Library::open().ok();
                let matches = library.map(|library| library.path().display().to_string());
                if output.json {
                    output.object(&json!({
                        "schema": "grundy/config/1",
                        "config": settings,
                        "credentials": credentials,
                        "matches": matches,
                    }))?;
                } else {
                    let row = |message, path: Option<String>| {
                        let path = path.unwrap_or_else(|| words.say("config-no-home"));
                        vec![words.say(message), path]
                    };
                    output.text(&table(
                        &headings(["config-file", "config-path"], words),
                        &[
                            row("config-settings", settings),
                            row("config-secrets", credentials),
                            row("config-matches", matches),
                        ],
                        output.width(),
                    ))?;
                }
            }
            What::Show => {
                let shown = context.config.shown(words);
                if output.json {
                    output.object(&json!({ "schema": "grundy/config/1", "settings": shown }))?;
                } else {
                    let rows: Vec<Vec<String>> = shown
                        .into_iter()
                        .map(|line| {
                            let value = line.value.unwrap_or_else(|| "-".to_owned());
                            vec![line.key.to_owned(), value, line.origin]
                        })
                        .collect();
                    let names = ["config-key", "config-value", "config-from"];
                    let headings = headings(names, words);
                    output.text(&table(&headings, &rows, output.width()))?;
                }
            }
        }
        Ok(Exit::Done)
    }
}
