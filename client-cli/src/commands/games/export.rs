//! `grundy games export`: records of matches as files.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use grundy_shared::protocol::client::{List, ListOrder, ListStatus};
use grundy_shared::record::Record;
use serde_json::json;

use super::fetch::find;
use super::{list, stream};
use crate::account::sign_in;
use crate::confirm::may_replace;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
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
    /// Write a file MATCH.ndjson for each of your finished matches into this directory; existing files are kept. With '-', write
    /// all their records to stdout, in the order in which the matches ended
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
    #[arg(long, conflicts_with = "mine")]
    local: bool,
}

impl Arguments {
    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let from = stream::From {
            after: self.after,
            cursor_file: self.cursor_file,
        };
        match (self.mine, self.match_id) {
            (Some(to), _) if to.as_os_str() == "-" => stream::export(context, from).await,
            (Some(_), _) if from.after.is_some() || from.cursor_file.is_some() => {
                let words = "a cursor needs a stream: use it with --mine -";
                Err(Failure::usage(words)
                    .hint("--mine DIR needs no cursor: it keeps existing files"))
            }
            (Some(directory), _) => export_mine(context, &directory).await,
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
        output.talk(&format!("Written: {}", path.display()));
    }
    Ok(Exit::Done)
}

/// Writes what is not there yet: whoever runs it again, or again after it was interrupted, has every match once.
async fn export_mine(context: &Context, directory: &Path) -> Result<Exit, Failure> {
    let output = &context.output;
    let unusable = |error| record::about(directory, &error);
    fs::create_dir_all(directory).map_err(unusable)?;
    let mut signed_in = sign_in(context, 0).await?;
    let connection = &mut signed_in.connection;
    let mine = List {
        mine: true,
        status: Some(ListStatus::Over),
        order: Some(ListOrder::Oldest),
        ..List::default()
    };
    let matches = list::matches(connection, &mine, u32::MAX).await?.matches;
    let (mut written, mut kept) = (0_u32, 0_u32);
    for Listed { summary, .. } in matches {
        let path = directory.join(format!("{}.ndjson", summary.match_id));
        if path.try_exists().map_err(unusable)? {
            kept += 1;
            continue;
        }
        let record = record::fetch(connection, summary.match_id).await?;
        record::save(&path, &record.to_bytes())?;
        written += 1;
    }
    signed_in.connection.close().await;
    if output.json {
        output.object(&json!({
            "schema": "grundy/export-mine/1",
            "directory": directory.display().to_string(),
            "written": written,
            "kept": kept,
        }))?;
    } else {
        let directory = directory.display();
        output.talk(&format!(
            "Written to {directory}: {written}. There already: {kept}."
        ));
    }
    Ok(Exit::Done)
}
