//! What is said in the hall, and who hears it.

use grundy_shared::ids::Seq;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::store::{Lease, Projection};

/// One life of a server: a new one begins with each start.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Life {
    /// Which server.
    pub node: u32,
    /// Which of its lives.
    pub epoch: u64,
}

impl Life {
    /// That of a server that has its store for itself.
    pub const ONLY: Self = Self { node: 1, epoch: 1 };

    /// Whether this life is over if the server's life `gone` is.
    #[must_use]
    pub fn is_over_with(self, gone: Self) -> bool {
        self.node == gone.node && self.epoch <= gone.epoch
    }
}

impl From<Lease> for Life {
    fn from(lease: Lease) -> Self {
        Self {
            node: lease.node.0,
            epoch: lease.epoch,
        }
    }
}

/// What a word is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// A server began to live.
    Born,
    /// A life of a server is over.
    Gone,
    /// The accounts.
    Accounts,
    /// The lobby.
    Lobby,
}

/// A word as it is stored.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Spoken {
    pub(super) by: Life,
    pub(super) topic: Topic,
    /// Names the word to the server that says it, if it waits for what comes of it.
    #[serde(default)]
    pub(super) ticket: u64,
    pub(super) body: Box<RawValue>,
}

/// A word as it is heard.
#[derive(Clone, Copy, Debug)]
pub struct Heard<'w> {
    /// Its number.
    pub number: Seq,
    /// Who said it.
    pub by: Life,
    /// Whether that life was over before.
    pub stale: bool,
    /// The ticket, if this server said it and waits.
    pub ticket: Option<u64>,
    /// What it says, as JSON.
    pub body: &'w str,
}

/// Hears the words about a topic, each once and in their order: what it knows follows from them alone. It never waits.
pub trait Hearer: Send + Sync {
    /// A word.
    ///
    /// # Errors
    /// It is not understood: a server of a newer version has said it.
    fn hear(&self, heard: Heard<'_>) -> Result<(), serde_json::Error>;

    /// This life of a server, and those before it, are over.
    fn gone(&self, life: Life);

    /// What the words come to that it has heard.
    fn sum_up(&self) -> Value;

    /// The words come to this: whatever it knew before is forgotten.
    ///
    /// # Errors
    /// The summary cannot be read; then nothing was changed.
    fn take_up(&self, summary: Value) -> Result<(), String>;

    /// Words that are missing for the truth about this server: who is here, and who has left.
    fn amend(&self) -> Vec<Projection>;
}
