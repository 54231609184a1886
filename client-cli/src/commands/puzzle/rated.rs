//! `grundy puzzle rated`: puzzles of a server, whose first answers count.

use clap::Args;
use grundy_shared::Position;
use grundy_shared::ids::{PuzzleId, Seat};
use grundy_shared::practice::{Answer, Attempt, Performance, Theme};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::protocol::client::{Puzzle, SolvePuzzle};
use grundy_shared::protocol::server::Reply;
use grundy_shared::rated::Family;
use grundy_shared::solver::{Budget, MoveReason};
use grundy_words::Message;
use serde_json::json;

use super::put::Solving;
use crate::account::{SignedIn, sign_in};
use crate::commands::lesson::{Typed, refuse, show, tell};
use crate::connection::{Connection, unexpected};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::practice::event::Event;
use crate::render::{practice, ratings, sentences};
use crate::screen::Purpose;
use crate::talk::Talk;

/// The form of the JSON.
const SCHEMA: &str = "grundy/puzzle-rated/1";

/// Refusals of an answer after which another one can be typed.
const COUNTS_NOT: [ErrorCode; 5] = [
    ErrorCode::IllegalMove,
    ErrorCode::AnalysisTooLarge,
    ErrorCode::AnalysisRunning,
    ErrorCode::ServerBusy,
    ErrorCode::RateLimited,
];

/// Arguments of `puzzle rated`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy puzzle rated
  grundy puzzle rated --family nim --limit 3

The server chooses puzzles that are rated about like you, from its collection and from finished matches. Your first answer counts for your rating and for that \
of the puzzle, so there are no hints before it: type one move, or solution to give up. After a wrong answer, why explains it. Works as a guest.")]
pub(super) struct Arguments {
    /// Only this game family: the name of a game, or sum
    #[arg(long, value_name = "FAMILY")]
    family: Option<Family>,
    /// The largest number of puzzles
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    limit: u32,
    #[command(flatten)]
    solving: Solving,
}

/// A puzzle that is put.
struct Put {
    id: PuzzleId,
    position: Position,
    to_move: Seat,
}

/// Puzzles one after the other.
struct Round<'a> {
    solving: &'a Solving,
    signed_in: SignedIn,
    talk: Talk,
    /// The last answer, if it was wrong.
    wrong: Option<MoveReason>,
    /// The number of the move from which `more` goes on, counted from 1.
    more_from: u128,
    answered: u32,
    solved: u32,
}

impl Arguments {
    /// Puts puzzles of the server.
    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let signed_in = sign_in(context, 0).await?;
        let mut round = Round {
            solving: &self.solving,
            signed_in,
            talk: Talk::begin(context.output, Purpose::Lesson, "screen-rated-puzzles")?,
            wrong: None,
            more_from: 1,
            answered: 0,
            solved: 0,
        };
        if context.output.json {
            let begin = json!({"type":"begin","schema":SCHEMA,"limit":self.limit});
            context.output.object(&begin)?;
        }
        let mut goes_on = true;
        while goes_on && round.answered < self.limit {
            let Some(put) = round.next(self.family).await? else {
                break;
            };
            goes_on = round.put(&put).await? && round.goes_on().await?;
        }
        if goes_on && round.wrong.is_some() {
            round.explain_last().await?;
        }
        let (answered, solved) = (round.answered, round.solved);
        round.signed_in.connection.close().await;
        // The terminal is the shell's again.
        drop(round.talk);
        end(&context.output, answered, solved)?;
        Ok(Exit::Done)
    }
}

/// Waits for the user, and hears the server meanwhile, so that it does not take us for gone.
async fn hearing<T>(
    connection: &mut Connection,
    user: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let mut user = std::pin::pin!(user);
    loop {
        tokio::select! {
            biased;
            answer = &mut user => return answer,
            heard = connection.receive() => { heard?; }
        }
    }
}

impl Round<'_> {
    /// The next puzzle; `None` if there is no other one.
    async fn next(&mut self, family: Option<Family>) -> Result<Option<Put>, Failure> {
        let ask = Puzzle {
            family: family.map(|family| family.name().to_owned()),
            puzzle: None,
        };
        let reply = match self.signed_in.connection.ask(ask).await {
            Ok(reply) => reply,
            Err(failure) if self.answered > 0 && failure.has_code(ErrorCode::NoSuchPuzzle) => {
                self.remark(&failure)?;
                return Ok(None);
            }
            Err(failure) => return Err(failure),
        };
        let Reply::Puzzle {
            puzzle,
            position,
            to_move,
            family,
            rating,
            deviation,
            attempts,
            you,
            ..
        } = &reply
        else {
            return Err(unexpected(&reply));
        };
        let parsed = Position::parse(position).map_err(|_| unexpected(&reply))?;
        let numbers = (*rating, *deviation, *attempts);
        match self.output().json {
            true => self.output().object(&reply)?,
            false => {
                let words = self.output().words();
                let said = ratings::of_puzzle(family, numbers, you, words);
                self.talk.put(&said, false)?;
            }
        }
        let put = Put {
            id: *puzzle,
            position: parsed,
            to_move: *to_move,
        };
        self.more_from = 1;
        self.show(&put)?;
        Ok(Some(put))
    }

    /// Answers what is typed until the puzzle is answered; whether the user goes on.
    async fn put(&mut self, put: &Put) -> Result<bool, Failure> {
        loop {
            let line = self.talk.line();
            let Some(line) = hearing(&mut self.signed_in.connection, line).await? else {
                return Ok(false);
            };
            let move_text = match Typed::read(&line) {
                Typed::Quit => return Ok(false),
                Typed::Solution => None,
                Typed::Move(text) => Some(self.talk.meant(&put.position, &text)),
                other => {
                    if let Err(failure) = self.typed(put, other) {
                        self.remark(&failure)?;
                    }
                    continue;
                }
            };
            let ask = SolvePuzzle {
                puzzle: put.id.to_string(),
                move_text,
            };
            let reply = match self.signed_in.connection.ask(ask).await {
                Ok(reply) => reply,
                // What the server refuses does not count.
                Err(failure) if COUNTS_NOT.iter().any(|code| failure.has_code(*code)) => {
                    self.remark(&failure)?;
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            self.answered(put, &reply).await?;
            return Ok(true);
        }
    }

    /// Carries out what is no answer.
    fn typed(&mut self, put: &Put, typed: Typed) -> Result<(), Failure> {
        match typed {
            Typed::Nothing | Typed::Quit | Typed::Solution | Typed::Move(_) => Ok(()),
            Typed::Help => self.text("help", self.output().words().say("practice-help-rated")),
            Typed::Rules => self.text(
                "rules",
                sentences::rules(&put.position, self.output().words()),
            ),
            Typed::Board => self.show(put),
            Typed::Moves(from) => self.moves(put, from),
            Typed::More => self.moves(put, self.more_from),
            Typed::Why => match &self.wrong {
                Some(reason) => tell(&mut self.talk, &Event::Why { reason }),
                None => {
                    let message = Message::new("practice-why-rated");
                    Err(Failure::told(Exit::Input, "no_move_tried", message))
                }
            },
            Typed::Hint | Typed::Skip | Typed::Forget => {
                let message = Message::new("practice-counts");
                Err(Failure::told(Exit::Input, "answer_counts", message)
                    .help(Message::new("practice-counts-how")))
            }
        }
    }

    /// Shows what became of an answer.
    async fn answered(&mut self, put: &Put, reply: &Reply) -> Result<(), Failure> {
        let Reply::PuzzleSolved {
            right,
            move_text,
            winning_moves,
            winning_moves_total,
            you,
            rated,
            ..
        } = reply
        else {
            return Err(unexpected(reply));
        };
        self.answered += 1;
        self.solved += u32::from(*right);
        self.wrong = None;
        // It counts already: now the solver of this computer may say why.
        let mut attempt = Attempt::at(put.position.clone(), put.to_move, Theme::Search);
        let text = move_text.clone();
        let why = move |budget: &Budget<'_>| match text {
            Some(text) => attempt.try_move(&text, budget).ok(),
            None => Some(Answer::Right(attempt.solution(budget))),
        };
        let why = self.talk.think(self.solving.limits(), why);
        let found = hearing(&mut self.signed_in.connection, why).await?;
        if let Some(Answer::Wrong(refutation)) = &found {
            self.wrong = Some(refutation.reason.clone());
        }
        let words = self.output().words();
        if self.output().json {
            return self.output().object(reply);
        }
        let said = match (found, move_text) {
            (Some(Answer::Wrong(refutation)), _) => practice::refuted(&refutation, words),
            (Some(Answer::Right(shown)), None) => practice::event(&Event::Solution(shown), words),
            (Some(Answer::Right(shown)), Some(_)) => {
                let performance = Performance::AtOnce;
                practice::event(&Event::Right { performance, shown }, words)
            }
            _ => practice::verdict(*right, words),
        };
        self.talk.say(&said)?;
        if self.wrong.is_some() {
            let winning = practice::winning(winning_moves, *winning_moves_total, words);
            self.talk.say(&winning)?;
        }
        self.talk.say(&ratings::after_answer(you, rated, words))
    }

    /// After the last puzzle: explains the answer to it, if the user asks for that.
    async fn explain_last(&mut self) -> Result<(), Failure> {
        let Some(reason) = self.wrong.take() else {
            return Ok(());
        };
        let line = match self.output().asks {
            true => {
                let answer = self.talk.ask("practice-ask-why");
                hearing(&mut self.signed_in.connection, answer).await?
            }
            false => self.talk.line().await?.unwrap_or_default(),
        };
        if Typed::read(&line) == Typed::Why {
            tell(&mut self.talk, &Event::Why { reason: &reason })?;
            let read = self.talk.rest();
            hearing(&mut self.signed_in.connection, read).await?;
        }
        Ok(())
    }

    /// Lets the user read what became of the answer, on the full screen; whether the user goes on.
    async fn goes_on(&mut self) -> Result<bool, Failure> {
        let read = self.talk.rest();
        let answer = hearing(&mut self.signed_in.connection, read).await?;
        Ok(answer.is_none_or(|line| Typed::read(&line) != Typed::Quit))
    }

    fn show(&mut self, put: &Put) -> Result<(), Failure> {
        let words = practice::rated(&put.position, put.to_move, self.output().words());
        show(&mut self.talk, (&put.position, put.to_move), &words)
    }

    fn output(&self) -> &Output {
        self.talk.output()
    }

    fn moves(&mut self, put: &Put, from: u128) -> Result<(), Failure> {
        let (text, next) =
            sentences::moves(&put.position, put.to_move, from, self.output().words());
        self.more_from = next;
        self.text("moves", text)
    }

    fn text(&mut self, of: &'static str, text: String) -> Result<(), Failure> {
        tell(&mut self.talk, &Event::Text { of, text })
    }

    fn remark(&mut self, failure: &Failure) -> Result<(), Failure> {
        refuse(&mut self.talk, failure)
    }
}

fn end(output: &Output, answered: u32, solved: u32) -> Result<(), Failure> {
    match output.json {
        true => output.object(&json!({"type":"end","answered":answered,"solved":solved})),
        false => output.sentences(&practice::end_rated(answered, solved, output.words())),
    }
}
