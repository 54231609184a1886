//! Who a client is: passwords, recovery codes and tokens.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::scope::{Scope, Scopes};
use super::secret::Secret;
use crate::bounds::{NAME_MAX, PASSWORD_BYTES_MAX, PASSWORD_MIN, TOKEN_LIFE};
use crate::ids::Millis;

/// See [`ClientMessage::Login`](super::ClientMessage::Login).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Login {
    /// Your name. Case and look-alike letters make no difference.
    #[schemars(length(max = NAME_MAX))]
    pub name: String,
    /// Your password, at most 1024 bytes.
    #[schemars(length(max = PASSWORD_BYTES_MAX))]
    pub password: Secret,
    /// What the new token is called in your list, 1 to 32 characters: best the name of the computer. `login` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = NAME_MAX))]
    pub label: Option<String>,
}

/// See [`ClientMessage::Recover`](super::ClientMessage::Recover).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recover {
    /// Your name. Case and look-alike letters make no difference.
    #[schemars(length(max = NAME_MAX))]
    pub name: String,
    /// One of your recovery codes. Case, spaces and hyphens do not matter.
    pub code: Secret,
    /// Your new password, as with `set_password`.
    #[schemars(length(min = PASSWORD_MIN, max = PASSWORD_BYTES_MAX))]
    pub password: Secret,
    /// As with `login`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = NAME_MAX))]
    pub label: Option<String>,
}

/// See [`ClientMessage::SetPassword`](super::ClientMessage::SetPassword).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetPassword {
    /// The new password: at least 8 characters and at most 1024 bytes, no control characters, not your name.
    #[schemars(length(min = PASSWORD_MIN, max = PASSWORD_BYTES_MAX))]
    pub password: Secret,
    /// The current password; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = PASSWORD_BYTES_MAX))]
    pub current: Option<Secret>,
}

/// See [`ClientMessage::NewRecoveryCodes`](super::ClientMessage::NewRecoveryCodes).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRecoveryCodes {
    /// Your password.
    #[schemars(length(max = PASSWORD_BYTES_MAX))]
    pub password: Secret,
}

/// See [`ClientMessage::CreateToken`](super::ClientMessage::CreateToken).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateToken {
    /// What it is called in your list, 1 to 32 characters.
    #[schemars(length(min = 1, max = NAME_MAX))]
    pub name: String,
    /// What it is good for: at least one scope, and none that your own token does not have.
    #[schemars(length(min = 1))]
    pub scopes: Vec<Scope>,
    /// How long it is valid: from one minute to ten years. It does not expire if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = TOKEN_LIFE.start(), "maximum" = TOKEN_LIFE.end()))]
    pub expires_in_ms: Option<Millis>,
}

/// Declares requests that name nothing but a token, or nothing at all, or a player.
macro_rules! about {
    ($($name:ident { $($(#[$about:meta])* $field:ident)? })*) => {
        $(
            #[doc = concat!("See [`ClientMessage::", stringify!($name), "`](super::ClientMessage::", stringify!($name), ").")]
            #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
            #[serde(deny_unknown_fields)]
            pub struct $name {
                $($(#[$about])* pub $field: String,)?
            }
        )*
    };
}

about! {
    Logout {}
    Tokens {}
    RotateToken {
        /// The `prefix` of one of your tokens.
        token
    }
    RevokeToken {
        /// The `prefix` of one of your tokens.
        token
    }
    SignOutPlayer {
        /// The player, by id or name.
        player
    }
    HelpPlayer {
        /// The player, by id or name.
        player
    }
}

/// A token of yours, without its secret.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TokenInfo {
    /// The first characters of the token, by which you know it again. A token from before there were lists has `grg_` alone.
    pub prefix: String,
    /// What it is called.
    pub name: String,
    /// What it is good for.
    pub scopes: Scopes,
    /// When it was made.
    pub created_at_ms: Millis,
    /// From when on it is good for nothing. Absent if it does not expire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at_ms: Option<Millis>,
    /// `true` for the token of this connection. `false` if absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub this: bool,
}
