//! Sentences of the facts that decide positions and moves.

mod boards;
mod changes;
mod compounds;
mod fact;
mod games;
mod heaps;
mod list;
mod partizan;
mod sentence;
mod sums;

use grundy_shared::fact::{Fact, GameFact};
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Assessment, MoveReason, MoveResult, OutcomeClass, Reasons};

use crate::message::Message;
use crate::{Catalogue, Language};
use sentence::Sentence;

/// Characters of a position that are shown; of a longer one the end is left out.
const SHOWN: usize = 120;

/// All that the reasons for moves say, line by line. English is in plain ASCII. O(length).
#[must_use]
pub fn lines(reasons: &Reasons, language: Language) -> Vec<String> {
    let position = &reasons.position;
    let mut words = Words::new(language);
    words.line(0, &headline(reasons));
    words.facts(1, &position.facts, position);
    if reasons.best.is_none()
        && let Some(winner) = position.outcome.winner(position.to_move)
    {
        let none = match winner == position.to_move {
            true => "no-winning-move-found",
            false => "no-move-wins",
        };
        words.line(0, &Message::new(none));
    }
    for reason in &reasons.moves {
        words.lines.push(String::new());
        let is_best = reasons.best.as_ref() == Some(&reason.mv);
        words.of_move(reason, position, is_best);
    }
    words.lines
}

/// What the facts of a position say, one sentence each and the one that decides last; a rule comes before the first sentence that needs it.
#[must_use]
pub fn sentences(of: &Assessment, language: Language) -> Vec<String> {
    let mut words = Words::new(language);
    words.facts(0, &of.facts, of);
    words.lines
}

/// What the facts of a move say.
#[must_use]
pub fn changes(facts: &[Fact], language: Language) -> Vec<String> {
    let mut words = Words::new(language);
    words.changes(0, facts);
    words.lines
}

/// The working behind the values of a component, as far as its own explanation leaves it out: that of graphs, vertex by vertex, and of heads.
#[must_use]
pub fn working(facts: &[GameFact], language: Language) -> Vec<String> {
    let mut words = Words::new(language);
    let about = sentence::About {
        catalogue: words.catalogue,
        outcome: "open",
        misere: false,
    };
    for fact in facts {
        let Some(said) = games::sentence(about, fact) else {
            continue;
        };
        match fact {
            // The rule stands at the head of the explanation.
            GameFact::Vertex { .. } | GameFact::Fused { .. } | GameFact::Element { .. } => {
                words.text(1, &said.text);
            }
            GameFact::HeadValues { .. } => words.sentence(1, said),
            _ => {}
        }
    }
    words.lines
}

/// Who wins a position.
fn headline(reasons: &Reasons) -> Message {
    let of = &reasons.position;
    let mut moves = reasons.moves.iter();
    let has_winning_move = moves.any(|reason| reason.result == MoveResult::Wins);
    let outcome = match of.outcome {
        OutcomeClass::N => "next",
        OutcomeClass::P => "previous",
        OutcomeClass::L => "left",
        OutcomeClass::R => "right",
        OutcomeClass::D => "draw",
        OutcomeClass::Unknown if has_winning_move => "found",
        OutcomeClass::Unknown => "unknown",
    };
    Message::new("position-headline")
        .text("position", short(&of.position))
        .text("outcome", outcome)
}

/// Lines written so far, and the rules that they state.
struct Words {
    catalogue: &'static Catalogue,
    lines: Vec<String>,
    rules: Vec<String>,
}

impl Words {
    fn new(language: Language) -> Self {
        Self {
            catalogue: Catalogue::of(language),
            lines: Vec::new(),
            rules: Vec::new(),
        }
    }

    fn line(&mut self, depth: usize, message: &Message) {
        let text = message.said(self.catalogue);
        self.text(depth, &text);
    }

    fn text(&mut self, depth: usize, text: &str) {
        let indent = "  ".repeat(depth);
        self.lines.push(format!("{indent}{text}"));
    }

    /// The rule first if it was not stated before.
    fn sentence(&mut self, depth: usize, sentence: Sentence) {
        if let Some(rule) = sentence.rule
            && !self.rules.contains(&rule)
        {
            self.text(depth, &rule);
            self.rules.push(rule);
        }
        if !sentence.text.is_empty() {
            self.text(depth, &sentence.text);
        }
    }

    /// What facts say of a position.
    fn facts(&mut self, depth: usize, facts: &[Fact], of: &Assessment) {
        for fact in facts {
            for sentence in fact::sentences(self.catalogue, fact, of) {
                self.sentence(depth, sentence);
            }
        }
    }

    fn changes(&mut self, depth: usize, changes: &[Fact]) {
        for change in changes {
            if let Some(sentence) = fact::change(self.catalogue, change) {
                self.sentence(depth, sentence);
            }
        }
    }

    fn of_move(&mut self, reason: &MoveReason, before: &Assessment, is_best: bool) {
        let mover = before.to_move;
        let result = Message::new("move-result")
            .whether("best", is_best)
            .text("move", &reason.mv)
            .text("result", result(reason.result, before));
        self.line(0, &result);
        self.changes(1, &reason.changes);
        self.line(1, &left(&reason.leaves, mover));
        self.facts(2, &reason.leaves.facts, &reason.leaves);
        if let Some(reply) = &reason.reply {
            let which = Message::new("move-reply")
                .whether("refutes", reason.result == MoveResult::Loses)
                .text("move", &reply.mv);
            self.line(1, &which);
            self.changes(2, &reply.changes);
            self.line(2, &left(&reply.leaves, mover));
            self.facts(3, &reply.leaves.facts, &reply.leaves);
        }
    }
}

/// What a move does, and what it gives away.
fn result(result: MoveResult, before: &Assessment) -> &'static str {
    let mover = before.to_move;
    let gives_away = before.outcome.winner(mover) == Some(mover);
    match result {
        MoveResult::Wins => "wins",
        MoveResult::Draws if gives_away => "draws-from-win",
        MoveResult::Draws => "draws",
        MoveResult::Loses if gives_away => "loses-from-win",
        MoveResult::Loses if before.outcome == OutcomeClass::D => "loses-from-draw",
        MoveResult::Loses if before.outcome == OutcomeClass::Unknown => "loses-alone",
        MoveResult::Loses => "loses",
        MoveResult::Unknown => "unknown",
    }
}

/// A position that is left, and what it means for the player whose move is explained.
fn left(leaves: &Assessment, mover: Seat) -> Message {
    let is_mine = leaves.to_move == mover;
    let winner = leaves.outcome.winner(leaves.to_move);
    let what = match winner.map(|winner| winner == leaves.to_move) {
        Some(true) if is_mine => "yours-won",
        Some(false) if is_mine => "yours-lost",
        Some(true) => "theirs-won",
        Some(false) => "theirs-lost",
        None if leaves.outcome == OutcomeClass::D => "draw",
        None => "unknown",
    };
    Message::new("move-leaves")
        .text("what", what)
        .text("position", short(&leaves.position))
}

/// A position, shortened if it is long.
fn short(position: &str) -> String {
    match position.len() > SHOWN {
        true => format!("{}...", &position[..position.floor_char_boundary(SHOWN)]),
        false => position.to_owned(),
    }
}
