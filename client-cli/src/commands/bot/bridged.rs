//! One match on a server that a program plays.

use grundy_shared::ids::{MatchId, PlayerId};

use crate::bot::bridge::Bridge;
use crate::context::Context;
use crate::failure::Failure;
use crate::match_source::Link;

/// Plays the match of this link to its end, and says how it ended.
pub(super) async fn play(
    context: &Context,
    bridge: &mut Bridge,
    mut link: Link,
    match_id: MatchId,
    player: PlayerId,
) -> Result<(), Failure> {
    let outcome = bridge.play(&mut link, player, &context.output).await?;
    link.leave().await;
    let outcome = outcome.map_or("unknown", |outcome| outcome.as_str());
    match context.output.json {
        true => context.output.object(&serde_json::json!({
            "type": "match",
            "match": match_id.to_string(),
            "outcome": outcome,
        })),
        false => context.output.line(&format!(
            "{match_id}  {outcome}   again: grundy review {match_id}"
        )),
    }
}
