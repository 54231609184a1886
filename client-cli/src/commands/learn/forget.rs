//! `grundy learn forget`: takes exercises out of the deck for good.

use clap::Args;
use grundy_shared::ids::MatchId;
use grundy_shared::practice::Key;
use grundy_words::Message;
use serde::Serialize;

use crate::confirm::confirmed;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::practice::deck::{Card, Deck};
use crate::practice::store::Store;
use crate::reading::match_id;
use crate::render::short;

/// Arguments of `learn forget`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy learn forget nim:2,5,0
  grundy learn forget 'domineering:../.. right'
  grundy learn forget --match 7Kq2mVx9Rt

A forgotten exercise does not come back, from whichever match. At a terminal you are asked first. During a lesson, the word forget does the \
same for the exercise that is shown.")]
#[group(required = true, multiple = false)]
pub(super) struct Arguments {
    /// The position of the exercise, as a lesson shows it; with ' right' after it if Right is to move
    #[arg(value_name = "POSITION")]
    position: Option<String>,
    /// Forget all exercises that come from this match
    #[arg(long = "match", value_name = "MATCH")]
    match_id: Option<String>,
}

/// What was forgotten, as JSON.
#[derive(Serialize)]
struct Forgotten<'k> {
    schema: &'static str,
    forgotten: Vec<&'k str>,
}

impl Arguments {
    /// Forgets.
    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let store = Store::open()?;
        let of_match = self.match_id.as_deref().map(match_id).transpose()?;
        let keys = self.chosen(&store.read()?, of_match)?;
        let output = &context.output;
        let words = output.words();
        let question = match &*keys {
            [key] => Message::new("learn-forget-one").text("position", short(key.as_str())),
            keys => Message::new("learn-forget-many").text("count", keys.len()),
        };
        if output.asks && !confirmed(output, &question.said(words)).await? {
            output.talk(&words.say("learn-kept"));
            return Ok(Exit::Done);
        }
        store.update(|deck| {
            keys.iter().for_each(|key| deck.forget(key));
            // What it has besides is not looked for again.
            deck.matches.extend(of_match);
            Ok(())
        })?;
        match output.json {
            true => output.object(&Forgotten {
                schema: "grundy/learn-forget/1",
                forgotten: keys.iter().map(Key::as_str).collect(),
            })?,
            false => {
                let done = Message::new("learn-forgotten").number("count", keys.len() as u64);
                output.sentences(&done.said(words))?;
            }
        }
        Ok(Exit::Done)
    }

    /// The exercises that are meant: one at least.
    fn chosen(&self, deck: &Deck, of_match: Option<MatchId>) -> Result<Vec<Key>, Failure> {
        let keys = deck.cards.iter().filter_map(|card| {
            let key = card.position.parse::<Key>().ok()?;
            Some((card, key))
        });
        let none = |message: &'static str| {
            Failure::told(Exit::NotFound, "no_such_exercise", Message::new(message))
                .help(Message::new("learn-none-how"))
        };
        if let Some(id) = of_match {
            let is_of_match = |card: &Card| card.origins.iter().any(|origin| origin.match_id == id);
            let keys: Vec<Key> = keys
                .filter(|(card, _)| is_of_match(card))
                .map(|(_, key)| key)
                .collect();
            return match keys.is_empty() {
                true => Err(none("learn-none-of-match")),
                false => Ok(keys),
            };
        }
        let text = self.position.as_deref().unwrap_or_default();
        let wanted = text.parse::<Key>();
        let wanted = wanted.map_err(|error| Failure::notation(text, &error))?;
        match keys.into_iter().any(|(_, key)| key == wanted) {
            true => Ok(vec![wanted]),
            false => Err(none("learn-none-of-position")),
        }
    }
}
