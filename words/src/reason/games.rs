//! What the facts of the games say of a position.

use grundy_shared::fact::{GameFact, Sized};

use super::sentence::{About, Sentence};
use super::{boards, changes, heaps, list};
use crate::message::Message;

/// What a fact says of a position.
pub(super) fn sentence(about: About<'_>, fact: &GameFact) -> Option<Sentence> {
    let catalogue = about.catalogue;
    Some(match fact {
        GameFact::HeapValue { name, heap, reason } => heaps::value(catalogue, name, *heap, reason),
        GameFact::Distance {
            target,
            left,
            modulus,
            value,
        } => heaps::distance(about, (*left, *target), (*modulus, *value)),
        GameFact::GoldenPair { heaps, lost, .. } => heaps::golden(about, *heaps, *lost),
        GameFact::GoldenPartner { heap, partner } => {
            let text = Message::new("golden-partner")
                .text("heap", heap)
                .text("partner", partner);
            Sentence::plain(catalogue, &text)
        }
        GameFact::OddSteps {
            gaps,
            steps,
            xor,
            large,
        } => heaps::odd_steps(about, *gaps, steps, (*xor, *large)),
        GameFact::Zeckendorf {
            counted,
            parts,
            quota,
        } => heaps::fibonacci(about, *counted, parts, *quota),
        GameFact::Ratio {
            small,
            large,
            above,
        } => heaps::ratio(about, *small, *large, *above),
        GameFact::Columns { modulus, columns } => heaps::columns(about, *modulus, columns),
        GameFact::OnlyOnes { modulus, heaps } => {
            let rule = Message::new("only-ones-rule").text("modulus", modulus);
            let text = about.message("only-ones").number("heaps", *heaps);
            Sentence::with_rule(catalogue, &rule, &text)
        }
        GameFact::TakeOrMerge { ones, moves } => {
            let text = about.message("merge");
            let text = text.number("ones", *ones).number("moves", *moves);
            Sentence::by(catalogue, "merge-rule", &text)
        }
        GameFact::HeapChange { .. }
        | GameFact::StepChange { .. }
        | GameFact::TurnedCoins { .. }
        | GameFact::SymmetryBroken { .. }
        | GameFact::Cut { .. }
        | GameFact::Divided { .. }
        | GameFact::GapChange { .. }
        | GameFact::PieceChange { .. } => return changes::change(catalogue, fact),
        _ => return on_board(about, fact),
    })
}

/// The same for games on boards, rows and graphs.
fn on_board(about: About<'_>, fact: &GameFact) -> Option<Sentence> {
    Some(match fact {
        GameFact::Heads { coins, xor } => boards::heads(about, coins, *xor),
        GameFact::PointSymmetry { made_by } => boards::symmetry(about, made_by.as_deref()),
        GameFact::Vertex {
            vertex,
            branches,
            xor,
        } => boards::vertex(about.catalogue, *vertex, branches, *xor),
        GameFact::Matching {
            pairs,
            pairs_total,
            token,
            goal,
        } => boards::matching(about, (pairs, *pairs_total), *token, *goal),
        GameFact::PathPiece { vertex, game, heap } => {
            boards::path(about.catalogue, *vertex, game, *heap)
        }
        GameFact::Node {
            node,
            value,
            options,
        } => {
            let text = Message::new("node")
                .text("node", node)
                .text("list", list::terms_of(about.catalogue, "node", options))
                .text("value", value);
            Sentence::by(about.catalogue, "node-rule", &text)
        }
        GameFact::FreeBranch { stem, levels } => free_branch(about, stem, *levels),
        GameFact::Completes { cell } => Sentence::plain(
            about.catalogue,
            &about.message("completes").text("cell", cell),
        ),
        GameFact::SafeRuns { runs, xor } => boards::safe_runs(about, runs, *xor),
        GameFact::Arms { right, down } => {
            let text = about.message("arms");
            let text = text.text("right", right).text("down", down);
            Sentence::by(about.catalogue, "arms-rule", &text)
        }
        GameFact::TwoRows { first, second } => {
            let text = about.message("two-rows");
            let text = text.text("first", first).text("second", second);
            Sentence::by(about.catalogue, "two-rows-rule", &text)
        }
        GameFact::Rectangle { rows, columns } => {
            let text = about.message("rectangle");
            let text = text.text("rows", rows).text("columns", columns);
            Sentence::by(about.catalogue, "rectangle-rule", &text)
        }
        GameFact::Mates { pairs, single, xor } => boards::mates(about, pairs, *single, *xor),
        _ => return on_graph(about, fact),
    })
}

/// The same for games on graphs, and for the rules of single pieces.
fn on_graph(about: About<'_>, fact: &GameFact) -> Option<Sentence> {
    Some(match fact {
        GameFact::HeadValues { law } => boards::head_values(about.catalogue, law),
        GameFact::Placing {
            pairs,
            pairs_total,
            goal,
            by_opponent,
        } => boards::placing(about, (pairs, *pairs_total), *goal, *by_opponent),
        GameFact::Fused {
            vertices,
            vertices_total,
            edges,
            branches,
            xor,
        } => {
            let vertices = list::numbers(about.catalogue, vertices, *vertices_total);
            let text = Message::new("fused")
                .text("vertices", vertices)
                .number("edges", *edges)
                .text("worth", edges % 2)
                .number("branches", branches.total)
                .text(
                    "list",
                    list::terms_of(about.catalogue, "branch-to", branches),
                )
                .text("xor", xor);
            Sentence::by(about.catalogue, "fused-rule", &text)
        }
        GameFact::Arcs { node, value, arcs } => {
            let text = Message::new("arcs")
                .text("node", node)
                .text("list", list::terms_of(about.catalogue, "arc-to", arcs))
                .text("value", value);
            Sentence::by(about.catalogue, "arcs-rule", &text)
        }
        GameFact::Element {
            element,
            above,
            value,
        } => {
            let text = Message::new("element")
                .text("element", element)
                .text("list", list::terms_of(about.catalogue, "element", above))
                .text("value", value);
            Sentence::by(about.catalogue, "element-rule", &text)
        }
        GameFact::Extreme {
            element,
            greatest: false,
        } => Sentence::plain(
            about.catalogue,
            &about.message("least-element").text("element", element),
        ),
        GameFact::Extreme { element, .. } => {
            let text = about.message("greatest-element").text("element", element);
            Sentence::by(about.catalogue, "greatest-element-rule", &text)
        }
        GameFact::OpenChain {
            coins,
            coins_total,
            both_ends,
        } => {
            let coins = list::numbers(about.catalogue, coins, *coins_total);
            let text = about.message("open-chain").text("coins", coins);
            let text = text.whether("both", *both_ends);
            Sentence::by(about.catalogue, "chains-rule", &text)
        }
        GameFact::EveryTurnOpens { turns } => {
            let text = about.message("every-turn-opens").number("turns", *turns);
            Sentence::by(about.catalogue, "chains-rule", &text)
        }
        GameFact::Gaps { rows, xor } => boards::gaps(about, rows, *xor),
        GameFact::Square { side } => {
            let text = about.message("square").text("side", side);
            Sentence::by(about.catalogue, "square-rule", &text)
        }
        _ => return None,
    })
}

/// Prefix-free strings: a branch that no string uses.
fn free_branch(about: About<'_>, stem: &str, levels: Sized) -> Sentence {
    let text = Message::new("free-branch")
        .text("stem", stem)
        .number("levels", levels.size)
        .text("value", levels.value);
    Sentence::by(about.catalogue, "free-branch-rule", &text)
}
