//! `grundy login` and `grundy recover`: the account of another computer on this one.

use clap::Args;
use grundy_shared::event::PlayerInfo;
use grundy_shared::protocol::Secret;
use grundy_shared::protocol::client::{ClientMessage, Login, Recover};
use grundy_shared::protocol::server::Reply;
use grundy_words::Message;
use serde_json::json;

use crate::account::{hello, keep_login};
use crate::connection::{Connection, unexpected};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::clean;
use crate::secret_input::Source;

/// Characters of the name of a token.
const LABEL_MAX: usize = 32;

/// Arguments of `login`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy login Ada
  grundy login Ada --password-file - < password.txt

You sign in to an account that has a password; 'grundy password' gives one to yours. Your matches are \
there at once: grundy resume. 'grundy token list' shows where you are signed in.")]
pub(crate) struct Arguments {
    /// Your name on the server
    name: String,
    #[command(flatten)]
    place: Place,
    /// Read the password from the first line of this file; - is standard input
    #[arg(long, value_name = "FILE")]
    password_file: Option<String>,
}

/// Arguments of `recover`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  grundy recover Ada

You need one of the recovery codes that 'grundy password' has printed. All of them are void afterwards, \
and you are signed out everywhere else. Without a code, only the operator of the server can help.")]
pub(crate) struct RecoverArguments {
    /// Your name on the server
    name: String,
    #[command(flatten)]
    place: Place,
    /// Read the recovery code from the first line of this file; - is standard input
    #[arg(long, value_name = "FILE")]
    code_file: Option<String>,
    /// Read the new password from the first line of this file; - is standard input, after the code
    #[arg(long, value_name = "FILE")]
    password_file: Option<String>,
}

/// What this computer is called.
#[derive(Debug, Args)]
struct Place {
    /// What 'grundy token list' calls this computer [default: its name]
    #[arg(long, value_name = "NAME")]
    label: Option<String>,
}

impl Place {
    fn label(self) -> Option<String> {
        self.label.or_else(|| {
            let name = std::fs::read_to_string("/etc/hostname").ok()?;
            let name: String = name.trim().chars().take(LABEL_MAX).collect();
            (!name.is_empty()).then_some(name)
        })
    }
}

impl Arguments {
    /// Signs in.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let connection = reach(context).await?;
        let source = Source {
            flag: "--password-file",
            file: self.password_file.as_deref(),
        };
        let password = source.read(&context.output, "secret-password")?;
        let login = Login {
            name: self.name,
            password,
            label: self.place.label(),
        };
        prove(context, connection, login, "login").await
    }
}

impl RecoverArguments {
    /// Sets a new password with a recovery code, and signs in.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let connection = reach(context).await?;
        let code = Source {
            flag: "--code-file",
            file: self.code_file.as_deref(),
        };
        let code = code.read(&context.output, "secret-code")?;
        let password = Source {
            flag: "--password-file",
            file: self.password_file.as_deref(),
        };
        let password = password.read_new(&context.output, "secret-new")?;
        let recover = Recover {
            name: self.name,
            code,
            password,
            label: self.place.label(),
        };
        prove(context, connection, recover, "recover").await
    }
}

/// Before anything is typed: a server that is not there is reported first.
async fn reach(context: &Context) -> Result<Connection, Failure> {
    Connection::reach(context.config.server(), context.config.timeout()).await
}

/// Proves who we are. Typing may have taken longer than the server waits for us to speak, so that is done on a connection of its own.
async fn prove(
    context: &Context,
    connection: Connection,
    request: impl Into<ClientMessage>,
    command: &str,
) -> Result<Exit, Failure> {
    drop(connection);
    let mut connection = reach(context).await?;
    let (player, token) = match connection.ask(request).await? {
        Reply::LoggedIn { player, token } => (player, token),
        other => return Err(unexpected(&other)),
    };
    let running = enter(context, connection, &player, &token).await?;
    let output = &context.output;
    if output.json {
        output.object(&json!({
            "schema": format!("grundy/{command}/1"),
            "server": context.config.server().to_string(),
            "profile": context.config.profile(),
            "player": player,
            "running_matches": running,
        }))?;
        return Ok(Exit::Done);
    }
    let done = Message::new("login-done")
        .text("name", clean(&player.name))
        .text("server", context.config.server());
    output.sentences(&done.said(output.words()))?;
    if command == "recover" {
        output.talk(&output.words().say("login-codes-void"));
    }
    if running > 0 {
        let matches = Message::new("login-matches").number("count", running as u64);
        output.talk(&matches.said(output.words()));
    }
    Ok(Exit::Done)
}

/// Says hello with the new token and keeps it; how many matches are not over.
async fn enter(
    context: &Context,
    mut connection: Connection,
    player: &PlayerInfo,
    token: &Secret,
) -> Result<usize, Failure> {
    let welcome = connection.greet(hello(Some(token.reveal()), None)).await?;
    keep_login(context, &welcome, player, token)?;
    connection.close().await;
    Ok(welcome.obligations.len())
}
