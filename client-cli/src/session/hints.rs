//! Hints, and the reasons for verdicts, while a match is played.

use std::time::Duration;

use grundy_shared::Move;
use grundy_shared::ids::Seat;
use grundy_shared::position::Position;
use grundy_shared::practice::{Attempt, Theme};
use grundy_shared::referee::Referee;
use grundy_shared::solver::{Budget, OutcomeClass, reasons, solve};
use grundy_words::{Catalogue, Language};

use super::hinted::Hinted;
use super::meanwhile::Thought;
use super::typed::Typed;
use super::{Flow, Session};
use crate::failure::Failure;
use crate::library::Library;
use crate::render::{advice, practice};
use crate::thinking::Limits;

/// What a hint, or a reason, may take.
const ADVICE: Limits = Limits {
    time: Duration::from_secs(2),
    memory_bytes: 256 << 20,
};

impl Session<'_> {
    /// How often the user was helped in this position.
    pub(super) fn hints_in(&self, position: &Position) -> u32 {
        let hinted = self.hinted.as_ref();
        let hinted = hinted.filter(|hinted| hinted.position == *position);
        hinted.map_or(0, |hinted| hinted.given)
    }

    /// A hint, or the reason for the verdict, from the solver in this process: not where it would be help against another player.
    pub(super) async fn advise(&mut self, typed: &Typed) -> Result<Flow, Failure> {
        let (position, to_move, last) = match self.view.referee() {
            Some(referee) if self.view.is_our_turn() => {
                let wants_last = *typed == Typed::Why;
                let last = wants_last.then(|| LastMove::of(referee)).flatten();
                (referee.position().clone(), referee.to_move(), last)
            }
            _ => {
                self.cannot("typed-hints-own")?;
                return Ok(Flow::On);
            }
        };
        if let Some(why) = self.view.no_hints() {
            self.cannot(advice::no_hints(why))?;
            return Ok(Flow::On);
        }
        let earlier = self.hinted.take();
        let earlier = earlier.filter(|hinted| hinted.position == position);
        let given = earlier.as_ref().map_or(0, |hinted| hinted.given);
        let attempt = earlier.and_then(|hinted| hinted.attempt);
        // What was given stays given, whatever comes of this one.
        self.hinted = (given > 0).then(|| Hinted {
            position: position.clone(),
            given,
            attempt: attempt.clone(),
        });
        let wants_reason = *typed == Typed::Why;
        let asked = position.clone();
        let language = self.context.output.language;
        let work = move |budget: &Budget<'_>| match wants_reason {
            true => {
                let why = why(&position, to_move, last.as_ref(), language, budget);
                (why, attempt)
            }
            false => hint(&position, to_move, attempt, language, budget),
        };
        let (text, attempt) = match self.think(ADVICE, work).await? {
            Thought::Done(done) => done,
            Thought::Unwanted => return Ok(Flow::On),
            Thought::Interrupted => return Ok(Flow::Leave),
            Thought::Failed => {
                self.cannot("typed-solver-failed")?;
                return Ok(Flow::On);
            }
        };
        if self.view.is_local()
            && let Ok(library) = Library::open()
        {
            // A library that cannot be written was reported when the match was.
            let id = self.view.match_id();
            let _ = library.note_hints(id, &asked.to_string(), given + 1);
        }
        self.hinted = Some(Hinted {
            position: asked,
            given: given + 1,
            attempt,
        });
        let kind = if wants_reason { "why" } else { "hint" };
        self.frontend.advise(&self.view, kind, &text)?;
        Ok(Flow::On)
    }
}

/// The last move of a match, and what it was made of.
struct LastMove {
    before: Position,
    mover: Seat,
    mv: Move,
}

impl LastMove {
    /// `None` before the first move. Cost: the match is replayed.
    fn of(referee: &Referee) -> Option<Self> {
        let (last, earlier) = referee.moves().split_last()?;
        let (mut before, mut mover) = (referee.start().clone(), Seat::First);
        for played in earlier {
            let mv = before.parse_move(mover, &played.text).ok()?;
            before = before.play(&mv);
            mover = mover.other();
        }
        let mv = before.parse_move(mover, &last.text).ok()?;
        Some(Self { before, mover, mv })
    }
}

/// Why the last move was right or wrong: what it left, and the reply that punishes it if it was wrong. Then why the position is won or lost.
fn why(
    position: &Position,
    to_move: Seat,
    last: Option<&LastMove>,
    language: Language,
    budget: &Budget<'_>,
) -> String {
    let now = advice::position(position, to_move, language, budget);
    match last {
        None => now,
        Some(last) => {
            let moves = std::slice::from_ref(&last.mv);
            let reasons = reasons(&last.before, last.mover, moves, budget);
            let reasons = advice::moves(&reasons, language);
            advice::why(
                &last.mv.to_string(),
                &reasons,
                &now,
                Catalogue::of(language),
            )
        }
    }
}

/// The next hint: at first whether the position is won; if it is, then the idea, the place and a move.
fn hint(
    position: &Position,
    to_move: Seat,
    attempt: Option<Attempt>,
    language: Language,
    budget: &Budget<'_>,
) -> (String, Option<Attempt>) {
    let words = Catalogue::of(language);
    if let Some(mut attempt) = attempt {
        let text = match attempt.hint(budget) {
            Some(hint) => practice::hint(&hint, words),
            None => advice::too_hard(words),
        };
        return (text, Some(attempt));
    }
    let solution = solve(position, to_move, budget, 1);
    let is_won = solution.outcome.winner(to_move) == Some(to_move)
        && solution.outcome != OutcomeClass::Unknown;
    let attempt = is_won.then(|| {
        let why = reasons(position, to_move, &[], budget);
        Attempt::at(position.clone(), to_move, Theme::of(position, &why))
    });
    (advice::hint(&solution, words), attempt)
}
