//! Signing in: which identity to be, and what to do when there is none or the server has forgotten it.

use grundy_shared::protocol::VERSION;
use grundy_shared::protocol::client::Hello;

use crate::connection::{Connection, Welcome};
use crate::context::Context;
use crate::failure::Failure;
use crate::identity::{Identity, Vault};

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
        token: token.map(str::to_owned),
        name: name.map(str::to_owned),
        bot: None,
    }
}

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

/// Our identities at the server, the first one first; none before the first visit.
pub(crate) fn identities(context: &Context) -> Result<Vec<Identity>, Failure> {
    identities_of(context, Role::Person)
}

fn identities_of(context: &Context, role: Role) -> Result<Vec<Identity>, Failure> {
    let server = context.config.server();
    Ok(Vault::open()?.read()?.of(server, &profile(context, role)))
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
    sign_in_in_role(context, 0, Role::Bot, name).await
}

async fn sign_in_in_role(
    context: &Context,
    which: usize,
    role: Role,
    name: Option<&str>,
) -> Result<SignedIn, Failure> {
    // Each round signs in or sets an identity aside: a server with new data knows none of them.
    while let Some(identity) = identities_of(context, role)?.into_iter().nth(which) {
        if let Some(signed_in) = sign_in_as(context, identity).await? {
            return Ok(signed_in);
        }
    }
    become_guest(context, which, role, name).await
}

/// Signs in with the secret of this identity; `None` when the server does not know it, which is then set aside.
pub(crate) async fn sign_in_as(
    context: &Context,
    identity: Identity,
) -> Result<Option<SignedIn>, Failure> {
    let config = &context.config;
    let asked = hello(Some(identity.token()), None);
    match Connection::open(config.server(), asked, config.timeout()).await {
        Ok((connection, welcome)) => {
            context.output.detail(&format!(
                "{} at {}, as {}",
                crate::render::clean(&welcome.server),
                config.server(),
                crate::render::clean(&welcome.player.name)
            ));
            Ok(Some(SignedIn {
                connection,
                welcome,
                identity,
            }))
        }
        Err(failure) if failure.is_bad_token() => {
            let vault = Vault::open()?;
            let locked = vault.lock()?;
            let mut credentials = vault.read()?;
            credentials.set_aside(&identity);
            locked.write(&credentials)?;
            context.output.warn(&format!(
                "The server at {} no longer knows you as {} (its data may be new). You become a new guest; \
                 the old secret is kept under [[refused]] in {}.",
                config.server(),
                crate::render::clean(&identity.name),
                vault.path().display()
            ));
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

/// Becomes a new guest under the lock of the vault: of two terminals that start at once, the second takes the identity that
/// the first has made.
async fn become_guest(
    context: &Context,
    which: usize,
    role: Role,
    name: Option<&str>,
) -> Result<SignedIn, Failure> {
    let config = &context.config;
    let profile = profile(context, role);
    let vault = Vault::open()?;
    let locked = vault.lock()?;
    let mut credentials = vault.read()?;
    let ours = credentials.of(config.server(), &profile);
    let known = ours.into_iter().nth(which);
    let token = known.as_ref().map(Identity::token);
    // A known identity has its name.
    let name = config.name().or(name).filter(|_| token.is_none());
    let asked = Hello {
        bot: (known.is_none() && role == Role::Bot).then_some(true),
        ..hello(token, name)
    };
    let (connection, welcome) = Connection::open(config.server(), asked, config.timeout()).await?;
    let identity = match (known, &welcome.token) {
        (Some(identity), _) => identity,
        (None, Some(token)) => {
            let identity = Identity::new(
                config.server(),
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
            return Err(Failure::new(
                crate::exit::Exit::Protocol,
                "not_understood",
                "the server made us a guest without a secret",
            ));
        }
    };
    Ok(SignedIn {
        connection,
        welcome,
        identity,
    })
}
