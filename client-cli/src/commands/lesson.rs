//! A lesson: exercises or puzzles one after the other, at a screen or for a program.

mod example;
mod telling;

use std::time::Duration;

use grundy_shared::practice::{Answer, Attempt, Performance, RUNGS};
use grundy_shared::solver::{Budget, MoveReason, standing};
use grundy_words::Message;

use self::example::{losing_move, rules};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::practice::deck::Tries;
use crate::practice::event::Event;
use crate::render::{practice as words, sentences, short};
use crate::screen::Purpose;
use crate::talk::Talk;
use crate::thinking::Limits;

pub(super) use self::telling::{announce, put, refuse, show, tell};

/// How long to check that an exercise of the deck is won.
const CHECK: Duration = Duration::from_millis(500);

/// What was typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Typed {
    Nothing,
    Help,
    Hint,
    Why,
    Solution,
    Skip,
    Forget,
    Moves(u128),
    More,
    Rules,
    Board,
    Quit,
    Move(String),
}

impl Typed {
    /// Reads a line. Whole words only: no game has a move that is one of them.
    pub(super) fn read(line: &str) -> Self {
        let line = line.trim();
        match &*line.to_ascii_lowercase() {
            "" => Self::Nothing,
            "help" | "?" => Self::Help,
            "hint" => Self::Hint,
            "why" => Self::Why,
            "solution" => Self::Solution,
            "skip" => Self::Skip,
            "forget" => Self::Forget,
            "moves" => Self::Moves(1),
            "more" => Self::More,
            "rules" => Self::Rules,
            "board" => Self::Board,
            "quit" | "exit" | "q" => Self::Quit,
            lower => match lower.strip_prefix("moves ").map(|rest| rest.trim().parse()) {
                Some(Ok(from)) => Self::Moves(from),
                _ => Self::Move(line.to_owned()),
            },
        }
    }
}

/// How an exercise was left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    Done,
    Skipped,
    Forgotten,
    Quit,
}

/// Something to be solved.
pub(super) struct Task<T> {
    /// The position, and who is to move.
    pub(super) attempt: Attempt,
    /// How it is put.
    pub(super) put: Event<'static>,
    /// What it is to the command.
    pub(super) of: T,
}

/// One exercise as it is being solved.
struct Lesson<'t> {
    talk: &'t mut Talk,
    limits: Limits,
    attempt: Attempt,
    /// The last wrong move.
    wrong: Option<MoveReason>,
    /// The number of the move from which `more` goes on, counted from 1.
    more_from: u128,
    /// Whether it can be taken out for good.
    can_forget: bool,
    /// Whether the user is yet to be told that results cannot be saved.
    says_unsaved: bool,
}

/// Why a task is taken out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Removed {
    /// The user does not want to see it again.
    Forgotten,
    /// The player to move does not win: there is no solution.
    NotWon,
}

/// Takes a task out.
type Remove<T> = fn(&T, Removed) -> Result<(), Failure>;

/// Puts these tasks; the message `title` says what they are. Each result is kept before it is shown; keeping it returns what there is to say of it. Ends with the input or when the user
/// leaves, and returns how the tasks went.
pub(super) async fn hold<T>(
    context: &Context,
    title: &str,
    limits: Limits,
    tasks: Vec<Task<T>>,
    keep: impl FnMut(&T, Performance) -> Result<Option<Event<'static>>, Failure>,
) -> Result<Tries, Failure> {
    hold_removable(context, title, limits, tasks, keep, None::<Remove<T>>).await
}

/// As [`hold`], of tasks that can be taken out: because the user wants it, or because the position is not won. Such a position is not put.
pub(super) async fn hold_removable<T>(
    context: &Context,
    title: &str,
    limits: Limits,
    tasks: Vec<Task<T>>,
    mut keep: impl FnMut(&T, Performance) -> Result<Option<Event<'static>>, Failure>,
    mut remove: Option<impl FnMut(&T, Removed) -> Result<(), Failure>>,
) -> Result<Tries, Failure> {
    let mut results = Tries::default();
    if tasks.is_empty() {
        return Ok(results);
    }
    let mut talk = Talk::begin(context.output, Purpose::Lesson, title)?;
    let mut says_unsaved = true;
    for task in tasks {
        if let Some(remove) = &mut remove
            && is_not_won(&mut talk, &task.attempt, limits).await?
        {
            remove(&task.of, Removed::NotWon)?;
            let position = short(&task.attempt.position().to_string());
            let removed = Message::new("practice-not-won").text("position", position);
            talk.warn(&removed.said(context.output.words()));
            continue;
        }
        let can_forget = remove.is_some();
        put(&mut talk, &task.put, can_forget)?;
        let mut lesson = Lesson {
            talk: &mut talk,
            limits,
            attempt: task.attempt,
            wrong: None,
            more_from: 1,
            can_forget,
            says_unsaved,
        };
        lesson.show()?;
        let left = lesson.solve(|performance| keep(&task.of, performance));
        let left = left.await?;
        says_unsaved = lesson.says_unsaved;
        let performance = lesson.attempt.performance();
        match (left, performance) {
            (Left::Done, Some(performance)) => {
                results.add(performance);
                let answer = talk.rest().await?;
                if answer.is_some_and(|line| Typed::read(&line) == Typed::Quit) {
                    break;
                }
            }
            (Left::Skipped, _) => tell(&mut talk, &Event::Skipped {})?,
            (Left::Forgotten, _) => {
                if let Some(remove) = &mut remove {
                    remove(&task.of, Removed::Forgotten)?;
                }
                tell(&mut talk, &Event::Forgotten {})?;
            }
            _ => break,
        }
    }
    Ok(results)
}

impl Lesson<'_> {
    /// Answers what is typed until the exercise is over.
    async fn solve(
        &mut self,
        keep: impl FnOnce(Performance) -> Result<Option<Event<'static>>, Failure>,
    ) -> Result<Left, Failure> {
        loop {
            let Some(line) = self.talk.line().await? else {
                return Ok(Left::Quit);
            };
            match Typed::read(&line) {
                Typed::Quit => return Ok(Left::Quit),
                Typed::Skip => return Ok(Left::Skipped),
                Typed::Forget if self.can_forget => match self.confirms().await? {
                    true => return Ok(Left::Forgotten),
                    false => {
                        let stays = self.output().words().say("learn-stays");
                        self.talk.talk(&stays);
                    }
                },
                typed => match self.typed(typed).await {
                    Ok(None) => {}
                    Ok(Some(over)) => return self.finish(&over, keep),
                    // What is typed wrong ends nothing, and does not count.
                    Err(failure) if failure.exit() == Exit::Input => refuse(self.talk, &failure)?,
                    Err(failure) => return Err(failure),
                },
            }
        }
    }

    /// Whether the exercise is really to be forgotten. Only a person is asked.
    async fn confirms(&mut self) -> Result<bool, Failure> {
        if !self.output().asks {
            return Ok(true);
        }
        let answer = self.talk.ask("learn-forget-this").await?;
        let answer = answer.trim().to_ascii_lowercase();
        Ok(matches!(&*answer, "y" | "yes"))
    }

    /// Carries out what was typed. Returns the last event of the exercise when it is over, which is not told yet.
    async fn typed(&mut self, typed: Typed) -> Result<Option<Event<'static>>, Failure> {
        match typed {
            Typed::Nothing | Typed::Quit | Typed::Skip => {}
            Typed::Forget => {
                let message = Message::new("practice-not-forgettable");
                return Err(Failure::told(Exit::Input, "not_forgettable", message));
            }
            Typed::Help => self.text("help", self.output().words().say("practice-help"))?,
            Typed::Rules => {
                let words = self.output().words();
                let rules = self.ask(|attempt, budget| rules(attempt, words, budget));
                let rules = rules.await?;
                self.text("rules", rules)?;
            }
            Typed::Board => self.show()?,
            Typed::Moves(from) => self.moves(from)?,
            Typed::More => self.moves(self.more_from)?,
            Typed::Hint => self.hint().await?,
            Typed::Why => match &self.wrong {
                Some(reason) => tell(self.talk, &Event::Why { reason })?,
                None => {
                    let message = Message::new("practice-why-early");
                    return Err(Failure::told(Exit::Input, "no_move_tried", message));
                }
            },
            Typed::Solution => {
                let shown = self.ask(|attempt, budget| attempt.solution(budget));
                return Ok(Some(Event::Solution(shown.await?)));
            }
            Typed::Move(text) => return self.play(&text).await,
        }
        Ok(None)
    }

    /// Judges a move.
    async fn play(&mut self, text: &str) -> Result<Option<Event<'static>>, Failure> {
        let text = self.talk.meant(self.attempt.position(), text);
        let tried = text.clone();
        let answer = self.ask(move |attempt, budget| attempt.try_move(&tried, budget));
        let answer = match answer.await? {
            Ok(answer) => answer,
            Err(error) => {
                let example = match error.example {
                    Some(_) => {
                        self.ask(|attempt, budget| losing_move(attempt, budget))
                            .await?
                    }
                    None => None,
                };
                return Err(Failure::illegal_move(&text, &error).with_example(example.as_deref()));
            }
        };
        let event = match answer {
            Answer::Right(shown) => {
                let performance = self.attempt.performance();
                return Ok(performance.map(|performance| Event::Right { performance, shown }));
            }
            Answer::Wrong(refutation) => {
                self.wrong = Some(refutation.reason.clone());
                Event::Wrong(refutation)
            }
            Answer::Undecided { mv } => Event::Undecided { mv },
        };
        tell(self.talk, &event)?;
        Ok(None)
    }

    async fn hint(&mut self) -> Result<(), Failure> {
        match self.ask(|attempt, budget| attempt.hint(budget)).await? {
            Some(hint) => tell(
                self.talk,
                &Event::Hint {
                    number: self.attempt.hints(),
                    of: RUNGS,
                    hint,
                },
            ),
            None => {
                let message = Message::new("practice-no-hint");
                Err(Failure::told(Exit::Input, "no_hint", message)
                    .help(Message::new("practice-no-hint-how")))
            }
        }
    }

    /// Keeps the result, and only then shows it. If it cannot be kept, for example because the disk is full, the lesson goes on.
    fn finish(
        &mut self,
        over: &Event<'_>,
        keep: impl FnOnce(Performance) -> Result<Option<Event<'static>>, Failure>,
    ) -> Result<Left, Failure> {
        let Some(performance) = self.attempt.performance() else {
            return Ok(Left::Skipped);
        };
        let said = match keep(performance) {
            Ok(said) => said,
            Err(failure) => {
                if std::mem::take(&mut self.says_unsaved) {
                    let words = self.output().words();
                    let warning = words::not_saved(&failure.message_in(words), words);
                    self.talk.warn(&warning);
                }
                None
            }
        };
        tell(self.talk, over)?;
        if let Some(said) = said {
            tell(self.talk, &said)?;
        }
        Ok(Left::Done)
    }

    /// Asks the solver within the limits that the user gave.
    async fn ask<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut Attempt, &Budget<'_>) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let mut attempt = self.attempt.clone();
        let asked = self.talk.think(self.limits, move |budget| {
            let answer = work(&mut attempt, budget);
            (attempt, answer)
        });
        let (attempt, answer) = asked.await?;
        self.attempt = attempt;
        Ok(answer)
    }

    fn show(&mut self) -> Result<(), Failure> {
        let (position, to_move) = (self.attempt.position(), self.attempt.to_move());
        let words = words::exercise(position, to_move, self.output().words());
        show(self.talk, (position, to_move), &words)
    }

    fn output(&self) -> &Output {
        self.talk.output()
    }

    fn moves(&mut self, from: u128) -> Result<(), Failure> {
        let (text, next) = sentences::moves(
            self.attempt.position(),
            self.attempt.to_move(),
            from,
            self.output().words(),
        );
        self.more_from = next;
        self.text("moves", text)
    }

    fn text(&mut self, of: &'static str, text: String) -> Result<(), Failure> {
        tell(self.talk, &Event::Text { of, text })
    }
}

/// Whether the solver soon proves that the player to move does not win.
async fn is_not_won(talk: &mut Talk, attempt: &Attempt, limits: Limits) -> Result<bool, Failure> {
    let limits = Limits {
        time: limits.time.min(CHECK),
        ..limits
    };
    let (position, to_move) = (attempt.position().clone(), attempt.to_move());
    let standing = move |budget: &Budget<'_>| standing(&position, to_move, budget);
    let standing = talk.think(limits, standing).await?;
    Ok(standing.is_some_and(|standing| standing.winner != Some(to_move)))
}
