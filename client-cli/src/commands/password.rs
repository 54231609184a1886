//! `grundy password`: an account instead of a guest, another password, new recovery codes.

use clap::Args;
use grundy_shared::protocol::Secret;
use grundy_shared::protocol::client::{NewRecoveryCodes, SetPassword};
use grundy_shared::protocol::server::Reply;
use grundy_words::Message;
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

With a password you can sign in on another computer: grundy login NAME. Ten recovery codes are printed; \
each lets you set a new password, once (grundy recover NAME). Changing the password makes the earlier codes void, \
and signs you out on every other computer.")]
pub(crate) struct Arguments {
    /// Keep the password, and print new recovery codes
    #[arg(long, conflicts_with = "password_file")]
    recovery_codes: bool,
    /// Read the new password from the first line of this file; - is standard input
    #[arg(long, value_name = "FILE")]
    password_file: Option<String>,
    /// Read the current password from the first line of this file; - is standard input, before the new one
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
        let current = if claimed {
            let current = self.current();
            Some(current.read(output, "secret-current")?)
        } else {
            None
        };
        let new = Source {
            flag: "--password-file",
            file: self.password_file.as_deref(),
        };
        let password = new.read_new(output, "secret-new")?;
        let mut signed_in = sign_in(context, 0).await?;
        let ask = SetPassword {
            password: password.clone(),
            current,
        };
        signed_in.connection.ask(ask).await?;
        remember_password(&signed_in.identity)?;
        // Without codes, a forgotten password could not be replaced; the earlier ones are void.
        let codes = codes(&mut signed_in, password).await?;
        tell(context, &signed_in, true, &codes)?;
        signed_in.connection.close().await;
        Ok(Exit::Done)
    }

    async fn renew(self, context: &Context) -> Result<Exit, Failure> {
        let password = self.current().read(&context.output, "secret-password")?;
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
    let codes: Vec<String> = codes.iter().map(|code| clean(code.reveal())).collect();
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
        let set = Message::new("password-set").text("name", word(&name));
        output.sentences(&set.said(output.words()))?;
    }
    if !codes.is_empty() {
        let about = Message::new("password-codes").text("name", word(&name));
        output.sentences(&about.said(output.words()))?;
        for code in codes {
            output.line(&format!("  {code}"))?;
        }
    }
    Ok(())
}
