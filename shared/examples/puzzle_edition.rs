//! Makes an edition of puzzles: built-in bots that make mistakes play matches of all kinds of games, and the wins that they throw away become
//! puzzles if they meet the criteria of decision 0085. The same seed makes the same edition.
//!
//! ```text
//! cargo run --release -p grundy-shared --example puzzle_edition -- SEED COUNT > puzzles.ndjson
//! cargo run --release -p grundy-shared --example puzzle_edition -- --check
//! ```
//!
//! `--check` tests every puzzle of the newest edition in the program against the criteria, and lists those that fail.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::ExitCode;

use grundy_shared::Position;
use grundy_shared::bot::Bot;
use grundy_shared::games::BoardKind;
use grundy_shared::ids::Seat;
use grundy_shared::practice::Key;
use grundy_shared::puzzle::{Collection, Difficulty, Puzzle};
use grundy_shared::rated::Family;
use grundy_shared::solver::{Budget, solve, standing};
use grundy_shared::suite::{Chance, Recipe};

/// What is played, each as often as the others: recipes of starts, names of [`drawn`], or a game and the size of its only heap, joined by `+`.
const STARTS: &[&str] = &[
    "nim,heaps=3-4,max=9",
    "nim,heaps=3-5,max=15",
    "nim,heaps=3-5,max=7,misere",
    "sub.2.5.6,heaps=3-4,max=15",
    "bash.4,heaps=3-4,max=15",
    "race",
    "race@misere",
    "moore.2,heaps=4,max=7",
    "fib",
    "fib+nim:3-7",
    "stairs,heaps=4-6,max=6",
    "silver,heaps=4,max=16",
    "nimble,heaps=3-5,max=9",
    "welter,heaps=3-4,max=12",
    "euclid,heaps=2,max=90",
    "wythoff,max=20",
    "lasker,heaps=3,max=9",
    "multi,heaps=2-3,max=8",
    "split,heaps=3,max=7",
    "merge,heaps=3-4,max=5",
    "grundy,heaps=2-3,max=16",
    "octal.0.6,heaps=2-3,max=14",
    "kayles,heaps=2-3,max=9",
    "kayles,heaps=2-3,max=8,misere",
    "dawsonkayles,heaps=2-3,max=14",
    "dawsonchess,heaps=2-3,max=12",
    "flip.2.3,size=7-9",
    "turtles,size=6-9",
    "mockturtles,size=6-9",
    "moebius,size=9-10",
    "mogul,size=3-4+mogul,size=3-4+mogul,size=3-4",
    "moidores,size=3-5+moidores,size=3-5+moidores,size=3-4",
    "twins,size=7-10",
    "turnips,size=8-11",
    "grunt,size=9-13",
    "ruler,size=6-9",
    "dag",
    "fork",
    "loopy",
    "prefix",
    "hack+hack",
    "hack+hack+hack",
    "green",
    "value",
    "geo",
    "nodekayles,size=7-9",
    "arckayles,size=8-10",
    "nimstring",
    "col,size=5-7",
    "snort,size=5-7",
    "poset",
    "cram,size=3-4",
    "domineering,size=3-4",
    "clobber,size=3-4",
    "toads+toads+toads",
    "northcott,size=3-5",
    "chomp,heaps=3-4,max=6",
    "notakto",
    "notakto@misere",
    "treblecross,size=9-13",
    "nim,heaps=2,max=7+kayles:4-9",
    "wythoff,max=9+nim:3-9",
    "turtles,size=4-6+kayles:3-7",
    "dag+kayles:3-6",
    "nim,heaps=2,max=6+kayles:3-7@every",
    "nim:3-7+kayles,heaps=2,max=7@selective",
    "nim,heaps=2,max=6+dawsonchess:5-9@shortsum",
];
/// How often the bots keep a win.
const SKILL: f64 = 0.6;
/// Work on one position, in nodes.
const NODES: u64 = 20_000_000;
/// Matches of one kind without a new puzzle before the next kind is played.
const PATIENCE: usize = 150;
/// Plies after which a match is broken off: play can cycle.
const LONGEST: usize = 100;

/// At most one move in so many wins.
const ONE_IN: u64 = 3;
/// A puzzle lasts at least so many plies if its winner hurries and the loser delays.
const SHORTEST: u64 = 5;
/// At most so many positions can be reached, so that all of them can be compared with those of other puzzles.
const REACHED: usize = 100_000;
/// Plies for which play is compared.
const COMPARED: usize = 64;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments == ["--check"] {
        return check();
    }
    let numbers: Option<Vec<u64>> = arguments.iter().map(|text| text.parse().ok()).collect();
    let Some([seed, count]) = numbers.as_deref() else {
        eprintln!("usage: puzzle_edition SEED COUNT, or puzzle_edition --check");
        return ExitCode::from(2);
    };
    print!("{}", make(*seed, *count).written());
    ExitCode::SUCCESS
}

fn make(seed: u64, count: u64) -> Collection {
    let mut chance = Chance::new(seed);
    let (mut known, mut found, mut waiting) = (Known::before(), Vec::new(), 0);
    // Kind after kind, so that neighbouring days differ.
    let mut order: Vec<&str> = Vec::new();
    while (found.len() as u64) < count {
        if order.is_empty() {
            order = STARTS.to_vec();
            chance.shuffle(&mut order);
        }
        waiting += 1;
        let kind = order.last().copied().unwrap_or_default();
        let puzzle = start(kind, &mut chance).and_then(|start| thrown_away(start, &mut chance));
        let puzzle = puzzle.filter(|puzzle| known.add(puzzle).is_ok());
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
    Collection::of(found)
}

/// Tests the newest edition in the program, and prints its figures.
fn check() -> ExitCode {
    let (edition, mut known) = (Collection::edition(), Known::before());
    let (mut faults, mut families, mut levels) = (0, BTreeMap::new(), [0; Difficulty::ALL.len()]);
    let mut shares = 0.0;
    for (number, puzzle) in edition.numbered() {
        if edition.is_replaced(number) {
            continue;
        }
        let (position, to_move) = puzzle.position();
        let again = Puzzle::at(&position, to_move, &Budget::nodes(NODES));
        let fault = if again.as_ref() != Ok(puzzle) {
            Some("the solver does not make it again")
        } else if !is_strict(puzzle) {
            Some("it is too easy or too short")
        } else {
            known.add(puzzle).err()
        };
        if let Some(fault) = fault {
            println!("puzzle {number}, {}: {fault}", puzzle.key);
            faults += 1;
        }
        *families.entry(puzzle.family()).or_insert(0) += 1;
        levels[puzzle.difficulty() as usize] += 1;
        shares += puzzle.winning as f64 / puzzle.legal as f64;
    }
    let count: u32 = levels.iter().sum();
    println!("{count} puzzles, {faults} faults; easy, medium, hard: {levels:?}");
    println!(
        "a random move wins {:.1} % of them",
        100.0 * shares / f64::from(count)
    );
    for family in Family::all() {
        let count = families.get(&family).unwrap_or(&0);
        println!("{count:4} {family}");
    }
    ExitCode::from(u8::from(faults > 0))
}

/// Whether a puzzle meets the criteria that need no other puzzle, apart from those that [`Puzzle::at`] has tested.
fn is_strict(puzzle: &Puzzle) -> bool {
    let (position, to_move) = puzzle.position();
    puzzle.winning * ONE_IN <= puzzle.legal
        && solve(&position, to_move, &Budget::nodes(NODES), 0)
            .remoteness
            .is_some_and(|plies| plies >= SHORTEST)
}

/// The puzzles to which new ones are compared.
struct Known {
    arranged: HashSet<Key>,
    played: HashSet<(Family, u64)>,
}

impl Known {
    /// Those of the editions before the newest one.
    fn before() -> Self {
        let (edition, mut known) = (Collection::edition(), HashSet::new());
        let before = edition
            .numbered()
            .filter(|(number, _)| edition.is_replaced(*number));
        let mut played = HashSet::new();
        for (_, puzzle) in before {
            known.insert(arranged(puzzle));
            played.extend(course(puzzle).map(|course| (puzzle.family(), course)));
        }
        Self {
            arranged: known,
            played,
        }
    }

    /// Adds a puzzle if it is like none before it.
    fn add(&mut self, puzzle: &Puzzle) -> Result<(), &'static str> {
        if !self.arranged.insert(arranged(puzzle)) {
            return Err("another one differs only in the order of its heaps or components");
        }
        let Some(course) = course(puzzle) else {
            return Err("too many positions can be reached");
        };
        match self.played.insert((puzzle.family(), course)) {
            true => Ok(()),
            false => Err("play from it is the same as from another one"),
        }
    }
}

fn arranged(puzzle: &Puzzle) -> Key {
    let (position, to_move) = puzzle.position();
    Key::of(&position.arranged(), to_move)
}

/// A digest of the next [`COMPARED`] plies, in which names and the order of moves do not count: positions that only rename vertices, turn
/// the board or rearrange heaps have the same. `None` if more than [`REACHED`] positions can be reached.
fn course(puzzle: &Puzzle) -> Option<u64> {
    let mut reached = vec![puzzle.position()];
    let mut places = HashMap::from([(puzzle.key.clone(), 0)]);
    let mut options: Vec<Vec<usize>> = Vec::new();
    while let Some((position, to_move)) = reached.get(options.len()).cloned() {
        let mut after = Vec::new();
        for mv in position.moves(to_move) {
            let (next, seat) = (position.play(&mv), to_move.other());
            let place = *places.entry(Key::of(&next, seat)).or_insert_with(|| {
                reached.push((next, seat));
                reached.len() - 1
            });
            after.push(place);
        }
        if reached.len() > REACHED {
            return None;
        }
        options.push(after);
    }
    let misere = reached[0].0.end_rule().is_misere();
    let mut digests = vec![0; options.len()];
    for _ in 0..COMPARED {
        let next = options.iter().map(|after| {
            let mut after: Vec<u64> = after.iter().map(|place| digests[*place]).collect();
            after.sort_unstable();
            after.dedup();
            let mut hasher = DefaultHasher::new();
            (misere, after).hash(&mut hasher);
            hasher.finish()
        });
        let next = next.collect();
        // Without cycles nothing changes after the last ply.
        if digests == next {
            break;
        }
        digests = next;
    }
    Some(digests[0])
}

/// A start by these recipes.
fn start(text: &str, chance: &mut Chance) -> Option<Position> {
    let (recipes, ending) = text.split_at(text.find('@').unwrap_or(text.len()));
    let parts: Option<Vec<String>> = recipes
        .split('+')
        .map(|recipe| {
            if let Some(drawn) = drawn(recipe, chance) {
                return Some(drawn);
            }
            match recipe.split_once(':') {
                Some((game, sizes)) => {
                    let (least, most) = sizes.split_once('-')?;
                    let (least, most): (u64, u64) = (least.parse().ok()?, most.parse().ok()?);
                    Some(format!("{game}:{}", between(least, most, chance)))
                }
                None => {
                    let recipe = Recipe::read(recipe).expect("a recipe of the list");
                    let made = recipe.make_with(chance.bits(), 1).ok()?;
                    made.first().map(Position::to_string)
                }
            }
        })
        .collect();
    Position::parse(&format!("{}{ending}", parts?.join("+"))).ok()
}

fn between(least: u64, most: u64, chance: &mut Chance) -> u64 {
    least + chance.below(most - least + 1)
}

fn one_of<'t>(list: &[&'t str], chance: &mut Chance) -> &'t str {
    list[chance.below(list.len() as u64) as usize]
}

/// A start of a game for which there is no recipe; `None` for other games.
fn drawn(game: &str, chance: &mut Chance) -> Option<String> {
    Some(match game {
        "race" => {
            let most = between(4, 9, chance);
            let target = between(3 * most, 100, chance);
            format!("race.{most}.{target}:0")
        }
        "fib" => format!("fib:{}", between(15, 60, chance)),
        "prefix" => format!("prefix.{}:_", between(3, 5, chance)),
        "hack" => edges(
            "hack:",
            &["b", "r", "b", "r", "-"],
            between(4, 7, chance),
            chance,
        ),
        "green" => edges("hack:", &["-"], between(6, 9, chance), chance),
        "dag" => format!("dag.{}", tokens(false, 1, chance)),
        "loopy" => format!("loopy.{}", tokens(true, 1, chance)),
        "fork" => format!("fork.{}", tokens(false, 3, chance)),
        "geo" => {
            let vertices = between(8, 10, chance);
            let graph = edges("geo.", &["-"], vertices, chance).replace(',', ".");
            let more = (0..vertices / 2).map(|_| {
                let to = between(2, vertices, chance);
                format!(".{}-{to}", chance.below(to - 1))
            });
            let more: String = more.collect();
            let mut places: Vec<String> = (0..=vertices).map(|place| place.to_string()).collect();
            chance.shuffle(&mut places);
            places.truncate(6);
            format!("{graph}{more}:_{}", places.join("/"))
        }
        "poset" => {
            let relations = (2..=between(7, 9, chance)).flat_map(|to| {
                let below = (0..between(1, 2, chance)).map(|_| chance.below(to));
                let relations = below.map(|from| format!("{from}-{to}"));
                relations.collect::<Vec<_>>()
            });
            format!("poset:{}", relations.collect::<Vec<_>>().join(","))
        }
        "toads" => {
            let count = between(4, 6, chance);
            let place = |_| one_of(&["T", "F", ".", "."], chance);
            format!("toads:T{}F", (0..count).map(place).collect::<String>())
        }
        "nimstring" => {
            let coins = between(4, 6, chance);
            let more = between(2, 5, chance);
            let more =
                (0..more).map(|_| format!(",{}-{}", chance.below(2), between(2, coins, chance)));
            let more: String = more.collect();
            format!("{}{more}", edges("nimstring:", &["-"], coins, chance))
        }
        "notakto" => {
            let boards = (0..=chance.below(2)).map(|_| {
                let mut cells = *b"xxx......";
                chance.shuffle(&mut cells);
                String::from_utf8_lossy(&cells).into_owned()
            });
            format!("notakto:{}", boards.collect::<Vec<_>>().join("/"))
        }
        "value" => {
            let values = (0..between(3, 5, chance)).map(|_| {
                let (low, high) = (between(0, 3, chance), between(1, 4, chance));
                match chance.below(4) {
                    0 => format!("value:{high}:-{low}"),
                    1 => format!("value:{}::{low}:-{high}", low + high),
                    2 => format!("value:{low}:-{high}::-{}", high + low + 1),
                    _ => {
                        let known = ["s", "s2", "u", "d", "u2s", "us", "1/2", "-1/4", "1", "-1"];
                        format!("value:{}", one_of(&known, chance))
                    }
                }
            });
            values.collect::<Vec<_>>().join("+")
        }
        _ => return None,
    })
}

/// A tree with so many edges, each of one of these signs.
fn edges(name: &str, signs: &[&str], count: u64, chance: &mut Chance) -> String {
    let edges = (1..=count).map(|to| format!("{}{}{to}", chance.below(to), one_of(signs, chance)));
    format!("{name}{}", edges.collect::<Vec<_>>().join(","))
}

/// Arcs with up to so many ends between eight nodes, down to node 0 unless play may cycle, and two or three tokens.
fn tokens(cycles: bool, ends: u64, chance: &mut Chance) -> String {
    const NODES: u64 = 8;
    let mut arcs = Vec::new();
    for from in 1..NODES {
        for _ in 0..between(1, 3, chance) {
            let below = if cycles { NODES } else { from };
            let ends = (0..between(1, ends, chance)).map(|_| chance.below(below).to_string());
            arcs.push(format!("{from}-{}", ends.collect::<Vec<_>>().join("/")));
        }
    }
    arcs.sort_unstable();
    arcs.dedup();
    let tokens = (0..between(2, 3, chance)).map(|_| between(3, NODES - 1, chance).to_string());
    let tokens: Vec<String> = tokens.collect();
    format!("{}:{}", arcs.join("."), tokens.join(","))
}

/// One of the puzzles among the wins that are thrown away in a match between the bots.
fn thrown_away(mut position: Position, chance: &mut Chance) -> Option<Puzzle> {
    let (bot, budget) = (Bot::skill(SKILL), Budget::nodes(NODES));
    let (mut to_move, mut puzzles) = (Seat::First, Vec::new());
    for _ in 0..LONGEST {
        if position.is_over(to_move) {
            break;
        }
        let mv = bot.choose(&position, to_move, &budget, &mut || chance.bits())?;
        let after = position.play(&mv);
        let gives_away = standing(&position, to_move, &budget)?.winner == Some(to_move)
            && standing(&after, to_move.other(), &budget)?.winner != Some(to_move);
        if gives_away && !has_empty_heap(&position) {
            puzzles.extend(
                Puzzle::at(&position, to_move, &budget)
                    .ok()
                    .filter(is_strict),
            );
        }
        (position, to_move) = (after, to_move.other());
    }
    let place = chance.below(puzzles.len().max(1) as u64) as usize;
    puzzles.into_iter().nth(place)
}

/// Whether an empty heap is shown, which only distracts. In other games 0 is a place.
fn has_empty_heap(position: &Position) -> bool {
    position.components().any(|(game, text)| {
        let are_heaps = matches!(
            game.board,
            BoardKind::Heaps | BoardKind::Pins | BoardKind::Queen
        );
        let mut numbers = text.split(|letter: char| !letter.is_ascii_digit() && letter != '.');
        are_heaps && numbers.any(|number| number == "0")
    })
}
