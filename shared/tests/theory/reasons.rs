//! The reasons for moves: every claim about a position against plain recursion.

use std::collections::HashMap;

use crate::component_facts::{
    MOST, alone, check_foreclosed, check_standing, check_terms, check_xor, components,
    judged_alone, others_of, parse, value_of,
};
use crate::denials::{check_no_rule_is_denied, is_rule};
use crate::drawing::{Chance, number, random_component};
use crate::game_facts;
use crate::partizan_facts::{check_hottest, check_stake, simplest_number, units};
use crate::truth::{Judge, Verdict};
use grundy_shared::fact::{Fact, GameFact, HeapReason, PartKind, Stake};
use grundy_shared::game::Kind;
use grundy_shared::games::REGISTRY;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Assessment, Budget, MoveResult, OutcomeClass, Reasons, reasons};
use grundy_shared::theory::compound::Compound;
use grundy_shared::{Move, Position};

/// Random decisions, where `GRUNDY_DECISIONS` does not say how many.
const DECISIONS: u64 = 1_500;
/// The work that one explanation may take, in nodes.
const NODES: u64 = 1 << 27;
/// A position with more moves than this is passed over.
const MOVES: u128 = 60;
/// Positions whose facts are rare among random ones; all of their moves are compared.
const RARE: [&str; 26] = [
    "geo.0-1.1-2.2-3.1-4:_0/2",
    "geo.0-1.1-2.2-3.1-4:__0/2",
    "geo.0-1.1-2.0-2.2-3:__",
    "chomp:3,3,3",
    "chomp:3,3,3@misere",
    "nimstring:0-1-2-3-0,0-4-0",
    "nimstring:0-1-2,0-3-0",
    "nimstring:1-2-3-4-1,0-5-0",
    "poset:0-3,1-3,2-3",
    "poset:0-1,0-2-3,0-2-4,5-6-7",
    "northcott:x..o/.o.x",
    "fork.3-1/2.3-0.2-0/1.1-0:3,2",
    "hack:0-1-2-0,1-3",
    "hack:0-1,1-2-3-4-1,3-5",
    "hack:0b1+hack:0-1@conjunctive",
    "stairs:0,2,1+hack:0-1,1b2,2-3@conjunctive",
    "cram:../..",
    "cram:....x/x....",
    "cram:...",
    "geo.0-1.1-2.1-3.3-4:0",
    "geo.0-1.1-2.2-3.3-4:_",
    "chomp:4,3",
    "chomp:4,3,3",
    // Their vertices have other numbers in play than in the search.
    "poset:0-3,0-5,1-3,2-5,3-4@misere",
    "arckayles:0-3,0-4,1-2,1-4,2-3,2-5,2-6,3-5,3-6@misere",
    "hack:0-1-2,1-3,0-4",
];
/// Moves that a line of play names at most.
const LINE: u64 = 24;

/// The text of a component by its number, or of the only one.
fn component_text(position: &Position, number: Option<u64>) -> String {
    let index = number.map_or(0, |number| number as usize - 1);
    let (_, text) = position.components().nth(index).expect("a component");
    text
}

/// Whether the components are judged by normal play in either end rule.
fn is_judged_by_normal_play(position: &Position) -> bool {
    let components = 0..position.component_count();
    let alive = components.filter(|index| !alone(position, *index, false).is_over(Seat::First));
    position.compound() == Compound::Selective && alive.count() > 1
}

/// The name of a kind of fact, for counting.
fn kind_of(fact: &GameFact) -> &'static str {
    match fact {
        GameFact::HeapValue { reason, .. } => match reason {
            HeapReason::Remainder { .. } => "remainders",
            HeapReason::Exchanged {} => "exchanged",
            HeapReason::Odious {} => "odious",
            HeapReason::Period { .. } => "periods",
            HeapReason::Mex { .. } => "mex",
        },
        GameFact::HeapChange { classes: false, .. } => "heap changes",
        GameFact::HeapChange { classes: true, .. } => "class changes",
        GameFact::Distance { .. } => "distances",
        GameFact::GoldenPair { .. } => "golden pairs",
        GameFact::GoldenPartner { .. } => "golden partners",
        GameFact::OddSteps { .. } => "odd steps",
        GameFact::StepChange { .. } => "step changes",
        GameFact::Zeckendorf { .. } => "Zeckendorf sums",
        GameFact::Ratio { .. } => "ratios",
        GameFact::Columns { .. } => "columns",
        GameFact::OnlyOnes { .. } => "only ones",
        GameFact::TakeOrMerge { .. } => "take or merge",
        GameFact::Heads { .. } => "heads",
        GameFact::TurnedCoins { .. } => "turned coins",
        GameFact::HeadValues { .. } => "values of heads",
        GameFact::Fused { .. } => "fused cycles",
        GameFact::Placing { .. } => "limited placements",
        GameFact::Arcs { .. } => "arcs",
        GameFact::Divided { .. } => "divisions",
        GameFact::Element { .. } => "elements",
        GameFact::Extreme { .. } => "extreme elements",
        GameFact::OpenChain { .. } => "open chains",
        GameFact::EveryTurnOpens { .. } => "turns that open chains",
        GameFact::Gaps { .. } => "gaps",
        GameFact::GapChange { .. } => "gap changes",
        GameFact::Square { .. } => "squares",
        GameFact::PointSymmetry { made_by: None } => "symmetric boards",
        GameFact::PointSymmetry { made_by: Some(_) } => "boards made symmetric",
        GameFact::SymmetryBroken { .. } => "broken symmetries",
        GameFact::Vertex { .. } => "vertices",
        GameFact::Cut { .. } => "cuts",
        GameFact::Matching { token: None, .. } => "matchings of all",
        GameFact::Matching { goal: None, .. } => "matchings without the token",
        GameFact::Matching { .. } => "matchings with the token",
        GameFact::PathPiece { .. } => "path pieces",
        GameFact::PieceChange { .. } => "piece changes",
        GameFact::Node { .. } => "nodes",
        GameFact::FreeBranch { .. } => "free branches",
        GameFact::Completes { .. } => "completed rows",
        GameFact::SafeRuns { .. } => "safe runs",
        GameFact::Arms { .. } => "arms",
        GameFact::TwoRows { .. } => "two rows",
        GameFact::Rectangle { .. } => "rectangles",
        GameFact::Mates { .. } => "mates",
    }
}

/// Claims that were compared, by their kind.
#[derive(Default)]
struct Checker {
    judge: Judge,
    compared: HashMap<&'static str, u64>,
}

impl Checker {
    fn count(&mut self, kind: &'static str) {
        *self.compared.entry(kind).or_default() += 1;
    }

    fn verdict(&mut self, position: &Position, seat: Seat) -> Verdict {
        let found = self.judge.verdict(position, seat, 20 * MOST);
        found.unwrap_or_else(|| panic!("{position} belongs to a small position"))
    }

    /// Checks everything said of one decision; `false` if the position is too large for plain recursion.
    fn agrees(&mut self, position: &Position, seat: Seat, mv: &Move) -> bool {
        let Some(root) = self.judge.verdict(position, seat, MOST) else {
            return false;
        };
        let found = reasons(
            position,
            seat,
            std::slice::from_ref(mv),
            &Budget::nodes(NODES),
        );
        self.check_assessment(&found.position, position, seat);
        assert_eq!(found.best.is_some(), root.wins != Some(false), "{position}");
        assert_eq!(found.moves[0].mv, mv.to_string());
        assert!(found.lines.iter().all(|line| line.is_ascii()), "{found:?}");
        if let Some(best) = &found.best {
            assert!(found.moves.iter().any(|reason| reason.mv == *best));
        }
        for reason in &found.moves {
            let mv = position.parse_move(seat, &reason.mv).expect("legal");
            let after = position.play(&mv);
            let truth = self.verdict(&after, seat.other()).wins;
            let result = match truth {
                Some(false) => MoveResult::Wins,
                Some(true) => MoveResult::Loses,
                None => MoveResult::Draws,
            };
            assert_eq!(reason.result, result, "{position} {mv}");
            if found.best.as_ref() == Some(&reason.mv) {
                assert_eq!(truth.map(|wins| !wins), root.wins, "{position} {mv}");
            }
            self.check_assessment(&reason.leaves, &after, seat.other());
            for change in &reason.changes {
                self.check_change(change, position, seat, &mv);
            }
            let Some(reply) = &reason.reply else {
                assert!(
                    truth == Some(false) || after.is_over(seat.other()),
                    "{position} {mv} has a reply"
                );
                continue;
            };
            let replying = after.parse_move(seat.other(), &reply.mv).expect("legal");
            let left = after.play(&replying);
            let now = self.verdict(&left, seat).wins;
            assert_eq!(now.map(|wins| !wins), truth, "{position} {mv} {replying}");
            self.check_assessment(&reply.leaves, &left, seat);
            for change in &reply.changes {
                self.check_change(change, &after, seat.other(), &replying);
            }
            self.count("replies");
        }
        true
    }

    fn check_assessment(&mut self, said: &Assessment, position: &Position, seat: Seat) {
        assert_eq!(said.position, position.to_string());
        assert_eq!(said.to_move, seat);
        let truth = self.verdict(position, seat);
        assert_ne!(said.outcome, OutcomeClass::Unknown, "{position}");
        let wins = said.outcome.winner(seat).map(|winner| winner == seat);
        assert_eq!(wins, truth.wins, "{position} {seat}");
        if let Some(value) = said.nim_value {
            assert_eq!(Some(value), truth.value, "{position}");
            self.count("nim-values");
        }
        assert!(!said.facts.is_empty(), "{position} has a reason");
        check_no_rule_is_denied(said);
        for fact in &said.facts {
            self.check_fact(fact, position, seat);
        }
    }

    fn stake(&mut self, stake: &Stake, position: &Position) {
        if let Some(kind) = check_stake(stake, position, &mut self.judge) {
            self.count(kind);
        }
    }

    fn check_fact(&mut self, fact: &Fact, position: &Position, seat: Seat) {
        let truth = self.verdict(position, seat);
        let lost = truth.wins == Some(false);
        let misere = position.end_rule().is_misere();
        match fact {
            Fact::Over {
                component,
                one_sided,
            } => {
                assert!(position.is_over(seat), "{position}");
                let over = |other: &usize| alone(position, *other, misere).is_over(seat);
                let first = (0..position.component_count()).find(over);
                let short = position.compound().is_short();
                let first = first.filter(|_| short).map(|index| index as u64 + 1);
                assert_eq!(*component, first, "{position}");
                let other_moves = |number: u64| {
                    !alone(position, number as usize - 1, misere).is_over(seat.other())
                };
                assert_eq!(*one_sided, first.is_some_and(other_moves), "{position}");
                self.count("over");
            }
            Fact::NimSum { terms, xor } => {
                assert_eq!(Some(*xor), truth.value, "{position}");
                check_xor(terms, *xor, position);
                for (component, value) in components(terms, position) {
                    let alone = self.verdict(&alone(position, component, false), seat);
                    assert_eq!(Some(value), alone.value, "{position}");
                }
                self.count("nim-sums");
            }
            Fact::TameSum { terms, xor, large } => {
                assert_eq!(lost, *xor == u64::from(*large == 0), "{position}");
                check_xor(terms, *xor, position);
                self.count("tame sums");
            }
            Fact::MisereQuotient {
                lost: said,
                product,
                order,
                lost_order,
                lost_classes,
                ..
            } => {
                assert_eq!(*said, lost, "{position}");
                assert!(lost_order < order);
                assert!(lost_classes.len() as u64 == (*lost_order).min(16));
                let named = lost_classes.contains(product);
                assert!(named == lost || *lost_order > 16, "{position}");
                self.count("quotients");
            }
            Fact::GreatestSuspense {
                terms,
                greatest,
                decides,
                others,
            } => {
                assert_eq!(lost, greatest.is_multiple_of(2) != misere, "{position}");
                check_terms(&mut self.judge, terms, position, seat, "suspense");
                assert_eq!(value_of(terms, *decides), Some(*greatest), "{position}");
                assert_eq!(
                    others_of(terms, *decides).max(),
                    Some(*others),
                    "{position}"
                );
                assert!(others <= greatest, "{position}");
                self.count("suspense");
            }
            Fact::LeastRemoteness {
                terms,
                least,
                decides,
                others,
            } => {
                assert_eq!(truth.plies, Some(*least), "{position}");
                check_terms(&mut self.judge, terms, position, seat, "remoteness");
                assert_eq!(value_of(terms, *decides), Some(*least), "{position}");
                // Where play can cycle in all others, they have no number.
                let least_other = others_of(terms, *decides).min().unwrap_or(*least);
                assert_eq!(least_other, *others, "{position}");
                assert!(others >= least, "{position}");
                self.count("remoteness");
            }
            Fact::WonComponents {
                misere,
                last_in_misere,
                short,
                won,
                won_total,
                alive,
            } => {
                let whole = position.end_rule().is_misere();
                let selective = position.compound() == Compound::Selective;
                assert_eq!((*misere, *short), (whole && !selective, !selective));
                assert_eq!(*last_in_misere, whole && selective, "{position}");
                let mut winning = Vec::new();
                let mut living = 0;
                for component in 0..position.component_count() {
                    let number = component as u64 + 1;
                    if alone(position, component, *misere).is_over(seat) {
                        continue;
                    }
                    living += 1;
                    match judged_alone(&mut self.judge, position, component, seat, *misere) {
                        Some((_, alone)) if alone.wins == Some(false) => {}
                        None if !won.contains(&number) => {}
                        _ => winning.push(number),
                    }
                }
                assert_eq!((won, *alive), (&winning, living), "{position}");
                assert_eq!(*won_total, winning.len() as u64);
                assert_eq!(lost, winning.is_empty(), "{position}");
                self.count("won components");
            }
            Fact::OneLeft { component } => {
                let over = |other: &usize| alone(position, *other, false).is_over(seat);
                let left: Vec<usize> = (0..position.component_count())
                    .filter(|other| !over(other))
                    .collect();
                assert_eq!(left, [*component as usize - 1], "{position}");
                self.count("one left");
            }
            Fact::Foreclosed { terms, ending, xor } => {
                check_foreclosed(&mut self.judge, terms, ending, *xor, position);
                assert_eq!(lost, *xor == Some(0), "{position}");
                self.count("foreclosed");
            }
            Fact::PartizanSum {
                of,
                terms,
                total,
                stake,
                hottest,
                ..
            } => {
                let mut known = HashMap::new();
                let components = *of == PartKind::Component;
                assert_eq!(components, position.component_count() > 1);
                self.stake(stake, position);
                check_hottest(terms, hottest.as_deref(), position);
                for (component, worth) in terms.iter().enumerate().filter(|_| components) {
                    let alone = alone(position, component, false);
                    self.stake(&worth.stake, &alone);
                    if let Some(number) = simplest_number(&alone, &mut known) {
                        assert_eq!(units(&worth.value), Some(number), "{position}");
                        self.count("numbers");
                    }
                }
                if let Some(number) = units(total) {
                    let first = self.verdict(position, Seat::First).wins == Some(true);
                    let second = self.verdict(position, Seat::Second).wins == Some(true);
                    assert_eq!((first, second), (number > 0, number < 0), "{position}");
                }
                self.count("partizan sums");
            }
            Fact::LoopySum {
                terms,
                xor,
                endless,
                can_exit,
            } => {
                let wins = match (endless, can_exit) {
                    (0, _) => Some(*xor != 0),
                    (1, true) => Some(true),
                    _ => None,
                };
                assert_eq!(wins, truth.wins, "{position}");
                check_xor(terms, *xor, position);
                self.count("loopy sums");
            }
            Fact::Searched { plies, line } => self.check_line(*plies, line, position, seat),
            Fact::ShortestWin { plies, line } => {
                self.check_line(*plies, line, position, seat);
                self.count("rules without a move");
            }
            Fact::ByMethod { method } => assert!(is_rule(method), "{position}: {method}"),
            Fact::KnownAfterMove { mv } => {
                assert_eq!(truth.wins, Some(true), "{position}");
                if let Some(mv) = mv {
                    let mv = position.parse_move(seat, mv).expect("a move");
                    let after = self.verdict(&position.play(&mv), seat.other());
                    assert_eq!(after.wins, Some(false), "{position}");
                }
            }
            Fact::Game { component, of } => {
                let text = component_text(position, *component);
                let component = game_facts::Component::new(&text, misere);
                game_facts::check(of, &component, lost, &mut self.judge);
                self.count(kind_of(of));
            }
            Fact::NimChange { .. }
            | Fact::WorthChange { .. }
            | Fact::ClassChange { .. }
            | Fact::StandingChange { .. } => {
                panic!("{fact:?} is said of a move")
            }
        }
    }

    fn check_line(&mut self, plies: Option<u64>, line: &[String], position: &Position, seat: Seat) {
        let truth = self.verdict(position, seat);
        assert_eq!(plies, truth.plies, "{position}");
        let all = plies.unwrap_or(0);
        assert_eq!(line.len() as u64, all.min(LINE), "{position} {line:?}");
        let (mut position, mut seat) = (position.clone(), seat);
        for (played, mv) in (1..).zip(line) {
            let mv = position.parse_move(seat, mv).expect("legal");
            (position, seat) = (position.play(&mv), seat.other());
            let left = self.verdict(&position, seat).plies;
            assert_eq!(left, Some(all - played), "{position}");
        }
        self.count("lines");
    }

    fn check_change(&mut self, change: &Fact, position: &Position, seat: Seat, mv: &Move) {
        let (component, before, after) = match change {
            Fact::NimChange {
                component,
                before,
                after,
            } => (component, before, after),
            Fact::WorthChange {
                component,
                before,
                after,
            } => {
                let index = component.map_or(0, |number| number as usize - 1);
                let mut known = HashMap::new();
                for (position, said) in [(position, before), (&position.play(mv), after)] {
                    let alone = alone(position, index, false);
                    if let Some(number) = simplest_number(&alone, &mut known) {
                        assert_eq!(units(said), Some(number), "{position} {mv}");
                    }
                }
                self.count("worth changes");
                return;
            }
            Fact::ClassChange { lost, .. } => {
                let left = self.verdict(&position.play(mv), Seat::First);
                assert_eq!(left.wins, Some(!lost), "{position} {mv}");
                self.count("classes of sums");
                return;
            }
            Fact::StandingChange {
                component,
                before,
                after,
            } => {
                let index = *component as usize - 1;
                let next = seat.other();
                check_standing(&mut self.judge, *before, position, index, seat);
                check_standing(&mut self.judge, *after, &position.play(mv), index, next);
                self.count(match position.kind() {
                    Kind::Impartial => "standings",
                    _ => "standings of a player",
                });
                return;
            }
            Fact::Game { component, of } => {
                // Selective compounds judge components by normal play as long as two have a move.
                let misere = position.end_rule().is_misere() && !is_judged_by_normal_play(position);
                let before = component_text(position, *component);
                let after = component_text(&position.play(mv), *component);
                let before = game_facts::Component::new(&before, misere);
                let after = game_facts::Component::new(&after, misere);
                game_facts::check_change(of, &before, &after, &mut self.judge);
                self.count(kind_of(of));
                return;
            }
            _ => panic!("{change:?} is said of a position"),
        };
        let component = component.map_or(0, |number| number as usize - 1);
        for (position, said) in [(position, before), (&position.play(mv), after)] {
            let truth = self.verdict(&alone(position, component, false), Seat::First);
            assert_eq!(truth.value, Some(*said), "{position} {mv}");
        }
        self.count("changes");
    }
}

/// A random position: one component of any game, or several as a sum or another compound, in either end rule.
fn random_position(chance: &mut Chance) -> Option<Position> {
    let count = [1, 1, 1, 2, 2, 3][chance.below(6) as usize];
    let largest = if count == 1 { 7 } else { 3 };
    let mut parts = Vec::new();
    for _ in 0..count {
        let info = REGISTRY[chance.below(REGISTRY.len() as u64) as usize];
        parts.push(random_component(info, chance, largest)?);
    }
    if chance.below(8) == 0 {
        // Coloured edges are drawn by nobody else.
        parts.push(coloured(chance));
    }
    let compound = match parts.len() {
        1 => Compound::Sum,
        _ => [Compound::Sum]
            .into_iter()
            .chain(Compound::NAMED)
            .nth(chance.below(1 + Compound::NAMED.len() as u64) as usize)?,
    };
    let word = match compound {
        Compound::Sum => String::new(),
        compound => format!("@{}", compound.word()),
    };
    let misere = ["", "@misere"][chance.below(2) as usize];
    // Partizan and loopy components stand in sums only.
    Position::parse(&format!("{}{word}{misere}", parts.join("+"))).ok()
}

/// A small tree with edges of all colours.
fn coloured(chance: &mut Chance) -> String {
    let edges = (1..=1 + chance.below(4)).map(|to| {
        let from = chance.below(to);
        let colour = ["-", "b", "r", "b", "r"][chance.below(5) as usize];
        format!("{from}{colour}{to}")
    });
    format!("hack:{}", edges.collect::<Vec<_>>().join(","))
}

#[test]
fn every_claim_about_random_decisions_agrees_with_plain_recursion() {
    let decisions = number("GRUNDY_DECISIONS").unwrap_or(DECISIONS);
    let mut chance = Chance(
        number("GRUNDY_SEED")
            .unwrap_or(0x2545_f491_4f6c_dd1d)
            .max(1),
    );
    let mut checker = Checker::default();
    let mut checked = 0;
    while checked < decisions {
        let Some(position) = random_position(&mut chance) else {
            continue;
        };
        let seat = match position.kind() {
            Kind::Impartial => Seat::First,
            _ => Seat::BOTH[chance.below(2) as usize],
        };
        let moves = position.move_count(seat);
        if moves == 0 || moves > MOVES {
            continue;
        }
        let n = chance.below(moves as u64);
        let mv = position.nth_move(seat, u128::from(n)).expect("in the list");
        checked += u64::from(checker.agrees(&position, seat, &mv));
    }
    for text in RARE {
        let position = parse(text);
        for mv in position.moves(Seat::First) {
            checker.agrees(&position, Seat::First, &mv);
        }
    }
    println!("{:?}", checker.compared);
    for kind in [
        "nim-sums",
        "tame sums",
        "suspense",
        "remoteness",
        "won components",
        "foreclosed",
        "standings",
        "standings of a player",
        "classes of sums",
        "stakes of numbers",
        "infinitesimals",
        "stops",
        "one left",
        "partizan sums",
        "numbers",
        "loopy sums",
        "quotients",
        "lines",
        "changes",
        "replies",
        "over",
        "remainders",
        "exchanged",
        "odious",
        "periods",
        "mex",
        "heap changes",
        "class changes",
        "distances",
        "golden pairs",
        "golden partners",
        "odd steps",
        "step changes",
        "Zeckendorf sums",
        "ratios",
        "columns",
        "only ones",
        "take or merge",
        "heads",
        "turned coins",
        "symmetric boards",
        "boards made symmetric",
        "broken symmetries",
        "vertices",
        "cuts",
        "matchings of all",
        "matchings without the token",
        "matchings with the token",
        "path pieces",
        "piece changes",
        "nodes",
        "free branches",
        "completed rows",
        "safe runs",
        "arms",
        "two rows",
        "rectangles",
        "mates",
        "values of heads",
        "fused cycles",
        "limited placements",
        "arcs",
        "divisions",
        "elements",
        "extreme elements",
        "open chains",
        "turns that open chains",
        "gaps",
        "gap changes",
        "squares",
        "rules without a move",
        "worth changes",
    ] {
        assert!(
            checker.compared.contains_key(kind),
            "no {kind} were compared"
        );
    }
}

fn explained(text: &str, seat: Seat, mv: &str) -> Reasons {
    let position = parse(text);
    let mv = position.parse_move(seat, mv).expect("a legal move");
    reasons(&position, seat, &[mv], &Budget::nodes(NODES))
}

#[test]
fn a_losing_move_is_refuted_and_the_best_one_explained() {
    let found = explained("nim:3,5,7", Seat::First, "A-2");
    assert_eq!(found.best.as_deref(), Some("A-1"));
    let [asked, best] = &found.moves[..] else {
        panic!("the move and the best one: {found:?}");
    };
    assert_eq!(asked.result, MoveResult::Loses);
    assert_eq!(asked.reply.as_ref().map(|reply| &*reply.mv), Some("C-3"));
    assert_eq!((&*best.mv, best.result), ("A-1", MoveResult::Wins));
    assert_eq!(best.reply, None);
    let text = found.lines.join("\n");
    assert!(text.contains("A-2 loses: it gives the win away."), "{text}");
    assert!(text.contains("The winning reply is C-3."), "{text}");
    assert!(
        text.contains("A 1, B 5, C 4; their xor is 0, so the player to move loses."),
        "{text}"
    );
}

#[test]
fn a_draw_that_is_given_away_names_the_move_that_keeps_it() {
    // The token can go round, or to the node from which the opponent makes the last move.
    let found = explained("loopy.0-1.1-0.0-2.2-3:0", Seat::First, "0-2");
    assert_eq!(found.position.outcome, OutcomeClass::D);
    assert_eq!(found.best.as_deref(), Some("0-1"));
    assert_eq!(found.moves[0].result, MoveResult::Loses);
    assert_eq!(found.moves[1].result, MoveResult::Draws);
    let text = found.lines.join("\n");
    assert!(
        text.contains("0-2 loses: it gives the draw away."),
        "{text}"
    );
}

#[test]
fn reasons_beyond_the_budget_are_left_out() {
    let position = parse("cram:......./......./.......");
    let mv = position.nth_move(Seat::First, 0).expect("a move");
    let found = reasons(&position, Seat::First, &[mv], &Budget::nodes(40));
    assert_eq!(found.moves[0].result, MoveResult::Unknown);
    assert!(found.moves[0].leaves.facts.is_empty());
    let text = found.lines.join("\n");
    assert!(text.contains("was not decided within the budget"), "{text}");
}
