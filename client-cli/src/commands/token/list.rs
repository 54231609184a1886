//! `grundy token list`.

use std::time::{Duration, UNIX_EPOCH};

use grundy_shared::ids::Millis;
use grundy_words::Message;
use serde_json::json;

use super::listed::tokens;
use crate::account::SignedIn;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::{clean, headings, table};

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
    let words = output.words();
    let rows: Vec<Vec<String>> = tokens
        .iter()
        .map(|token| {
            let used_by = match token.this {
                true => words.say("token-this"),
                false => String::new(),
            };
            vec![
                clean(&token.prefix),
                clean(&token.name),
                token.scopes.to_string(),
                day(token.created_at_ms),
                token.expires_at_ms.map_or_else(String::new, day),
                used_by,
            ]
        })
        .collect();
    let names = [
        "token-token",
        "token-name",
        "token-scopes",
        "token-made",
        "token-expires",
        "token-used-by",
    ];
    output.text(&table(&headings(names, words), &rows, output.width()))?;
    let about = match claimed {
        true => Message::new("token-codes").number("count", codes.into()),
        false => Message::new("token-no-password"),
    };
    output.talk(&about.said(words));
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
