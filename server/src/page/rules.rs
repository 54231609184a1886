//! The pages of the rules: all games by families, and one of each.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use grundy_shared::Position;
use grundy_shared::game::EndRule;
use grundy_shared::games::{BoardKind, GameInfo, REGISTRY, find};
use grundy_shared::ids::Seat;
use grundy_shared::theory::compound::Compound;
use grundy_words::{Catalogue, Rule, Value};

use super::frame::{Frame, note, page};
use super::site::Site;
use super::study::NoStudy;
use super::values::{self, Facts};
use super::visitor::Visitor;
use super::{link, plain, study, viewer};
use crate::costly;
use crate::help;

/// The families of games by what they are played on, in the order in which they are listed: the messages that name them.
const FAMILIES: [&str; 6] = [
    "family-heaps",
    "family-sliding",
    "family-coins",
    "family-boards",
    "family-graphs",
    "family-written",
];

/// Rules of a position that are shown beside its board.
const RULES: usize = 4;

/// What ends a sentence.
const STOPS: [char; 2] = ['.', '。'];

/// The family of the games that are played on this kind of board.
fn family(board: BoardKind) -> &'static str {
    match board {
        BoardKind::Heaps | BoardKind::Pins | BoardKind::Count | BoardKind::Queen => "family-heaps",
        BoardKind::Stairs | BoardKind::Squares => "family-sliding",
        BoardKind::Coins => "family-coins",
        BoardKind::Cells
        | BoardKind::Grid
        | BoardKind::Stones
        | BoardKind::Bar
        | BoardKind::Boards => "family-boards",
        BoardKind::Arcs
        | BoardKind::Forks
        | BoardKind::Walk
        | BoardKind::Vertices
        | BoardKind::Edges
        | BoardKind::Order
        | BoardKind::Cuts
        | BoardKind::Tints
        | BoardKind::Trees => "family-graphs",
        BoardKind::Options | BoardKind::Strings => "family-written",
    }
}

/// All games.
#[derive(Template)]
#[template(path = "rules.html")]
struct Rules {
    frame: Frame,
    families: Vec<(String, Vec<Game>)>,
    /// How components are played together: what is written, and the rule.
    compounds: Vec<(String, String)>,
}

/// A game, and its moves in short.
pub(super) struct Game {
    pub(super) name: &'static str,
    pub(super) title: String,
    /// The first sentence of the rule.
    pub(super) sentence: String,
}

/// One game.
#[derive(Template)]
#[template(path = "game.html")]
struct GamePage {
    frame: Frame,
    name: &'static str,
    family: String,
    rule: String,
    example: &'static str,
    example_move: &'static str,
    board: String,
    notation: String,
    moves: String,
    source: &'static str,
    lab: String,
    play: String,
    /// What is known, or why it is not shown.
    known: Result<Known, String>,
}

/// What is known of a game, as it is shown.
struct Known {
    heaps: Option<HeapTable>,
    /// Two heaps by their sizes.
    pairs: Option<Vec<Vec<Cell>>>,
    examples: Vec<ExampleRow>,
}

/// The values of one heap, as they are shown.
struct HeapTable {
    caption: String,
    /// The first heap of a line, and its values.
    lines: Vec<(usize, Vec<Cell>)>,
    period: String,
    /// The values with their period as a picture.
    strip: Option<String>,
}

/// A value in a table.
struct Cell {
    value: u64,
    /// How dark: from `s0`, which is a loss, to `s4`.
    shade: &'static str,
}

/// An example, as it is shown.
struct ExampleRow {
    position: String,
    lab: String,
    outcome: String,
    value: String,
}

/// Shows all games.
pub(super) async fn list(State(site): State<Site>, visitor: Visitor) -> Response {
    let words = visitor.words();
    if !visitor.wants_html {
        return plain::text(StatusCode::OK, "grundy rules list\n");
    }
    let families = FAMILIES.into_iter().map(|name| {
        let games = REGISTRY.iter().filter(|info| family(info.board) == name);
        let games = games.map(|info| Game::of(info, words));
        (words.say(name), games.collect())
    });
    let compounds = std::iter::once(Compound::Sum).chain(Compound::NAMED);
    let rules = Rules {
        families: families.collect(),
        compounds: compounds.map(|one| compound(one, words)).collect(),
        frame: Frame::still(&visitor, words.say("rules-title")),
    };
    page(&site, &visitor, StatusCode::OK, &rules)
}

/// Shows one game.
pub(super) async fn show(
    State(site): State<Site>,
    visitor: Visitor,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    let words = visitor.words();
    let Some(info) = find(&name) else {
        let (title, text) = (words.say("rules-unknown"), words.say("rules-unknown-how"));
        return note(&site, &visitor, StatusCode::NOT_FOUND, title, text);
    };
    if !visitor.wants_html {
        let text = format!("grundy rules show {}\n", info.name);
        return plain::text(StatusCode::OK, text);
    }
    let example = info.examples.first().copied().unwrap_or_default();
    let position = costly::read_stored(Some(site.leave), example).ok();
    let board = position.as_ref();
    let board = board.map(|one| costly::draw(site.leave, one).inline_svg());
    let lab = position.map(|position| link::lab(&position, Seat::First));
    // Who wins the examples is what the solver finds, too.
    let may_ask = match viewer::of(&site, &headers).await {
        Ok(reader) => help::check(&*site.app.store, reader).await,
        Err(error) => Err(error),
    };
    let facts = match may_ask {
        Ok(()) => values::of(&site.app, info).await,
        Err(refused) => Err(refused.into()),
    };
    let known = facts.map(|facts| Known::of(&facts, words));
    let title = words.say(&format!("game-{}", info.name));
    let shown = GamePage {
        frame: Frame::new(&visitor, title, "try.js"),
        name: info.name,
        family: words.say(family(info.board)),
        rule: words.say(&format!("game-{}-rule", info.name)),
        example,
        example_move: info.example_move,
        board: board.unwrap_or_default(),
        notation: words.say(&format!("game-{}-position", info.name)),
        moves: words.say(&format!("game-{}-move", info.name)),
        source: info.source,
        lab: lab.unwrap_or_default(),
        play: link::play(example),
        known: known.map_err(|refused| match refused {
            NoStudy::Rated => words.say("rules-rated"),
            NoStudy::Busy => words.sentences(&[words.say("page-busy"), words.say("page-busy-how")]),
        }),
    };
    page(&site, &visitor, StatusCode::OK, &shown)
}

impl Game {
    pub(super) fn of(info: &GameInfo, words: &Catalogue) -> Self {
        let rule = words.say(&format!("game-{}-rule", info.name));
        let sentence = rule.split_inclusive(STOPS).next().unwrap_or_default();
        Self {
            name: info.name,
            title: words.say(&format!("game-{}", info.name)),
            sentence: sentence.to_owned(),
        }
    }

    /// The same as a part of a list.
    fn short(&self) -> &str {
        self.sentence.trim_end_matches(STOPS)
    }
}

/// The rules of a position, the first few of them.
pub(super) fn rules_of(position: &Position, words: &Catalogue) -> Vec<Rule> {
    let mut rules = grundy_words::rules(position, words);
    rules.truncate(RULES);
    rules
}

/// What holds for the whole position: which components a move is made in, and who wins.
pub(super) fn of_the_whole(position: &Position, words: &Catalogue) -> String {
    let several = (position.component_count() > 1).then(|| compound(position.compound(), words).1);
    let end = match position.end_rule() {
        EndRule::Normal => "normal",
        EndRule::Misere => "misere",
    };
    let end = words.with("match-end-rule", &[("end", Value::Text(end))]);
    let said: Vec<String> = several.into_iter().chain([end]).collect();
    words.sentences(&said)
}

fn compound(compound: Compound, words: &Catalogue) -> (String, String) {
    match compound {
        Compound::Sum => ("+".to_owned(), words.say("compound-sum")),
        named => (
            format!("@{}", named.word()),
            words.say(&format!("compound-{}", named.word())),
        ),
    }
}

impl Known {
    fn of(facts: &Facts, words: &Catalogue) -> Self {
        let heaps = facts.heaps.as_ref().map(|heaps| {
            let period = heaps.period.map(|(length, start)| {
                let (length, start) = (length.to_string(), start.to_string());
                let named = [
                    ("length", Value::Text(&length)),
                    ("start", Value::Text(&start)),
                ];
                words.with("rules-period", &named)
            });
            let across = heaps.lines.first().map_or(0, Vec::len);
            let lines = shaded(&heaps.lines).into_iter().enumerate();
            let strip = heaps.strip.as_ref().zip(period.as_ref());
            HeapTable {
                strip: strip.map(|(strip, period)| strip.inline_svg(period)),
                caption: words.with("rules-heaps", &[("rules", Value::Text(&heaps.rules))]),
                lines: lines.map(|(line, cells)| (line * across, cells)).collect(),
                period: period.unwrap_or_else(|| words.say("rules-no-period")),
            }
        });
        let examples = facts.examples.iter().map(|example| ExampleRow {
            position: example.position.to_string(),
            lab: link::lab(&example.position, Seat::First),
            outcome: words.say(study::outcome(example.outcome)),
            value: example.value.clone().unwrap_or_else(|| "–".to_owned()),
        });
        Self {
            heaps,
            pairs: facts.pairs.as_deref().map(shaded),
            examples: examples.collect(),
        }
    }
}

/// The values with shades: the greatest is the darkest.
fn shaded(lines: &[Vec<u64>]) -> Vec<Vec<Cell>> {
    const SHADES: [&str; 5] = ["s0", "s1", "s2", "s3", "s4"];
    let most = lines.iter().flatten().copied().max().unwrap_or(0).max(1);
    let cell = |value: &u64| Cell {
        value: *value,
        shade: SHADES[(value * 4).div_ceil(most) as usize],
    };
    let line = |line: &Vec<u64>| line.iter().map(cell).collect();
    lines.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use grundy_words::Language;

    use super::*;

    #[test]
    fn every_family_is_listed_and_has_a_name() {
        for info in REGISTRY {
            assert!(FAMILIES.contains(&family(info.board)), "{}", info.name);
        }
        for language in Language::ALL {
            let words = Catalogue::of(language);
            for name in FAMILIES {
                assert!(!words.say(name).starts_with('['), "{name}");
            }
        }
    }

    #[test]
    fn the_english_words_are_those_of_the_registry() {
        let words = Catalogue::of(Language::English);
        for info in REGISTRY {
            let say = |part: &str| words.say(&format!("game-{}{part}", info.name));
            assert_eq!(say(""), info.title);
            assert_eq!(say("-rule"), info.rule);
            assert_eq!(say("-position"), info.notation);
            assert_eq!(say("-move"), info.move_notation);
        }
        for compound in Compound::NAMED {
            let said = words.say(&format!("compound-{}", compound.word()));
            assert_eq!(said, compound.rule());
        }
        assert_eq!(words.say("compound-sum"), Compound::Sum.rule());
    }

    /// The words of letters in a text.
    fn latin(text: &str) -> impl Iterator<Item = &str> {
        let words = text.split(|letter: char| !letter.is_ascii_alphabetic());
        words.filter(|word| word.len() > 1)
    }

    #[test]
    fn chinese_rules_have_latin_letters_in_notation_and_names_only() {
        let words = Catalogue::of(Language::Chinese);
        for info in REGISTRY {
            let of = |part: &str| words.say(&format!("game-{}{part}", info.name));
            assert_eq!(latin(&of("-rule")).find(|word| *word != "misere"), None);
            for (part, english) in [("-position", info.notation), ("-move", info.move_notation)] {
                let is_notation = |word: &&str| word.contains([':', '.', '/', '_', '\'']);
                let notation: Vec<&str> = english.split(' ').filter(is_notation).collect();
                let known = |word: &str| {
                    matches!(word, "pass" | "us")
                        || word.chars().all(|letter| "AB".contains(letter))
                        || notation.iter().any(|one| one.contains(word))
                };
                let text = of(part);
                assert_eq!(latin(&text).find(|word| !known(word)), None, "{text}");
            }
        }
    }
}
