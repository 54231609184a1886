//! What a match is told.

use crate::matches::machine;
use crate::matches::outbox::{Outbox, ReplyTo};

/// What a match is told by connections of this server, and by what it has asked for.
pub(crate) type Input = machine::Input<Outbox, ReplyTo>;
