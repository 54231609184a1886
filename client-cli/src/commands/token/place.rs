//! Where a new token goes.

use std::path::{Path, PathBuf};

use clap::Args;
use grundy_shared::protocol::Secret;
use grundy_shared::protocol::identity::TokenInfo;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::identity::write_whole;
use crate::render::clean;

/// Where a new token goes.
#[derive(Debug, Args)]
pub(super) struct Place {
    /// Write the token to this file, which only you can read, instead of printing it
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
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
        Some(path) => output.sentences(&format!(
            "The token {} is in {path}. Use it with: grundy --token-file {path}",
            clean(&token.name),
            path = path.display()
        )),
        None => {
            output.line(secret.reveal())?;
            output.talk("Keep it: it is not shown again. 'grundy token revoke' makes it void.");
            Ok(())
        }
    }
}

fn keep(path: &Path, secret: &Secret) -> Result<(), Failure> {
    let text = zeroize::Zeroizing::new(format!("{}\n", secret.reveal()));
    write_whole(path, text.as_bytes(), 0o600).map_err(|error| {
        let words = format!("{}: {error}", path.display());
        Failure::new(Exit::Failed, "io", words)
            .hint("the token exists already: 'grundy token rotate' gives another")
    })
}
