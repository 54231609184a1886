//! Makes a collection of puzzles: built-in bots that make mistakes play matches of all kinds of games, and the wins that they throw away become
//! puzzles if they meet the criteria. The same seed makes the same collection.
//!
//! ```text
//! cargo run --release -p grundy-shared --example puzzle_edition -- SEED COUNT > puzzles.ndjson
//! ```

use std::collections::HashSet;
use std::process::ExitCode;

use grundy_shared::Position;
use grundy_shared::bot::Bot;
use grundy_shared::games::{BoardKind, GameInfo};
use grundy_shared::ids::Seat;
use grundy_shared::puzzle::{Collection, Puzzle};
use grundy_shared::solver::{Budget, standing};
use grundy_shared::suite::{Chance, Recipe};

/// What is played, each as often as the others: recipes of starts, or a game and the size of its only heap, joined by `+`.
const STARTS: &[&str] = &[
    "nim,heaps=3-4,max=9",
    "nim,heaps=3-5,max=15",
    "nim,heaps=3-5,max=7,misere",
    "sub.1.3.4,heaps=3-4,max=15",
    "bash.3,heaps=3-4,max=15",
    "lasker,heaps=3,max=9",
    "kayles,heaps=2-3,max=9",
    "kayles,heaps=2-3,max=8,misere",
    "dawsonkayles,heaps=2-3,max=14",
    "dawsonchess,heaps=2-3,max=12",
    "octal.0.37,heaps=2-3,max=14",
    "grundy,heaps=2-3,max=16",
    "split,heaps=3,max=7",
    "merge,heaps=3-4,max=5",
    "moore.2,heaps=4,max=7",
    "wythoff,max=16",
    "euclid,heaps=2,max=60",
    "stairs,heaps=4-6,max=6",
    "silver,heaps=4,max=16",
    "welter,heaps=3-4,max=12",
    "chomp,heaps=3-4,max=6",
    "turtles,size=6-9",
    "mockturtles,size=6-9",
    "ruler,size=6-9",
    "treblecross,size=9-13",
    "cram,size=3-4",
    "domineering,size=3-4",
    "clobber,size=3-4",
    "northcott,size=4-6",
    "nodekayles,size=7-9",
    "arckayles,size=6-8",
    "col,size=5-7",
    "snort,size=5-7",
    "coloured",
    "coloured+coloured",
    "nim,heaps=2,max=7+kayles:4-9",
    "wythoff,max=9+nim:3-9",
    "turtles,size=4-6+kayles:3-7",
    "nim,heaps=2,max=6+kayles:3-7@every",
    "nim:3-7+kayles,heaps=2,max=7@selective",
    "nim,heaps=2,max=6+dawsonchess:5-9@shortsum",
];
/// How often the bots keep a win.
const SKILL: f64 = 0.6;
/// Work on one position, in nodes.
const NODES: u64 = 20_000_000;
/// Matches of one kind without a new puzzle before the next kind is played.
const PATIENCE: usize = 200;

fn main() -> ExitCode {
    let numbers = std::env::args().skip(1).map(|text| text.parse().ok());
    let numbers: Option<Vec<u64>> = numbers.collect();
    let Some([seed, count]) = numbers.as_deref() else {
        eprintln!("usage: puzzle_edition SEED COUNT");
        return ExitCode::from(2);
    };
    let mut chance = Chance::new(*seed);
    let (mut known, mut found, mut waiting) = (HashSet::new(), Vec::new(), 0);
    // Kind after kind, so that neighbouring days differ.
    let mut order: Vec<&str> = Vec::new();
    while (found.len() as u64) < *count {
        if order.is_empty() {
            order = STARTS.to_vec();
            chance.shuffle(&mut order);
        }
        waiting += 1;
        let kind = order.last().copied().unwrap_or_default();
        let puzzle = start(kind, &mut chance).and_then(|start| thrown_away(start, &mut chance));
        let puzzle = puzzle.filter(|puzzle| known.insert(puzzle.key.clone()));
        if puzzle.is_none() && waiting < PATIENCE {
            continue;
        }
        if puzzle.is_none() {
            eprintln!("no new puzzle of {kind}");
        }
        found.extend(puzzle);
        order.pop();
        waiting = 0;
    }
    print!("{}", Collection::of(found).written());
    ExitCode::SUCCESS
}

/// A start by these recipes.
fn start(text: &str, chance: &mut Chance) -> Option<Position> {
    let (recipes, compound) = text.split_at(text.find('@').unwrap_or(text.len()));
    let parts: Option<Vec<String>> = recipes
        .split('+')
        .map(|recipe| match recipe {
            "coloured" => Some(coloured(chance)),
            _ => match recipe.split_once(':') {
                Some((game, sizes)) => {
                    let (least, most) = sizes.split_once('-')?;
                    let (least, most): (u64, u64) = (least.parse().ok()?, most.parse().ok()?);
                    Some(format!("{game}:{}", least + chance.below(most - least + 1)))
                }
                None => {
                    let recipe = Recipe::read(recipe).expect("a recipe of the list");
                    let made = recipe.make_with(chance.bits(), 1).ok()?;
                    made.first().map(Position::to_string)
                }
            },
        })
        .collect();
    Position::parse(&format!("{}{compound}", parts?.join("+"))).ok()
}

/// A tree of Hackenbush with edges of all colours.
fn coloured(chance: &mut Chance) -> String {
    let edges = (1..=4 + chance.below(4)).map(|to| {
        let from = chance.below(to);
        format!(
            "{from}{}{to}",
            ["b", "r", "b", "r", "-"][chance.below(5) as usize]
        )
    });
    format!("hack:{}", edges.collect::<Vec<_>>().join(","))
}

/// One of the puzzles among the wins that are thrown away in a match between the bots.
fn thrown_away(mut position: Position, chance: &mut Chance) -> Option<Puzzle> {
    let (bot, budget) = (Bot::skill(SKILL), Budget::nodes(NODES));
    let (mut to_move, mut puzzles) = (Seat::First, Vec::new());
    while !position.is_over(to_move) {
        let wins = |position: &Position, seat| standing(position, seat, &budget)?.winner;
        let mv = bot.choose(&position, to_move, &budget, &mut || chance.bits())?;
        let after = position.play(&mv);
        let gives_away =
            wins(&position, to_move)? == to_move && wins(&after, to_move.other())? != to_move;
        if gives_away && !has_empty_heap(&position) {
            puzzles.extend(Puzzle::at(&position, to_move, &budget));
        }
        (position, to_move) = (after, to_move.other());
    }
    let place = chance.below(puzzles.len().max(1) as u64) as usize;
    puzzles.into_iter().nth(place)
}

/// Whether an empty heap is shown, which only distracts. In other games 0 is a place.
fn has_empty_heap(position: &Position) -> bool {
    let are_heaps = |game: &&GameInfo| {
        matches!(
            game.board,
            BoardKind::Heaps | BoardKind::Pins | BoardKind::Queen
        )
    };
    let text = position.to_string();
    let mut numbers = text.split(|letter: char| !letter.is_ascii_digit() && letter != '.');
    position.games().iter().all(are_heaps) && numbers.any(|number| number == "0")
}
