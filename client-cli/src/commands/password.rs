//! `grundy password`: an account instead of a guest, another password, new recovery codes.

use clap::Args;
use grundy_shared::protocol::Secret;
use grundy_shared::protocol::client::{NewRecoveryCodes, SetPassword};
use grundy_shared::protocol::server::Reply;
use serde_json::json;

use crate::account::{SignedIn, remember_password, sign_in};
use crate::connection::unexpected;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::{clean, word};
use crate::secret_input::Source;

/// Arguments of `password`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy password                     ask for a password and set it
  grundy password --recovery-codes    replace the recovery codes

With a password you can sign in on another computer: grundy login NAME. The first time, ten recovery
codes are printed; each sets a new password once (grundy recover NAME). Another password signs you out on
every other computer.")]
pub(crate) struct Arguments {
    /// Keep the password, and print new recovery codes
    #[arg(long, conflicts_with = "password_file")]
    recovery_codes: bool,
    /// Read the new password from the first line of this file; - is standard input
    #[arg(long, value_name = "FILE")]
    password_file: Option<String>,
    /// Read the password until now from the first line of this file; - is standard input, before the new one
    #[arg(long, value_name = "FILE")]
    current_file: Option<String>,
}

impl Arguments {
    /// Sets it; a first visit makes a guest first.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let signed_in = sign_in(context, 0).await?;
        let (claimed, output) = (signed_in.welcome.claimed, &context.output);
        // Typing may take longer than a silent connection is kept.
        signed_in.connection.close().await;
        if self.recovery_codes {
            return self.renew(context).await;
        }
        let current = match claimed {
            true => Some(
                self.current()
                    .read(output, "Password until now (it is not shown):")?,
            ),
            false => None,
        };
        let new = Source {
            flag: "--password-file",
            file: self.password_file.as_deref(),
        };
        let password = new.read_new(output, "New password (it is not shown):")?;
        let mut signed_in = sign_in(context, 0).await?;
        let ask = SetPassword {
            password: password.clone(),
            current,
        };
        signed_in.connection.ask(ask).await?;
        remember_password(&signed_in.identity)?;
        // The first time: without codes, a forgotten password could not be replaced.
        let codes = match claimed {
            true => Vec::new(),
            false => codes(&mut signed_in, password).await?,
        };
        tell(context, &signed_in, true, &codes)?;
        signed_in.connection.close().await;
        Ok(Exit::Done)
    }

    async fn renew(self, context: &Context) -> Result<Exit, Failure> {
        let password = self
            .current()
            .read(&context.output, "Password (it is not shown):")?;
        let mut signed_in = sign_in(context, 0).await?;
        let codes = codes(&mut signed_in, password).await?;
        tell(context, &signed_in, false, &codes)?;
        signed_in.connection.close().await;
        Ok(Exit::Done)
    }

    fn current(&self) -> Source<'_> {
        Source {
            flag: "--current-file",
            file: self.current_file.as_deref(),
        }
    }
}

async fn codes(signed_in: &mut SignedIn, password: Secret) -> Result<Vec<Secret>, Failure> {
    match signed_in
        .connection
        .ask(NewRecoveryCodes { password })
        .await?
    {
        Reply::RecoveryCodes { codes, .. } => Ok(codes),
        other => Err(unexpected(&other)),
    }
}

fn tell(
    context: &Context,
    signed_in: &SignedIn,
    is_set: bool,
    codes: &[Secret],
) -> Result<(), Failure> {
    let output = &context.output;
    let player = &signed_in.welcome.player;
    let codes: Vec<&str> = codes.iter().map(Secret::reveal).collect();
    if output.json {
        return output.object(&json!({
            "schema": "grundy/password/1",
            "server": context.config.server().to_string(),
            "player": player,
            "password_set": is_set,
            "recovery_codes": codes,
        }));
    }
    let name = clean(&player.name);
    if is_set {
        output.sentences(&format!(
            "Your password is set. On another computer, sign in with: grundy login {}",
            word(&name)
        ))?;
    }
    if !codes.is_empty() {
        output.sentences(
            "These are your recovery codes. Each sets a new password once, if you forget yours: grundy recover. \
             Write them down: they are not shown again.",
        )?;
        for code in codes {
            output.line(&format!("  {code}"))?;
        }
    }
    Ok(())
}
