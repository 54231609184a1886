//! `grundy games export`: records of matches as files.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use grundy_shared::ids::{MatchId, Seat};
use grundy_shared::protocol::client::{List, ListOrder, ListStatus};
use grundy_shared::record::Record;
use grundy_words::Message;
use serde_json::json;

use super::fetch::find;
use super::who::{Who, sits};
use super::{list, local, stream};
use crate::account::{has_identity, sign_in};
use crate::confirm::may_replace;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::library::Library;
use crate::record;
use crate::render::matches::Listed;

/// Arguments of `games export`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The match
    #[arg(value_name = "MATCH", required_unless_present = "mine")]
    match_id: Option<String>,
    /// The file to write [default: stdout]
    file: Option<PathBuf>,
    /// Write readable text instead
    #[arg(long)]
    text: bool,
    /// Write a file MATCH.ndjson for each of your finished matches, on the server and on this computer, into this directory; existing files
    /// are kept. With '-', write the records of those on the server to stdout, in the order in which the matches ended
    #[arg(long, value_name = "DIR", conflicts_with_all = ["match_id", "text"])]
    mine: Option<PathBuf>,
    /// With --mine -: start after the match with this cursor
    #[arg(
        long,
        value_name = "CURSOR",
        requires = "mine",
        conflicts_with = "cursor_file"
    )]
    after: Option<String>,
    /// With --mine -: continue after the matches already written, and save the new position in this file
    #[arg(long, value_name = "FILE", requires = "mine")]
    cursor_file: Option<PathBuf>,
    /// Overwrite FILE without asking
    #[arg(long, requires = "file")]
    force: bool,
    /// Look only in the library on this computer, without a server
    #[arg(long)]
    local: bool,
}

impl Arguments {
    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let from = stream::From {
            after: self.after,
            cursor_file: self.cursor_file,
        };
        match (self.mine, self.match_id) {
            (Some(to), _) if to.as_os_str() == "-" && self.local => {
                Err(Failure::usage(Message::new("export-stream-local"))
                    .help(Message::new("export-stream-local-how")))
            }
            (Some(to), _) if to.as_os_str() == "-" => stream::export(context, from).await,
            (Some(_), _) if from.after.is_some() || from.cursor_file.is_some() => {
                Err(Failure::usage(Message::new("export-cursor"))
                    .help(Message::new("export-cursor-how")))
            }
            (Some(directory), _) => export_mine(context, &directory, self.local).await,
            (None, Some(match_id)) => {
                let record = find(context, &match_id, self.local).await?.record;
                export_one(context, &record, self.file, self.text, self.force).await
            }
            (None, None) => unreachable!("one of them is required"),
        }
    }
}

async fn export_one(
    context: &Context,
    record: &Record,
    file: Option<PathBuf>,
    text: bool,
    force: bool,
) -> Result<Exit, Failure> {
    let output = &context.output;
    let content = match text {
        true => record.to_text(&[]).into_bytes(),
        false => record.to_bytes(),
    };
    let Some(path) = file.filter(|path| path.as_os_str() != "-") else {
        output.bytes(&content)?;
        return Ok(Exit::Done);
    };
    may_replace(output, &path, &content, force).await?;
    record::save(&path, &content)?;
    if output.json {
        output.object(&json!({
            "schema": "grundy/export/1",
            "match": record.match_id(),
            "file": path.display().to_string(),
            "bytes": content.len(),
        }))?;
    } else {
        let written = Message::new("export-written").text("file", path.display());
        output.talk(&written.said(output.words()));
    }
    Ok(Exit::Done)
}

/// The files of one directory.
struct Files<'d> {
    directory: &'d Path,
    written: u32,
    kept: u32,
    /// The matches that have a file.
    done: HashSet<MatchId>,
}

impl Files<'_> {
    /// The file to write for a match; `None` if it exists already.
    fn missing(&mut self, match_id: MatchId) -> Result<Option<PathBuf>, Failure> {
        let path = self.directory.join(format!("{match_id}.ndjson"));
        let exists = path.try_exists();
        self.done.insert(match_id);
        match exists.map_err(|error| record::about(self.directory, &error))? {
            true => {
                self.kept += 1;
                Ok(None)
            }
            false => Ok(Some(path)),
        }
    }

    fn write(&mut self, path: &Path, record: &Record) -> Result<(), Failure> {
        record::save(path, &record.to_bytes())?;
        self.written += 1;
        Ok(())
    }

    /// The user's matches on the server.
    async fn of_server(&mut self, context: &Context) -> Result<(), Failure> {
        let mut signed_in = sign_in(context, 0).await?;
        let connection = &mut signed_in.connection;
        let mine = List {
            mine: true,
            status: Some(ListStatus::Over),
            order: Some(ListOrder::Oldest),
            ..List::default()
        };
        let matches = list::matches(connection, &mine, u32::MAX).await?.matches;
        for Listed { summary, .. } in matches {
            if let Some(path) = self.missing(summary.match_id)? {
                let record = record::fetch(connection, summary.match_id).await?;
                self.write(&path, &record)?;
            }
        }
        signed_in.connection.close().await;
        Ok(())
    }

    /// The user's matches in the library which the server did not give. Damaged ones are named and left out.
    fn of_library(&mut self, context: &Context) -> Result<(), Failure> {
        let me = Who::mine(context)?;
        for record in Library::open()?.records(false)? {
            let record = match record {
                Ok(record) => record,
                Err(failure) => {
                    context
                        .output
                        .warn(&failure.as_warning(context.output.words()));
                    continue;
                }
            };
            let summary = local::summary(&record);
            let is_mine = Seat::BOTH.into_iter().any(|seat| sits(&summary, seat, &me));
            let is_over = summary.status == ListStatus::Over;
            if is_mine
                && is_over
                && !self.done.contains(&summary.match_id)
                && let Some(path) = self.missing(summary.match_id)?
            {
                self.write(&path, &record)?;
            }
        }
        Ok(())
    }
}

/// Writes what is not there yet: whoever runs it again, or again after it was interrupted, has every match once. The server is asked unless
/// only this computer is wanted, or the user has no match on a server and has named none. If it fails, the matches of this computer are written before the failure is reported.
async fn export_mine(
    context: &Context,
    directory: &Path,
    only_here: bool,
) -> Result<Exit, Failure> {
    let output = &context.output;
    fs::create_dir_all(directory).map_err(|error| record::about(directory, &error))?;
    let mut files = Files {
        directory,
        written: 0,
        kept: 0,
        done: HashSet::new(),
    };
    let is_asked =
        !only_here && (context.config.named_server().is_some() || has_identity(context)?);
    let there = match is_asked {
        true => files.of_server(context).await,
        false => Ok(()),
    };
    files.of_library(context)?;
    there?;
    if output.json {
        output.object(&json!({
            "schema": "grundy/export-mine/1",
            "directory": directory.display().to_string(),
            "written": files.written,
            "kept": files.kept,
        }))?;
    } else {
        let written = Message::new("export-mine")
            .text("directory", directory.display())
            .text("written", files.written)
            .text("kept", files.kept);
        output.talk(&written.said(output.words()));
    }
    Ok(Exit::Done)
}
