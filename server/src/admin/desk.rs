//! Takes requests from the socket, and answers each once.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::Seq;
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::UnixStream;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::reload::Configuration;
use super::socket::{AdminSocket, operator_of};
use crate::app::App;
use crate::audit::{Actor, Change};
use crate::matches::refusal;
use crate::names;
use crate::operator::{AdminError, AdminReply, AdminRequest, REASON_MAX};
use crate::store::Projection;

/// Connections at once; more are dropped.
const CONNECTIONS: usize = 16;
/// Bytes of a request.
const REQUEST_MAX: u64 = 16 * 1024;
/// How long a request may take to come, and a reply to go.
const PATIENCE: Duration = Duration::from_secs(5);
/// The pause after the system has no file descriptor for a connection.
const EXHAUSTED_PAUSE: Duration = Duration::from_millis(200);

/// Where operators are answered.
pub struct Desk {
    pub(super) app: Arc<App>,
    pub(super) configuration: Arc<Configuration>,
    pub(super) since: Instant,
}

impl Desk {
    /// That of this server, which starts now.
    #[must_use]
    pub fn new(app: Arc<App>, configuration: Arc<Configuration>) -> Arc<Self> {
        Arc::new(Self {
            app,
            configuration,
            since: Instant::now(),
        })
    }

    /// Answers until the server begins to stop.
    pub async fn serve(self: Arc<Self>, socket: AdminSocket) {
        let draining = self.app.lifecycle.draining();
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        while let Some(accepted) = draining.run_until_cancelled(socket.accept()).await {
            let stream = match accepted {
                Ok(stream) => stream,
                Err(error) => {
                    tracing::warn!(%error, "no administrator can be heard at the moment");
                    tokio::time::sleep(EXHAUSTED_PAUSE).await;
                    continue;
                }
            };
            if let Ok(place) = places.clone().try_acquire_owned() {
                let desk = self.clone();
                let serving = async move {
                    if let Err(error) = desk.hear(stream).await {
                        tracing::debug!(%error, "an administrator has hung up");
                    }
                    drop(place);
                };
                drop(self.app.lifecycle.spawn(serving));
            }
        }
    }

    /// Hears one request and answers it.
    async fn hear(&self, stream: UnixStream) -> io::Result<()> {
        let operator = operator_of(&stream);
        let (reader, mut writer) = stream.into_split();
        let mut reader = BufReader::new(reader.take(REQUEST_MAX));
        let mut line = String::new();
        let heard = tokio::time::timeout(PATIENCE, reader.read_line(&mut line)).await;
        heard.map_err(|_| io::ErrorKind::TimedOut)??;
        let reply = match (operator, serde_json::from_str::<AdminRequest>(&line)) {
            (Err(uid), _) => {
                tracing::warn!(
                    ?uid,
                    "a user who may not administer this server has tried to"
                );
                refuse(
                    "forbidden",
                    "only root and the user that runs this server may administer it",
                )
            }
            (Ok(_), Err(error)) => {
                refuse("bad_request", format!("the request is not valid: {error}"))
            }
            (Ok(uid), Ok(AdminRequest::Drain(ask))) => {
                let mut hung_up = [0];
                // Who hangs up no longer waits; new matches are refused all the same.
                tokio::select! {
                    biased;
                    reply = self.drain(Actor::User { uid }, ask) => reply.unwrap_or_else(of_refusal),
                    _ = reader.read(&mut hung_up) => return Ok(()),
                }
            }
            (Ok(uid), Ok(request)) => self.answer(Actor::User { uid }, request).await,
        };
        let mut line = serde_json::to_string(&reply).expect("a reply has only plain values");
        line.push('\n');
        let written = async {
            writer.write_all(line.as_bytes()).await?;
            writer.shutdown().await
        };
        tokio::time::timeout(PATIENCE, written)
            .await
            .map_err(|_| io::ErrorKind::TimedOut)?
    }

    /// Answers one request; `by` is who asks, as the audit log names it. What changes something is durable when this returns.
    pub async fn answer(&self, by: Actor, request: AdminRequest) -> AdminReply {
        let answered = Box::pin(self.carry_out(by, request)).await;
        answered.unwrap_or_else(of_refusal)
    }

    async fn carry_out(&self, by: Actor, request: AdminRequest) -> Result<AdminReply, ErrorBody> {
        match request {
            AdminRequest::Status => Ok(self.status().await),
            AdminRequest::Matches(ask) => self.matches(ask).await,
            AdminRequest::EndMatch(ask) => self.end_match(by, ask).await,
            AdminRequest::Tournaments(ask) => self.tournaments(ask).await,
            AdminRequest::EndTournament(ask) => self.end_tournament(by, ask).await,
            AdminRequest::Players { limit } => self.players(limit).await,
            AdminRequest::Player { player } => self.player(&player).await,
            AdminRequest::Revoke(ask) => self.revoke(by, ask).await,
            AdminRequest::Erase(ask) => self.erase(by, ask).await,
            AdminRequest::Ban(ask) => self.ban(by, ask).await,
            AdminRequest::Unban(ask) => self.unban(by, ask).await,
            AdminRequest::Bans => self.bans().await,
            AdminRequest::ClearInvitations(ask) => self.clear_invitations(by, ask).await,
            AdminRequest::Drain(ask) => self.drain(by, ask).await,
            AdminRequest::Undrain => self.undrain(by).await,
            AdminRequest::Reload => self.configuration.reload(&self.app, by).await,
            AdminRequest::Audit(ask) => self.audit(ask.after, ask.limit).await,
        }
    }

    async fn audit(&self, after: u64, limit: u32) -> Result<AdminReply, ErrorBody> {
        let limit = page(limit)?;
        let read = self.app.audit.read(Seq(after), limit + 1).await;
        let mut read = read.map_err(|error| refusal::of_store(&error))?;
        let more = read.len() > limit;
        read.truncate(limit);
        let records = read.into_iter();
        Ok(AdminReply::Audit {
            records: records
                .map(|(seq, body)| crate::operator::AuditEntry { seq, body })
                .collect(),
            more,
        })
    }

    /// Records a change, makes it, and records what came of it.
    pub(super) async fn change(
        &self,
        by: Actor,
        change: Change,
        reason: Option<String>,
        at_once: Vec<Projection>,
        effect: impl Future<Output = Result<String, ErrorBody>>,
    ) -> Result<String, ErrorBody> {
        if let Some(reason) = &reason {
            check_reason(reason)?;
        }
        let audit = &self.app.audit;
        let asked = audit.ask(by, change, reason, at_once).await;
        let asked = asked.map_err(|error| refusal::of_commit(&error))?;
        crate::failpoint::hit("after_audit");
        let done = effect.await;
        let outcome = done.clone().map_err(|error| error.message);
        audit.answer(asked, outcome).await;
        done
    }

    /// The player of this id or name.
    pub(super) async fn player_named(&self, named: &str) -> Result<PlayerInfo, ErrorBody> {
        let store = &self.app.store;
        let found = match named.parse() {
            Ok(id) => store.player(id).await,
            Err(_) => store.player_by_name(&names::name_key(named)).await,
        };
        found
            .map_err(|error| refusal::of_store(&error))?
            .ok_or_else(|| {
                ErrorBody::new(
                    ErrorCode::NoSuchPlayer,
                    "no player has this id or name; check the spelling",
                )
            })
    }
}

fn refuse(code: &str, message: impl Into<String>) -> AdminReply {
    AdminReply::Error(AdminError {
        code: code.to_owned(),
        message: message.into(),
    })
}

fn of_refusal(error: ErrorBody) -> AdminReply {
    refuse(error.code.as_str(), error.message)
}

/// How many entries a reply has.
pub(super) fn page(limit: u32) -> Result<usize, ErrorBody> {
    match limit {
        1..=crate::operator::LIST_MAX => Ok(limit as usize),
        _ => {
            let words = format!("the limit must be from 1 to {}", crate::operator::LIST_MAX);
            Err(ErrorBody::new(ErrorCode::OutOfRange, words))
        }
    }
}

pub(super) fn check_reason(reason: &str) -> Result<(), ErrorBody> {
    let length = reason.chars().count();
    if (1..=REASON_MAX).contains(&length) && !reason.chars().any(names::is_invisible) {
        return Ok(());
    }
    let words = format!(
        "a reason has 1 to {REASON_MAX} characters, and no control, direction or invisible characters"
    );
    Err(ErrorBody::new(ErrorCode::OutOfRange, words))
}
