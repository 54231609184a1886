//! Where a new token goes.

use std::path::{Path, PathBuf};

use clap::Args;
use grundy_shared::protocol::Secret;
use grundy_shared::protocol::identity::TokenInfo;
use grundy_words::Message;
use serde_json::json;

use crate::confirm::may_write;
use crate::context::Context;
use crate::failure::Failure;
use crate::record::save_secret;
use crate::render::clean;
use crate::written::Kind;

/// Where a new token goes.
#[derive(Debug, Args)]
pub(super) struct Place {
    /// Write the token to this file, which only you can read, instead of printing it
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
}

impl Place {
    /// Whether the token may be written there, before it is made; asks before a file is overwritten.
    ///
    /// # Errors
    /// The file cannot be written, or a script would replace something else.
    pub(super) async fn is_free(&self, context: &Context) -> Result<bool, Failure> {
        let Some(path) = &self.to else {
            return Ok(true);
        };
        may_write(&context.output, path, Kind::Token).await
    }
}

/// Prints a new token, or writes it to its file.
pub(super) fn hand_over(
    context: &Context,
    place: &Place,
    token: &TokenInfo,
    secret: &Secret,
) -> Result<(), Failure> {
    let output = &context.output;
    let file = place.to.as_deref();
    if let Some(path) = file {
        keep(path, secret)?;
    }
    if output.json {
        return output.object(&json!({
            "schema": "grundy/token/1",
            "token": token,
            "secret": file.is_none().then_some(secret),
            "file": file,
        }));
    }
    match file {
        Some(path) => {
            let kept = Message::new("token-in-file")
                .text("name", clean(&token.name))
                .text("file", path.display());
            output.sentences(&kept.said(output.words()))
        }
        None => {
            output.line(&clean(secret.reveal()))?;
            output.talk(&output.words().say("token-keep"));
            Ok(())
        }
    }
}

fn keep(path: &Path, secret: &Secret) -> Result<(), Failure> {
    let text = zeroize::Zeroizing::new(format!("{}\n", secret.reveal()));
    save_secret(path, text.as_bytes())
        .map_err(|failure| failure.help(Message::new("token-exists-how")))
}
