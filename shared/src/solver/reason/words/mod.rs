//! The reasons in English: the one place that makes sentences of facts.

mod boards;
mod compounds;
mod games;
mod general;
mod partizan;
mod phrases;

use super::types::{Assessment, MoveReason, MoveResult, Reasons};
use crate::fact::{Fact, GameFact};
use crate::ids::Seat;
use crate::solver::OutcomeClass;
use phrases::{Sentence, short};

/// All that the reasons say, in plain ASCII.
pub(super) fn lines(reasons: &Reasons) -> Vec<String> {
    let position = &reasons.position;
    let mut words = Words::default();
    let headline = headline(reasons);
    words.line(0, format!("{}: {headline}.", short(&position.position)));
    words.facts(1, &position.facts, position);
    if reasons.best.is_none()
        && let Some(winner) = position.outcome.winner(position.to_move)
    {
        words.line(
            0,
            match winner == position.to_move {
                true => "No winning move was found within the budget.",
                false => "No move wins: every move has a winning reply.",
            },
        );
    }
    for reason in &reasons.moves {
        words.line(0, "");
        let is_best = reasons.best.as_ref() == Some(&reason.mv);
        words.of_move(reason, position, is_best);
    }
    words.lines
}

/// What the facts of a position say, each rule before its first use.
pub(super) fn sentences(of: &Assessment) -> Vec<String> {
    let mut words = Words::default();
    words.facts(0, &of.facts, of);
    words.lines
}

impl Assessment {
    /// The facts in English, one sentence each and the one that decides last; a rule comes before the first sentence that needs it.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        sentences(self)
    }
}

/// The working behind the values of a component, as far as its own explanation leaves it out: that of graphs, vertex by vertex, and of heads.
pub(super) fn working(facts: &[GameFact]) -> Vec<String> {
    let mut words = Words::default();
    for fact in facts {
        let said = games::sentence(fact, "", false);
        match fact {
            // The rule stands at the head of the explanation.
            GameFact::Vertex { .. } | GameFact::Fused { .. } | GameFact::Element { .. } => {
                words.line(1, said.text);
            }
            GameFact::HeadValues { .. } => words.sentence(1, said),
            _ => {}
        }
    }
    words.lines
}

/// What the facts of a move say.
pub(super) fn changes(facts: &[Fact]) -> Vec<String> {
    let mut words = Words::default();
    words.changes(0, facts);
    words.lines
}

/// Who wins, in words.
fn headline(reasons: &Reasons) -> &'static str {
    let mut moves = reasons.moves.iter();
    let has_winning_move = moves.any(|reason| reason.result == MoveResult::Wins);
    match reasons.position.outcome {
        OutcomeClass::N => "the player to move wins",
        OutcomeClass::P => "the player to move loses",
        OutcomeClass::L => "Left wins, no matter who starts",
        OutcomeClass::R => "Right wins, no matter who starts",
        OutcomeClass::D => "a draw with best play",
        OutcomeClass::Unknown if has_winning_move => "the player to move wins",
        OutcomeClass::Unknown => "not decided within the budget",
    }
}

/// Lines written so far, and the rules that they state.
#[derive(Default)]
struct Words {
    lines: Vec<String>,
    rules: Vec<String>,
}

impl Words {
    fn line(&mut self, depth: usize, text: impl AsRef<str>) {
        let indent = "  ".repeat(depth);
        self.lines.push(format!("{indent}{}", text.as_ref()));
    }

    /// The rule first if it was not stated before.
    fn sentence(&mut self, depth: usize, sentence: Sentence) {
        if let Some(rule) = sentence.rule
            && !self.rules.contains(&rule)
        {
            self.line(depth, &rule);
            self.rules.push(rule);
        }
        if !sentence.text.is_empty() {
            self.line(depth, sentence.text);
        }
    }

    /// What facts say of a position.
    fn facts(&mut self, depth: usize, facts: &[Fact], of: &Assessment) {
        for sentence in facts.iter().flat_map(|fact| general::sentences(fact, of)) {
            self.sentence(depth, sentence);
        }
    }

    fn changes(&mut self, depth: usize, changes: &[Fact]) {
        for change in changes {
            if let Some(sentence) = general::change(change) {
                self.sentence(depth, sentence);
            }
        }
    }

    fn of_move(&mut self, reason: &MoveReason, before: &Assessment, is_best: bool) {
        let mover = before.to_move;
        let gives_away = before.outcome.winner(mover) == Some(mover);
        let result = match reason.result {
            MoveResult::Wins => "wins",
            MoveResult::Draws if gives_away => "only draws: it gives the win away",
            MoveResult::Draws => "draws",
            MoveResult::Loses if gives_away => "loses: it gives the win away",
            MoveResult::Loses if before.outcome == OutcomeClass::D => {
                "loses: it gives the draw away"
            }
            MoveResult::Loses if before.outcome == OutcomeClass::Unknown => "loses",
            MoveResult::Loses => "loses, as every move does",
            MoveResult::Unknown => "was not decided within the budget",
        };
        self.line(
            0,
            match is_best {
                true => format!("{} is the best move: it {result}.", reason.mv),
                false => format!("{} {result}.", reason.mv),
            },
        );
        self.changes(1, &reason.changes);
        self.line(1, format!("It leaves {}.", left(&reason.leaves, mover)));
        self.facts(2, &reason.leaves.facts, &reason.leaves);
        if let Some(reply) = &reason.reply {
            let which = match reason.result {
                MoveResult::Loses => "winning",
                _ => "best",
            };
            self.line(1, format!("The {which} reply is {}.", reply.mv));
            self.changes(2, &reply.changes);
            self.line(2, format!("It leaves {}.", left(&reply.leaves, mover)));
            self.facts(3, &reply.leaves.facts, &reply.leaves);
        }
    }
}

/// A position that is left, and what it means for the player whose move is explained.
fn left(leaves: &Assessment, mover: Seat) -> String {
    let position = short(&leaves.position);
    let mine = leaves.to_move == mover;
    let whose = if mine { "you are" } else { "the opponent is" };
    let verb = match leaves.outcome.winner(leaves.to_move) {
        Some(winner) if winner == leaves.to_move => "win",
        Some(_) => "lose",
        None if leaves.outcome == OutcomeClass::D => return format!("{position}, a draw"),
        None => return format!("{position}, which was not decided within the budget"),
    };
    let ending = if mine { "" } else { "s" };
    format!("{position}, where {whose} to move and {verb}{ending}")
}
