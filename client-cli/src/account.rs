//! Signing in: which identity to be, and what to do when there is none or the server has forgotten it.

use std::time::Duration;

use grundy_shared::bounds::NAME_MAX;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::ServerId;
use grundy_shared::protocol::client::Hello;
use grundy_shared::protocol::{ErrorCode, Secret, VERSION};
use grundy_words::Message;
use rand::RngExt as _;
use tokio::time::{Instant, sleep};

use crate::address::Address;
use crate::connection::{Connection, Welcome};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::identity::{Credentials, Identity, Locked, Vault};
use crate::render::{clean, word};

/// A connection, and who we are on it.
#[derive(Debug)]
pub(crate) struct SignedIn {
    /// The connection.
    pub(crate) connection: Connection,
    /// What the server said.
    pub(crate) welcome: Welcome,
    /// Who we are.
    pub(crate) identity: Identity,
}

/// What to say to be this guest.
pub(crate) fn hello(token: Option<&str>, name: Option<&str>) -> Hello {
    Hello {
        protocol: VERSION,
        client: Some(concat!("grundy ", env!("CARGO_PKG_VERSION")).to_owned()),
        token: token.map(str::to_owned).map(Secret::from),
        name: name.map(str::to_owned),
        bot: None,
        session: false,
        language: None,
    }
}

/// How long to wait for the lock of the vault before it is tried again, at first and at most.
const LOCK_WAIT: Duration = Duration::from_millis(10);
const LOCK_WAIT_MOST: Duration = Duration::from_millis(100);
/// After this time the program says which file it is waiting for.
const LOCK_WAIT_SILENT: Duration = Duration::from_secs(2);
/// How many names like a taken one are tried, one after another.
const NAMES_TRIED: usize = 20;

/// What we are at a server: a person and a bot have identities of their own, since the server tells them apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Person,
    Bot,
}

/// Under which profile the identities of a role are kept.
fn profile(context: &Context, role: Role) -> String {
    match role {
        Role::Person => context.config.profile().to_owned(),
        Role::Bot => format!("{} (bot)", context.config.profile()),
    }
}

/// Our identities at the server, the first one first, and the connection on which the server has said which one it is.
pub(crate) async fn identities(context: &Context) -> Result<(Vec<Identity>, Connection), Failure> {
    let config = &context.config;
    if let Some(path) = config.token_file() {
        let borrowed = Identity::of_token_file(config.server(), path)?;
        let connection = Connection::reach(config.server(), config.timeout()).await?;
        return Ok((vec![borrowed], connection));
    }
    // Before the server is asked: a file of identities that cannot be used is reported even when no server answers.
    let credentials = Vault::open()?.read()?;
    let connection = Connection::reach(config.server(), config.timeout()).await?;
    let ours = ours(context, &credentials, Role::Person, connection.server_id())?;
    Ok((ours, connection))
}

/// Whether we have an identity at the server. Without one, no match there is ours.
///
/// # Errors
/// The file of identities cannot be read.
pub(crate) fn has_identity(context: &Context) -> Result<bool, Failure> {
    let config = &context.config;
    if config.token_file().is_some() {
        return Ok(true);
    }
    let ours = Vault::open()?.read()?;
    Ok(!ours.of(config.server(), config.profile(), None).is_empty())
}

/// Our identities at a server that announces this id. Where it is the server of another address, the user has to say so first.
fn ours(
    context: &Context,
    credentials: &Credentials,
    role: Role,
    announced: Option<ServerId>,
) -> Result<Vec<Identity>, Failure> {
    let (address, profile) = (context.config.server(), profile(context, role));
    let ours = credentials.of(address, &profile, announced);
    let claimed = credentials.claimed_by(address, &profile, announced);
    match claimed.first() {
        Some(known) if ours.is_empty() => Err(at_a_new_address(context, known)),
        _ => Ok(ours),
    }
}

/// Any server could announce the id of one that we know, to get our secret. So the user has to accept a new address.
fn at_a_new_address(context: &Context, known: &Identity) -> Failure {
    let (address, known_at) = (context.config.server(), clean(&known.server));
    let message = Message::new("account-new-address")
        .text("address", address)
        .text("known", known_at);
    Failure::told(Exit::NotAllowed, "new_address", message)
        .help(Message::new("account-new-address-how").text("address", address))
}

/// The user says that the server at this address is the one that it says to be: our identities of it are used here too.
pub(crate) async fn accept_address(context: &Context) -> Result<(), Failure> {
    let config = &context.config;
    let connection = Connection::reach(config.server(), config.timeout()).await?;
    let address = config.server().to_string();
    Vault::open()?.change(|credentials| {
        for role in [Role::Person, Role::Bot] {
            let profile = profile(context, role);
            let announced = connection.server_id();
            for known in credentials.claimed_by(config.server(), &profile, announced) {
                let mut learned = known.clone();
                learned.learn(&known.name, announced, std::slice::from_ref(&address));
                credentials.update(&known, learned);
            }
        }
    })
}

/// Signs in as our identity number `which`, from 0; if there is none, a new guest is created and stored.
pub(crate) async fn sign_in(context: &Context, which: usize) -> Result<SignedIn, Failure> {
    sign_in_in_role(context, which, Role::Person, None).await
}

/// Signs in as our bot; a new one of this name is made, and kept, where there is none.
pub(crate) async fn sign_in_bot(
    context: &Context,
    name: Option<&str>,
) -> Result<SignedIn, Failure> {
    let signed_in = sign_in_in_role(context, 0, Role::Bot, name).await?;
    if signed_in.welcome.player.bot {
        return Ok(signed_in);
    }
    // Only with --token-file. Others are to know that they play a program.
    let message = Message::new("account-not-bot");
    Err(Failure::told(Exit::NotAllowed, "not_a_bot", message)
        .help(Message::new("account-not-bot-how")))
}

/// Signs in as the bot that has played here; none is made.
pub(crate) async fn sign_in_known_bot(context: &Context) -> Result<SignedIn, Failure> {
    let config = &context.config;
    let none = || {
        Failure::told(Exit::NotFound, "no_bot", Message::new("account-no-bot"))
            .help(Message::new("account-no-bot-how"))
    };
    let credentials = Vault::open()?.read()?;
    let connection = Connection::reach(config.server(), config.timeout()).await?;
    let ours = ours(context, &credentials, Role::Bot, connection.server_id())?;
    let identity = ours.into_iter().next().ok_or_else(none)?;
    let signed_in = sign_in_as(context, identity, Some(connection)).await?;
    signed_in.ok_or_else(none)
}

async fn sign_in_in_role(
    context: &Context,
    which: usize,
    role: Role,
    name: Option<&str>,
) -> Result<SignedIn, Failure> {
    let config = &context.config;
    if config.token_file().is_some() {
        return only_known(context).await;
    }
    loop {
        // Each round signs in or sets an identity aside.
        let credentials = Vault::open()?.read()?;
        let connection = Connection::reach(config.server(), config.timeout()).await?;
        let ours = ours(context, &credentials, role, connection.server_id())?;
        let Some(identity) = ours.into_iter().nth(which) else {
            return become_guest(context, connection, which, role, name).await;
        };
        if let Some(signed_in) = sign_in_as(context, identity, Some(connection)).await? {
            return Ok(signed_in);
        }
    }
}

/// Signs in with the secret of this identity, on this connection if there is one; `None` when the server does not know it, which is then
/// set aside.
pub(crate) async fn sign_in_as(
    context: &Context,
    identity: Identity,
    connection: Option<Connection>,
) -> Result<Option<SignedIn>, Failure> {
    let config = &context.config;
    let mut connection = match connection {
        Some(connection) => connection,
        None => Connection::reach(config.server(), config.timeout()).await?,
    };
    if !identity.may_be_of(connection.server_id()) {
        return Ok(None);
    }
    match connection.greet(hello(Some(identity.token()), None)).await {
        Ok(welcome) => {
            tell(context, &welcome);
            let identity = remember(context, identity, &welcome)?;
            Ok(Some(SignedIn {
                connection,
                welcome,
                identity,
            }))
        }
        Err(failure) if failure.is_bad_token() && identity.is_borrowed() => {
            Err(bad_token(Message::new("token-bad")).help(Message::new("token-bad-how")))
        }
        Err(failure) if failure.is_bad_token() && identity.is_claimed() => {
            let name = clean(&identity.name);
            let message = Message::new("signed-out-as")
                .text("name", &name)
                .text("server", config.server());
            let how = Message::new("signed-out-how").text("name", word(&name));
            Err(bad_token(message).help(how))
        }
        Err(failure) if failure.is_bad_token() => {
            let vault = Vault::open()?;
            vault.change(|credentials| credentials.set_aside(&identity))?;
            let forgotten = Message::new("account-forgotten")
                .text("server", config.server())
                .text("name", clean(&identity.name))
                .text("file", vault.path().display());
            context.output.warn(&forgotten.said(context.output.words()));
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

/// Notes what the server says of itself and of us, if it is news: its id, the address that its operator has stated, our name.
fn remember(context: &Context, identity: Identity, welcome: &Welcome) -> Result<Identity, Failure> {
    let stated = welcome.url.as_deref().map(Address::parse);
    let stated = stated.and_then(Result::ok).map(|url| url.to_string());
    let here = context.config.server().to_string();
    let addresses: Vec<String> = std::iter::once(here).chain(stated).collect();
    let mut learned = identity.clone();
    learned.learn(&welcome.player.name, welcome.server_id, &addresses);
    learned.set_claimed(welcome.claimed);
    if identity.is_borrowed() {
        learned.player = welcome.player.id;
    } else if learned != identity {
        Vault::open()?.change(|credentials| credentials.update(&identity, learned.clone()))?;
    }
    Ok(learned)
}

/// Keeps what a login has given: from now on this is who we are at the server.
pub(crate) fn keep_login(
    context: &Context,
    welcome: &Welcome,
    player: &PlayerInfo,
    token: &Secret,
) -> Result<(), Failure> {
    let role = if player.bot { Role::Bot } else { Role::Person };
    let mut identity = Identity::new(
        context.config.server(),
        welcome.server_id,
        &profile(context, role),
        player.id,
        player.name.clone(),
        token.clone(),
    );
    identity.set_claimed(welcome.claimed);
    keep_identity(identity)
}

/// Keeps an identity as the one that is used from now on.
pub(crate) fn keep_identity(identity: Identity) -> Result<(), Failure> {
    Vault::open()?.change(|credentials| credentials.put_first(identity))
}

/// Signs in as who we are; nobody is made who is not there.
pub(crate) async fn only_known(context: &Context) -> Result<SignedIn, Failure> {
    let (ours, connection) = identities(context).await?;
    let nobody = || {
        let message = Message::new("not-signed-in").text("server", context.config.server());
        Failure::told(Exit::NotAllowed, "not_signed_in", message)
            .help(Message::new("not-signed-in-how"))
    };
    let identity = ours.into_iter().next().ok_or_else(nobody)?;
    let signed_in = sign_in_as(context, identity, Some(connection)).await?;
    signed_in.ok_or_else(nobody)
}

/// Forgets an identity that is good no longer.
pub(crate) fn forget(identity: &Identity) -> Result<(), Failure> {
    Vault::open()?.change(|credentials| credentials.remove(identity))
}

/// Notes our new name.
pub(crate) fn remember_name(identity: Identity, name: &str) -> Result<(), Failure> {
    let mut learned = identity.clone();
    learned.learn(name, None, &[]);
    Vault::open()?.change(|credentials| credentials.update(&identity, learned))
}

/// Notes that the account has a password from now on.
pub(crate) fn remember_password(identity: &Identity) -> Result<(), Failure> {
    let mut learned = identity.clone();
    learned.set_claimed(true);
    Vault::open()?.change(|credentials| credentials.update(identity, learned))
}

/// Takes the lock of the vault, waiting for other programs, and says so if that takes long. This thread goes on meanwhile.
async fn lock_in_turn<'v>(context: &Context, vault: &'v Vault) -> Result<Locked<'v>, Failure> {
    let mut wait = LOCK_WAIT;
    let mut says_when = Some(Instant::now() + LOCK_WAIT_SILENT);
    loop {
        if let Some(locked) = vault.try_lock()? {
            return Ok(locked);
        }
        if says_when.is_some_and(|when| when <= Instant::now()) {
            says_when = None;
            let waits = Message::new("account-waits-for-file").text("file", vault.path().display());
            context.output.warn(&waits.said(context.output.words()));
        }
        let pause = wait.mul_f64(rand::rng().random_range(0.5..1.5));
        sleep(pause).await;
        wait = (wait * 2).min(LOCK_WAIT_MOST);
    }
}

/// A name like this one, which the server has suggested instead of a taken one, with another number at its end.
fn renumbered(name: &str) -> String {
    let stem = name.rsplit_once('-').map_or(name, |(stem, _)| stem);
    let number = format!("-{}", rand::rng().random_range(0..10_000));
    let room = NAME_MAX.saturating_sub(number.len());
    let kept: String = stem.chars().take(room).collect();
    format!("{}{number}", kept.trim_end())
}

/// Becomes a new guest under the lock of the vault: of two terminals that start at once, the second takes the identity that
/// the first has made.
async fn become_guest(
    context: &Context,
    mut connection: Connection,
    which: usize,
    role: Role,
    name: Option<&str>,
) -> Result<SignedIn, Failure> {
    let config = &context.config;
    let profile = profile(context, role);
    let vault = Vault::open()?;
    let locked = match vault.try_lock()? {
        Some(locked) => locked,
        None => {
            // The server would close an idle connection while other programs hold the lock.
            drop(connection);
            let locked = lock_in_turn(context, &vault).await?;
            connection = Connection::reach(config.server(), config.timeout()).await?;
            locked
        }
    };
    let announced = connection.server_id();
    let mut credentials = vault.read()?;
    let ours = credentials.of(config.server(), &profile, announced);
    if let (true, Some(before)) = (
        ours.is_empty(),
        credentials
            .replaced_at(config.server(), &profile, announced)
            .first(),
    ) {
        let replaced = Message::new("account-replaced")
            .text("server", config.server())
            .text("name", clean(&before.name));
        context.output.warn(&replaced.said(context.output.words()));
    }
    let known = ours.into_iter().nth(which);
    let token = known.as_ref().map(Identity::token);
    // A known identity has its name.
    let name = config.name().or(name).filter(|_| token.is_none());
    let asked = Hello {
        bot: (known.is_none() && role == Role::Bot).then_some(true),
        ..hello(token, name)
    };
    let mut welcome = connection.greet(asked.clone()).await;
    // The program chose the name, or it is that of our first guest: a similar one will do. Only the user changes a name that the user has chosen.
    let chosen = config.name().is_some() && which == 0;
    let mut like_it: Option<String> = None;
    for _ in 0..NAMES_TRIED {
        let Err(failure) = &welcome else { break };
        if chosen || !failure.has_code(ErrorCode::NameTaken) {
            break;
        }
        // Another program may have taken the name that the server suggested to us.
        like_it = match like_it {
            None => failure.example().map(str::to_owned),
            Some(taken) => Some(renumbered(&taken)),
        };
        let Some(name) = like_it.clone() else { break };
        let asked = asked.clone();
        let name = Some(name);
        welcome = connection.greet(Hello { name, ..asked }).await;
    }
    let welcome = welcome.map_err(|failure| match failure.has_code(ErrorCode::NameTaken) {
        true => failure.help(Message::new("account-name-how")),
        false => failure,
    })?;
    let identity = match (known, &welcome.token) {
        (Some(identity), _) => identity,
        (None, Some(token)) => {
            let identity = Identity::new(
                config.server(),
                welcome.server_id,
                &profile,
                welcome.player.id,
                welcome.player.name.clone(),
                token.clone(),
            );
            credentials.add(identity.clone());
            locked.write(&credentials)?;
            identity
        }
        (None, None) => {
            let message = Message::new("account-no-secret");
            return Err(Failure::told(Exit::Protocol, "not_understood", message));
        }
    };
    tell(context, &welcome);
    Ok(SignedIn {
        connection,
        welcome,
        identity,
    })
}

/// With --verbose: where we are, and as whom.
fn tell(context: &Context, welcome: &Welcome) {
    let here = Message::new("account-where")
        .text("version", clean(&welcome.server))
        .text("server", context.config.server())
        .text("name", clean(&welcome.player.name));
    context.output.detail(&here.said(context.output.words()));
}

/// The token of this connection was revoked while it was used.
pub(crate) fn signed_out() -> Failure {
    bad_token(Message::new("signed-out")).help(Message::new("signed-out-how-nobody"))
}

/// The server does not know our token any more.
fn bad_token(message: Message) -> Failure {
    Failure::told(Exit::NotAllowed, ErrorCode::BadToken.as_str(), message)
}
