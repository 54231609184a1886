//! A connection that has not said who it is.

use std::time::Duration;

use grundy_shared::bounds::{CLIENT_BYTES_MAX, LANGUAGE_BYTES_MAX};
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::PlayerId;
use grundy_shared::protocol::client::Hello;
use grundy_shared::protocol::server::Limits;
use grundy_shared::protocol::{
    ClientMessage, ErrorBody, ErrorCode, PAGE_MAX, Reply, Scope, Scopes, Secret, VERSION,
};
use grundy_words::Language;
use tokio::time::Instant;

use super::connection::{BANNED, Connection, Request};
use super::limits::Allowance;
use super::naming::{name_taken, rename};
use super::player::{Known, Player};
use super::socket::{CloseCode, Ending, Socket};
use crate::admission::{Entry, Work};
use crate::chat::Chats;
use crate::config::Config;
use crate::connections::Present;
use crate::identity::{self, grants};
use crate::matches::refusal;
use crate::quotas::{ROW_BYTES, Resource};
use crate::store::{Bearer, Commit, CommitError, NewPlayer, Projection, Unique};
use crate::{names, planted};

/// A guest whose wait is longer than this has to connect again.
const ASKS_AGAIN_WITHIN: Duration = Duration::from_secs(60);
/// Ids drawn for a new guest before giving up.
const DRAWS: usize = 8;

/// A connection before `hello`.
pub(super) struct Guest<S> {
    connection: Box<Connection<S>>,
}

/// Who came, and the secret if the player is new.
struct Identity {
    bearer: Bearer,
    secret: Option<Secret>,
    present: Present,
}

impl<S: Socket> Guest<S> {
    pub(super) fn new(connection: Box<Connection<S>>) -> Self {
        Self { connection }
    }

    /// Waits for `hello`: the guest becomes a player, or the connection ends.
    pub(super) async fn greet(mut self) -> Result<Player<S>, (Box<Connection<S>>, Ending)> {
        let config = self.connection.app.config.current();
        let patience = Duration::from_millis(config.times.hello_ms.0);
        drop(config);
        match self.identify_within(patience).await {
            Ok(known) => Ok(Player::new(self.connection, known)),
            Err(ending) => Err((self.connection, ending)),
        }
    }

    async fn identify_within(&mut self, patience: Duration) -> Result<Known, Ending> {
        let mut deadline = Instant::now() + patience;
        let draining = self.connection.app.lifecycle.draining();
        loop {
            self.connection.flush().await?;
            let heard = tokio::select! {
                biased;
                heard = Connection::hear(&mut self.connection.socket) => heard,
                () = tokio::time::sleep_until(deadline) => return Err(Ending::Close(CloseCode::Policy, "no hello")),
                () = draining.cancelled() => return Err(Box::pin(self.connection.announce_stop()).await),
            };
            let Some(Request { id, message }) = self.connection.read(heard)? else {
                continue;
            };
            let hello = match message {
                ClientMessage::Hello(hello) => hello,
                other => {
                    match self.answer(other).await {
                        Ok(reply) => {
                            // It may have waited for its turn.
                            deadline = Instant::now() + patience;
                            self.connection.reply(Some(id), &reply)?;
                        }
                        Err(error) => {
                            let closes = error.closes;
                            self.connection.refuse(Some(id), error)?;
                            if closes {
                                return Err(BANNED);
                            }
                        }
                    }
                    continue;
                }
            };
            let language = language(&hello);
            let identified = match self.check_address() {
                Ok(()) => self.identify(hello).await,
                Err(error) => Err(error),
            };
            // Again, and the player: who is banned from now on is told so as a connection that is known.
            let identified = identified.and_then(|identity| {
                self.check_address()?;
                self.check_player(&identity.bearer.player)?;
                Ok(identity)
            });
            match identified {
                Ok(identity) => {
                    let bearer = identity.bearer.clone();
                    if bearer.player.bot && self.is_trusted(&bearer.player) {
                        self.connection.permit.leave_address();
                    }
                    let (welcome, present) = Box::pin(self.welcome(identity)).await;
                    match welcome {
                        Ok(welcome) => self.connection.reply(Some(id), &welcome)?,
                        Err(error) => {
                            self.connection.refuse(Some(id), error)?;
                            continue;
                        }
                    }
                    return Ok(Known {
                        bearer,
                        language,
                        present,
                    });
                }
                Err(error) => {
                    let (closes, code) = (error.closes, error.code);
                    if matches!(code, ErrorCode::ServerBusy | ErrorCode::RateLimited) {
                        // A guest who is told to come back later may ask again on this connection.
                        let wait = Duration::from_millis(error.retry_after_ms.unwrap_or_default());
                        deadline = Instant::now() + wait.min(ASKS_AGAIN_WITHIN) + patience;
                    }
                    self.connection.refuse(Some(id), error)?;
                    if closes {
                        return Err(match code {
                            ErrorCode::Banned => BANNED,
                            _ => Ending::Close(CloseCode::Policy, "bad_token"),
                        });
                    }
                }
            }
        }
    }

    /// Answers what can be asked before `hello` besides it.
    async fn answer(&self, message: ClientMessage) -> Result<Reply, ErrorBody> {
        let (app, address) = (&self.connection.app, self.connection.address);
        self.check_address()?;
        match message {
            ClientMessage::Login(ask) => Box::pin(app.identities.login(ask, address)).await,
            ClientMessage::Recover(ask) => Box::pin(app.identities.recover(ask, address)).await,
            _ => Err(ErrorBody::new(ErrorCode::AuthRequired, "say `hello` first")),
        }
    }

    /// Refuses a banned address. It may have been banned since the handshake.
    fn check_address(&self) -> Result<(), ErrorBody> {
        let app = &self.connection.app;
        let address = self.connection.address.ip();
        let banned = app.bans.check_address(address, app.clock.now());
        banned.map_err(|banned| banned.refusal().closing())
    }

    /// Whether the operator trusts this player.
    fn is_trusted(&self, player: &PlayerInfo) -> bool {
        let config = self.connection.app.config.current();
        config.trusted.bots.contains(player.id)
    }

    /// Refuses a banned player.
    fn check_player(&self, player: &PlayerInfo) -> Result<(), ErrorBody> {
        let app = &self.connection.app;
        let banned = app.bans.check_player(player.id, app.clock.now());
        banned.map_err(|banned| banned.refusal().closing())
    }

    async fn identify(&self, hello: Hello) -> Result<Identity, ErrorBody> {
        if hello.protocol != VERSION {
            let message = format!("this server speaks protocol version {VERSION}");
            return Err(ErrorBody::new(ErrorCode::UnsupportedVersion, message)
                .field("protocol")
                .limit(VERSION)
                .got(&hello.protocol.to_string()));
        }
        check_length("client", hello.client.as_deref(), CLIENT_BYTES_MAX)?;
        check_length("language", hello.language.as_deref(), LANGUAGE_BYTES_MAX)?;
        if hello.session {
            return self.of_the_page(hello).await;
        }
        let of_guests = [("name", hello.name.is_some()), ("bot", hello.bot.is_some())];
        let given = of_guests.into_iter().find(|(_, given)| *given);
        match (&hello.token, given) {
            (Some(_), Some((field, _))) => {
                let message = format!(
                    "a token stands for a player who has a name already: leave `{field}` out, or say `hello` without a token to become a new guest"
                );
                Err(ErrorBody::new(ErrorCode::UnknownField, message).field(field))
            }
            (Some(token), None) => self.known_player(token.reveal()).await,
            (None, _) => self.new_guest(hello).await,
        }
    }

    /// The player of a page, who is known by the cookie of the handshake; a new guest if nobody is.
    async fn of_the_page(&self, hello: Hello) -> Result<Identity, ErrorBody> {
        let barred = [
            ("token", hello.token.is_some()),
            ("bot", hello.bot.is_some()),
        ];
        if let Some((field, _)) = barred.into_iter().find(|(_, given)| *given) {
            let message = format!(
                "with `session` the player is the one of the page's cookie: leave `{field}` out"
            );
            return Err(ErrorBody::new(ErrorCode::UnknownField, message).field(field));
        }
        let Some(cookie) = &self.connection.cookie else {
            return self.new_guest(hello).await;
        };
        match self.known_player(cookie.reveal()).await {
            // The player is gone, or has signed out elsewhere.
            Err(error) if error.code == ErrorCode::BadToken => self.new_guest(hello).await,
            found => self.called(found?, hello.name.as_deref()).await,
        }
    }

    /// Gives a guest the name that was typed on a page, if nobody has chosen one yet.
    async fn called(
        &self,
        mut identity: Identity,
        name: Option<&str>,
    ) -> Result<Identity, ErrorBody> {
        let Bearer {
            player,
            token,
            claimed,
            ..
        } = &mut identity.bearer;
        let is_unnamed = !*claimed && names::is_made_up(&player.name);
        if let Some(name) = name.filter(|_| is_unnamed && token.scopes.has(Scope::Account)) {
            self.check_player(player)?;
            rename(&self.connection.app, player.id, name).await?;
            name.clone_into(&mut player.name);
        }
        Ok(identity)
    }

    async fn known_player(&self, token: &str) -> Result<Identity, ErrorBody> {
        let app = &self.connection.app;
        let hash = identity::hash(token);
        if let Some(Bearer { player, token, .. }) = app.identities.bearer(hash).await? {
            let outbox = &self.connection.outbox;
            let present = app.connections.enter(player.id, &token, outbox);
            if app.connections.is_leaving(player.id) {
                return Err(refusal::busy(
                    "guests who have never played are being removed",
                ));
            }
            // Again: what has changed before the connection was known as this player's was not told to it.
            if let Some(bearer) = app.identities.bearer(hash).await? {
                return Ok(Identity {
                    bearer,
                    secret: None,
                    present,
                });
            }
        }
        Err(identity::bad_token().field("token").closing())
    }

    async fn new_guest(&self, hello: Hello) -> Result<Identity, ErrorBody> {
        if let Some(name) = &hello.name {
            names::check_name(name)?;
        }
        let app = &self.connection.app;
        self.wait_for_entry().await?;
        app.addresses
            .new_guest(self.connection.address)
            .map_err(|wait| {
                let what = "too many new guests from your address";
                refusal::rate_limited(&app.metrics, "guest", what, wait.0)
            })?;
        refusal::of_reserve(&app.reserve)?;
        let here = self.connection.source().counted();
        let uses = [Resource::Guests, Resource::Bytes];
        app.quotas
            .check(app.clock.now(), &uses, here, None)
            .map_err(|used_up| refusal::used_up(&app.metrics, used_up))?;
        for attempt in 0..DRAWS {
            let (token, created_at) = (app.identities.draw_token(), app.clock.now());
            let name = hello
                .name
                .clone()
                .unwrap_or_else(|| names::made_up_name(app.chance.bits(), attempt));
            let new = NewPlayer {
                name_key: names::name_key(&name),
                info: PlayerInfo {
                    id: PlayerId::from_random(app.chance.wide_bits()),
                    name,
                    bot: hello.bot.unwrap_or(false),
                },
                token: token.row("guest", Scopes::ALL, created_at, None),
                created_at,
            };
            let bearer = Bearer {
                player: new.info.clone(),
                token: new.token.clone(),
                claimed: false,
                muted: Vec::new(),
            };
            // First, so that nothing that happens to the player from then on is missed.
            let outbox = &self.connection.outbox;
            let present = app.connections.enter_new(new.info.id, &new.token, outbox);
            let commit = Commit::default().with(Projection::Player(new));
            let commit = match planted::shows("forget_player", 3) {
                true => Commit::default(),
                false => commit,
            };
            match app.committer.commit(commit).await {
                Ok(()) => {
                    present.mark_stored();
                    let used = [(Resource::Guests, 1), (Resource::Bytes, ROW_BYTES)];
                    app.quotas.count(created_at, &used, here, []);
                    return Ok(Identity {
                        bearer,
                        secret: Some(token.into_secret()),
                        present,
                    });
                }
                Err(CommitError::Taken(Unique::Name)) if hello.name.is_some() => {
                    let name = &bearer.player.name;
                    return Err(name_taken(name, app.chance.below(10_000)));
                }
                Err(CommitError::Taken(_)) => {}
                Err(error) => return Err(refusal::of_commit(&error)),
            }
        }
        Err(refusal::internal())
    }

    /// Waits until the server takes on new guests.
    ///
    /// # Errors
    /// `server_busy` if it does not in time; `shutting_down`.
    async fn wait_for_entry(&self) -> Result<(), ErrorBody> {
        let app = &self.connection.app;
        let turn = match app.admission.enter(Work::Guest, self.connection.address) {
            Entry::Admitted => return Ok(()),
            Entry::Refused(error) => return Err(error),
            Entry::Waits(turn) => turn,
        };
        let draining = app.lifecycle.draining();
        match draining.run_until_cancelled(turn).await {
            Some(Ok(true)) => Ok(()),
            Some(_) => Err(app.admission.refusal(Work::Guest)),
            None => Err(refusal::shutting_down()),
        }
    }

    async fn welcome(&self, identity: Identity) -> (Result<Reply, ErrorBody>, Present) {
        let Identity {
            bearer,
            secret,
            present,
        } = identity;
        (self.greeting(bearer, secret).await, present)
    }

    async fn greeting(&self, bearer: Bearer, secret: Option<Secret>) -> Result<Reply, ErrorBody> {
        let app = &self.connection.app;
        let Bearer {
            player,
            token,
            claimed,
            muted: _,
        } = bearer;
        let mut obligations = match secret {
            // A new guest has none.
            Some(_) => Vec::new(),
            None => app
                .matches
                .obligations(player.id, PAGE_MAX as usize)
                .await
                .map_err(|error| refusal::of_store(&error))?,
        };
        if !may_invite(token.scopes) {
            for open in &mut obligations {
                (open.code, open.expires_at_ms) = (None, None);
            }
        }
        let config = app.config.current();
        Ok(Reply::Welcome {
            protocol: VERSION,
            server: concat!("grundy-server ", env!("CARGO_PKG_VERSION")).to_owned(),
            server_id: Some(app.server_id),
            url: config
                .public_url
                .as_ref()
                .map(|url| url.as_str().to_owned()),
            now_ms: app.clock.now(),
            limits: announced(&config, player.bot),
            obligations,
            scopes: token.scopes.and(grants(&config, player.id)),
            token_expires_at_ms: token.expires_at,
            claimed,
            player,
            token: secret,
        })
    }
}

/// Whether whoever has a token with these scopes is shown the player's join codes: whoever has a code can take the other seat.
pub(super) fn may_invite(scopes: Scopes) -> bool {
    scopes.has(Scope::Play)
}

/// The language that a client wants; English if the server has no words in it.
fn language(hello: &Hello) -> Language {
    let named = hello.language.as_deref();
    named.and_then(|name| name.parse().ok()).unwrap_or_default()
}

/// Refuses a text of more than so many bytes.
fn check_length(field: &'static str, text: Option<&str>, most: usize) -> Result<(), ErrorBody> {
    match text.filter(|text| text.len() > most) {
        Some(text) => Err(
            ErrorBody::new(ErrorCode::OutOfRange, format!("`{field}` is too long"))
                .field(field)
                .limit(most)
                .got(text),
        ),
        None => Ok(()),
    }
}

/// The bounds that a client is told: those for a bot, or for a person.
fn announced(config: &Config, bot: bool) -> Limits {
    let (limits, times, solver) = (&config.limits, &config.times, &config.solver);
    let allowance = Allowance::of(limits, bot);
    Limits {
        message_bytes: limits.message_bytes,
        reply_bytes: limits.reply_bytes,
        burst: allowance.requests.burst,
        requests_per_second: allowance.requests.per_second,
        queue_messages: allowance.queue_messages,
        queue_bytes: limits.queue_bytes,
        moves_burst_per_match: allowance.moves.map(|pace| pace.burst),
        moves_per_second_per_match: allowance.moves.map(|pace| pace.per_second),
        waiting_requests: bot.then_some(allowance.waiting),
        matches_per_player: allowance.matches,
        seeks_per_player: Some(limits.seeks_per_player),
        follows_per_connection: allowance.follows,
        rated_delay_moves: Some(limits.rated_delay_moves),
        chat: Some(Chats::limits(config)),
        solver_ms: solver.cpu_ms,
        solver_bytes: solver.memory_bytes,
        review_plies: solver.review_plies,
        ping_ms: times.ping_ms,
        dead_after_ms: times.dead_after_ms,
        join_code_ms: times.join_code_ms,
    }
}
