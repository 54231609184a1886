//! A match of two players on two nodes.

use serde_json::{Value, json};

use crate::client::Client;
use crate::node::Node;

/// A match of two players on two nodes.
pub(crate) struct Duel {
    pub(crate) id: Value,
    pub(crate) one: Client,
    pub(crate) two: Client,
}

impl Duel {
    /// A match by invitation: created here, joined by its code there.
    pub(crate) async fn begin(here: &Node, there: &Node, rated: bool) -> Self {
        let terms = match rated {
            true => {
                json!({"rated": true, "games": 2, "clock": {"type": "fischer", "base_ms": 300_000, "increment_ms": 0}})
            }
            false => json!({}),
        };
        Self::begin_on(here, there, terms).await
    }

    /// The same on these terms.
    pub(crate) async fn begin_on(here: &Node, there: &Node, terms: Value) -> Self {
        let mut one = Client::come(here).await;
        let mut two = Client::come(there).await;
        let mut create = json!({"type": "create", "position": "nim:3,4,5", "side": "first", "opponent": {"type": "invite"}});
        for (name, value) in terms.as_object().into_iter().flatten() {
            create[name] = value.clone();
        }
        let created = one.get(create, "created").await;
        let join = json!({"type": "join", "code": created["code"]});
        let joined = two.get(join, "joined").await;
        assert_eq!(joined["match"], created["match"]);
        Self {
            id: created["match"].clone(),
            one,
            two,
        }
    }

    pub(crate) fn text(&self) -> &str {
        self.id.as_str().expect("an id is a text")
    }

    pub(crate) fn mv(&self, ply: u32, text: &str) -> Value {
        json!({"type": "move", "match": self.id, "ply": ply, "move": text})
    }
}
