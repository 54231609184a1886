//! What this server has stored, as hints to the others.

use std::sync::Arc;

use grundy_shared::ids::Seq;

use super::{Bus, Hint};
use crate::store::StreamId;
use crate::store::committer::Listener;

/// Publishes what is committed here.
pub struct Publisher(pub Arc<dyn Bus>);

impl Listener for Publisher {
    fn grown(&self, stream: StreamId, last: Seq) {
        if let Some(hint) = Hint::of(stream, last) {
            self.0.publish(hint);
        }
    }
}
