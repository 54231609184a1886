//! `grundy identity`: the way to an account in a sealed file, for another computer.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use grundy_shared::protocol::client::CreateToken;
use grundy_shared::protocol::server::Reply;
use grundy_words::Message;
use serde_json::json;

use crate::account::{keep_identity, sign_in};
use crate::confirm::may_write;
use crate::connection::unexpected;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::identity::Identity;
use crate::record::save_secret;
use crate::render::clean;
use crate::sealed::{SealError, open, seal};
use crate::secret_input::Source;
use crate::system;
use crate::written::Kind;

/// What the token in a sealed file is called in the list.
const LABEL: &str = "identity file";
/// Characters of a passphrase at least: the file may fall into anybody's hands.
const PASSPHRASE_MIN: usize = 12;

/// Arguments of `identity`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy identity export ada.sealed
  grundy identity import ada.sealed          on the other computer

The file has a token of its own, which only your passphrase opens. If you lose the file, revoke its token:
  grundy token revoke 'identity file'

An account with a password needs no file:
  grundy login NAME")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write your identity at the server into a sealed file
    Export {
        /// The file to write
        file: PathBuf,
        #[command(flatten)]
        passphrase: Passphrase,
    },
    /// Take over the identity of a sealed file
    Import {
        /// The file to read
        file: PathBuf,
        #[command(flatten)]
        passphrase: Passphrase,
    },
}

#[derive(Debug, Args)]
struct Passphrase {
    /// Read the passphrase from the first line of this file; - is standard input
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<String>,
}

impl Passphrase {
    fn source(&self) -> Source<'_> {
        Source {
            flag: "--passphrase-file",
            file: self.passphrase_file.as_deref(),
        }
    }
}

impl Arguments {
    /// Writes or reads it.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self.command {
            Command::Export { file, passphrase } => export(context, &file, &passphrase).await,
            Command::Import { file, passphrase } => import(context, &file, &passphrase),
        }
    }
}

async fn export(context: &Context, file: &Path, passphrase: &Passphrase) -> Result<Exit, Failure> {
    let output = &context.output;
    if !may_write(output, file, Kind::Identity).await? {
        return Ok(Exit::Done);
    }
    let source = passphrase.source();
    let passphrase = source.read_new(output, "secret-passphrase")?;
    if passphrase.reveal().chars().count() < PASSPHRASE_MIN {
        let message = Message::new("identity-passphrase").text("min", PASSPHRASE_MIN);
        return Err(Failure::told(Exit::Input, "bad_passphrase", message)
            .help(Message::new("identity-passphrase-how")));
    }
    let mut signed_in = sign_in(context, 0).await?;
    let create = CreateToken {
        name: LABEL.to_owned(),
        scopes: signed_in.welcome.scopes.iter().collect(),
        expires_in_ms: None,
    };
    let secret = match signed_in.connection.ask(create).await? {
        Reply::Token { secret, .. } => secret,
        other => return Err(unexpected(&other)),
    };
    signed_in.connection.close().await;
    let text = signed_in.identity.with_token(secret).to_toml()?;
    let sealed = seal(text.as_bytes(), &passphrase, &mut |bytes| rand::fill(bytes));
    save_secret(file, sealed.as_bytes())?;
    let name = clean(&signed_in.identity.name);
    if output.json {
        output.object(&json!({
            "schema": "grundy/identity/1",
            "file": file,
            "player": signed_in.welcome.player,
        }))?;
    } else {
        let exported = Message::new("identity-exported")
            .text("file", file.display())
            .text("name", name);
        output.sentences(&exported.said(output.words()))?;
    }
    Ok(Exit::Done)
}

fn import(context: &Context, file: &Path, passphrase: &Passphrase) -> Result<Exit, Failure> {
    let output = &context.output;
    let text = fs::read_to_string(file).map_err(|error| unusable(file, &error))?;
    let passphrase = passphrase.source().read(output, "secret-passphrase")?;
    let refuse = |why: Message| {
        let message = Message::new("file-fault").text("file", file.display());
        Failure::told(Exit::Input, "sealed_file", message.message("why", why))
    };
    let opened = open(&text, &passphrase).map_err(|error| {
        refuse(Message::new(match error {
            SealError::NotOurs => "sealed-not-ours",
            SealError::NotOpened => "sealed-not-opened",
        }))
    })?;
    let newer = || refuse(Message::new("sealed-newer"));
    let opened = std::str::from_utf8(&opened).map_err(|_| newer())?;
    let identity = Identity::from_toml(opened, context.config.profile());
    // Its words could quote the secret.
    let identity = identity.ok_or_else(newer)?;
    let (name, server) = (clean(&identity.name), clean(&identity.server));
    let player = identity.player;
    keep_identity(identity)?;
    if output.json {
        output.object(&json!({
            "schema": "grundy/identity/1",
            "server": server,
            "player": {"id": player, "name": name},
        }))?;
    } else {
        let imported = Message::new("identity-imported")
            .text("name", name)
            .text("server", &server);
        output.sentences(&imported.said(output.words()))?;
        let next = Message::new("identity-next").text("server", server);
        output.talk(&next.said(output.words()));
    }
    Ok(Exit::Done)
}

fn unusable(file: &Path, error: &std::io::Error) -> Failure {
    let exit = match error.kind() {
        std::io::ErrorKind::NotFound => Exit::NotFound,
        _ => Exit::Failed,
    };
    let message = Message::new("file-fault").text("file", file.display());
    Failure::told(exit, "io", message.message("why", system::said(error)))
}
