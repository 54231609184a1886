//! `grundy explore`: walk through a match or from a position, and try moves against the solver.

use clap::Args;
use grundy_shared::Position;
use grundy_shared::solver::{Budget, Explanation, Reasons, explain, reasons, solve};
use grundy_words::{Language, Message};
use serde::Serialize;

use super::games::finished;
use crate::context::Context;
use crate::exit::Exit;
use crate::exploration::{Exploration, Next, Place};
use crate::failure::Failure;
use crate::reading::position;
use crate::render::{advice, exploration as speech, sentences};
use crate::screen::Purpose;
use crate::talk::Talk;
use crate::thinking::{Limits, Thinking};

/// Winning moves that are named.
const NAMED: usize = 10;

/// Arguments of `explore`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy explore nim:3,5,7
  grundy explore nim:3,5,7 A-1 C-7 B-5
  grundy explore match.ndjson
  grundy explore 7Kq2mVx9Rt --ply 12
  printf 'next 2\\nB-3\\nwhy\\n' | grundy explore match.ndjson --json

Type a move to try it, or: next [N], back [N], ply N, start, end, match (leave a variation), moves, \
more, why [MOVE], board, help, quit. With --json, each line typed is answered by one object on \
stdout.

A match on a server can be explored when it is over; until then the exit code is 7.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    chosen: finished::Chosen,
    /// Begin after this many moves of the match
    #[arg(long, value_name = "N", default_value_t = 0)]
    ply: usize,
    #[command(flatten)]
    thinking: Thinking,
}

/// What was typed.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Typed {
    Nothing,
    Help,
    Quit,
    Board,
    Moves(u128),
    More,
    Why(Option<String>),
    Back(usize),
    Next(usize),
    Ply(usize),
    Start,
    End,
    Match,
    Move(String),
}

impl Typed {
    /// Reads a line. Whole words only: no game has a move that is one of them.
    fn read(line: &str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let number = |absent: usize| match rest {
            "" => Some(absent),
            digits => digits.parse().ok(),
        };
        let alone = rest.is_empty();
        let read = match &*word.to_ascii_lowercase() {
            "" => Some(Self::Nothing),
            "help" | "?" if alone => Some(Self::Help),
            "quit" | "exit" | "q" if alone => Some(Self::Quit),
            "board" if alone => Some(Self::Board),
            "moves" => number(1).map(|from| Self::Moves(from as u128)),
            "more" if alone => Some(Self::More),
            "why" => Some(Self::Why((!alone).then(|| rest.to_owned()))),
            "back" | "undo" => number(1).map(Self::Back),
            "next" => number(1).map(Self::Next),
            "ply" if !alone => number(0).map(Self::Ply),
            "start" if alone => Some(Self::Start),
            "end" if alone => Some(Self::End),
            "match" if alone => Some(Self::Match),
            _ => None,
        };
        read.unwrap_or_else(|| Self::Move(line.to_owned()))
    }
}

/// The walk at a screen or for a program.
struct Walk {
    talk: Talk,
    limits: Limits,
    at: Exploration,
    /// The number of the move from which `more` goes on, counted from 1.
    more_from: u128,
}

impl Arguments {
    /// Explores until the input ends or the user leaves.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let mut at = match self.chosen.position() {
            Some(text) if self.chosen.moves.is_empty() => {
                Exploration::from(position(text)?, self.thinking.to_move())
            }
            _ => Exploration::of(&finished::record(context, &self.chosen).await?)?,
        };
        go(&mut at, self.ply).map_err(|failure| failure.help(Message::new("usage-smaller-ply")))?;
        let mut walk = Walk {
            talk: Talk::begin(context.output, Purpose::Walk, "screen-walk")?,
            limits: self.thinking.limits(),
            at,
            more_from: 1,
        };
        if context.output.asks {
            walk.talk.say(&context.output.words().say("explore-help"))?;
        }
        walk.show().await?;
        loop {
            let Some(line) = walk.talk.line().await? else {
                return Ok(Exit::Done);
            };
            match Typed::read(&line) {
                Typed::Quit => return Ok(Exit::Done),
                typed => match walk.typed(typed).await {
                    Ok(()) => {}
                    // What is typed wrong ends nothing.
                    Err(failure) if failure.exit() == Exit::Input => walk.refuse(&failure)?,
                    Err(failure) => return Err(failure),
                },
            }
        }
    }
}

impl Walk {
    async fn typed(&mut self, typed: Typed) -> Result<(), Failure> {
        match typed {
            Typed::Nothing | Typed::Quit => return Ok(()),
            Typed::Help => {
                let help = self.talk.output().words().say("explore-help");
                return self.answer("help", &help);
            }
            Typed::Moves(from) => return self.moves(from),
            Typed::More => return self.moves(self.more_from),
            Typed::Why(mv) => return self.why(mv.as_deref()).await,
            Typed::Board => {}
            Typed::Back(moves) => self.at.back(moves),
            Typed::Next(moves) => {
                let ply = self.at.ply().saturating_add(moves);
                go(&mut self.at, ply)?;
            }
            Typed::Ply(ply) => go(&mut self.at, ply)?,
            Typed::Start => self.at.back(usize::MAX),
            Typed::End => {
                self.at.leave_variation();
                let ply = self.at.plies().max(self.at.ply());
                go(&mut self.at, ply)?;
            }
            Typed::Match => self.at.leave_variation(),
            Typed::Move(text) => {
                let text = self.talk.meant(self.at.position(), &text);
                let played = self.at.play(&text);
                played.map_err(|error| Failure::illegal_move(&text, &error))?;
            }
        }
        self.more_from = 1;
        self.show().await
    }

    /// What is known where the walk stands.
    async fn place(&mut self) -> Result<Place, Failure> {
        let (position, to_move) = (self.at.position().clone(), self.at.to_move());
        let played = self.at.next_played();
        let played = played.map(|mv| (mv.to_string(), position.play(mv)));
        let here = move |budget: &Budget<'_>| solve(&position, to_move, budget, NAMED);
        let solution = self.talk.think(self.limits, here).await?;
        let mut next = None;
        if let Some((mv, after)) = played {
            let there = move |budget: &Budget<'_>| solve(&after, to_move.other(), budget, 0);
            let outcome = self.talk.think(self.limits, there).await?.outcome;
            next = Some(Next {
                mv,
                outcome,
                winner: outcome.winner(to_move.other()),
            });
        }
        Ok(Place {
            schema: "grundy/explore/1",
            kind: "place",
            ply: self.at.ply(),
            plies: self.at.plies(),
            variation: self
                .at
                .variation()
                .iter()
                .map(ToString::to_string)
                .collect(),
            to_move,
            solution,
            next,
        })
    }

    async fn show(&mut self) -> Result<(), Failure> {
        let words = self.talk.output().words();
        let notation = |position: &Position| {
            let rules = sentences::rules(position, words);
            format!("{rules}\n{}", sentences::notation(position, words))
        };
        let position = self.at.position();
        let here = (position, self.at.to_move());
        self.talk.place(here, || notation(position));
        let place = self.place().await?;
        let output = self.talk.output();
        if output.json {
            return output.object(&place);
        }
        let position = self.at.position();
        let said = speech::place(&place, position, words);
        self.talk.about(|| {
            let way = speech::way(&place, words);
            words.sentences(&[way, sentences::notation(position, words)])
        });
        let here = (position, self.at.to_move());
        self.talk.show(here, &said, || notation(position))
    }

    fn moves(&mut self, from: u128) -> Result<(), Failure> {
        let (text, next) = sentences::moves(
            self.at.position(),
            self.at.to_move(),
            from,
            self.talk.output().words(),
        );
        self.more_from = next;
        self.answer("moves", &text)
    }

    async fn why(&mut self, mv: Option<&str>) -> Result<(), Failure> {
        let (position, to_move) = (self.at.position().clone(), self.at.to_move());
        let language = self.talk.output().language;
        let Some(text) = mv else {
            let here = move |budget: &Budget<'_>| {
                let why = explain(&position, to_move, budget);
                let text = match language {
                    Language::English => why.to_string(),
                    Language::Chinese => advice::position(&position, to_move, language, budget),
                };
                (why, text)
            };
            let (why, text) = self.talk.think(self.limits, here).await?;
            return self.reason(&Why::Position(&why), &text);
        };
        let mv = position.parse_move(to_move, text);
        let mv = mv.map_err(|error| Failure::illegal_move(text, &error))?;
        let there = move |budget: &Budget<'_>| reasons(&position, to_move, &[mv], budget);
        let why = self.talk.think(self.limits, there).await?;
        self.reason(&Why::Move(&why), &advice::moves(&why, language))
    }

    fn reason(&mut self, why: &Why<'_>, text: &str) -> Result<(), Failure> {
        match self.talk.output().json {
            true => self.talk.output().object(why),
            false => self.talk.say(text),
        }
    }

    fn answer(&mut self, kind: &str, text: &str) -> Result<(), Failure> {
        let output = self.talk.output();
        match output.json {
            true => output.object(&serde_json::json!({ "type": kind, "text": text })),
            false => self.talk.say(text),
        }
    }

    /// Reports what cannot be done here.
    fn refuse(&mut self, failure: &Failure) -> Result<(), Failure> {
        let output = self.talk.output();
        if output.json {
            let error = serde_json::json!({ "type": "error", "error": failure.in_batch() });
            return output.object(&error);
        }
        let text = failure.shown_in(output.words());
        self.talk.refuse(&text);
        Ok(())
    }
}

/// Goes to a ply.
fn go(at: &mut Exploration, ply: usize) -> Result<(), Failure> {
    at.go(ply).map_err(|no| {
        let message = match at.variation() {
            [] if at.plies() == 0 => Message::new("explore-no-match"),
            [] => Message::new("explore-no-more").number("count", no.last as u64),
            _ => Message::new("explore-is-variation"),
        };
        Failure::told(Exit::Input, "no_such_ply", message)
    })
}

/// A reason as JSON.
#[derive(Serialize)]
#[serde(tag = "type")]
enum Why<'w> {
    #[serde(rename = "why")]
    Position(&'w Explanation),
    #[serde(rename = "why_move")]
    Move(&'w Reasons),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_whole_and_the_rest_is_a_move() {
        for (line, typed) in [
            ("", Typed::Nothing),
            (" Next ", Typed::Next(1)),
            ("next 12", Typed::Next(12)),
            ("back 2", Typed::Back(2)),
            ("ply 0", Typed::Ply(0)),
            ("ply", Typed::Move("ply".to_owned())),
            ("why", Typed::Why(None)),
            ("why  A-1", Typed::Why(Some("A-1".to_owned()))),
            ("moves 41", Typed::Moves(41)),
            ("a 1", Typed::Move("a 1".to_owned())),
            ("next one", Typed::Move("next one".to_owned())),
            ("back -1", Typed::Move("back -1".to_owned())),
            ("Q", Typed::Quit),
        ] {
            assert_eq!(Typed::read(line), typed, "{line}");
        }
    }
}
