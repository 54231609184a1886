//! `grundy token list`.

use std::time::{Duration, UNIX_EPOCH};

use grundy_shared::ids::Millis;
use serde_json::json;

use super::listed::tokens;
use crate::account::SignedIn;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::{clean, many, table};

pub(super) async fn run(context: &Context, mut owner: SignedIn) -> Result<Exit, Failure> {
    let (tokens, codes) = tokens(&mut owner).await?;
    let claimed = owner.welcome.claimed;
    owner.connection.close().await;
    let output = &context.output;
    if output.json {
        output.object(&json!({
            "schema": "grundy/tokens/1",
            "tokens": tokens,
            "claimed": claimed,
            "recovery_codes": codes,
        }))?;
        return Ok(Exit::Done);
    }
    let rows: Vec<Vec<String>> = tokens
        .iter()
        .map(|token| {
            vec![
                clean(&token.prefix),
                clean(&token.name),
                token.scopes.to_string(),
                day(token.created_at_ms),
                token.expires_at_ms.map_or_else(String::new, day),
                (if token.this { "this computer" } else { "" }).to_owned(),
            ]
        })
        .collect();
    let headings = ["token", "name", "scopes", "made", "expires", "used by"];
    output.text(&table(&headings, &rows, output.width()))?;
    output.talk(&match claimed {
        true => format!(
            "{} left.",
            many(codes.into(), "recovery code is", "recovery codes are")
        ),
        false => "You have no password yet: 'grundy password' sets one.".to_owned(),
    });
    Ok(Exit::Done)
}

/// The day of a moment, in UTC.
fn day(at: Millis) -> String {
    let at = UNIX_EPOCH + Duration::from_millis(at.0.min(MOST));
    let text = humantime::format_rfc3339_seconds(at).to_string();
    text.split('T').next().unwrap_or_default().to_owned()
}

/// The last moment that has a date: a server could say any number.
const MOST: u64 = 253_402_300_799_000;
