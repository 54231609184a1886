//! Components side by side: the disjunctive sum `+`, in which a move is made in exactly one of them, and the other compounds.

use std::fmt;

use super::steps::{Move, Step};
use super::zero::Values;
use crate::erased::{Component, ComponentMove};
use crate::game::Kind;
use crate::games;
use crate::ids::Seat;
use crate::notation::{MAX_HEAPS, MoveError, NotationCode, NotationError, Shown, Word, nearest};
use crate::theory::compound::{Breadth, Compound};
use crate::theory::turns::Turns;

/// The most moves of a component for which a page of moves is found by walking the list. Many games find a move by its number in the same way, so each move of
/// a page would cost a pass over the component.
const LISTED: u128 = 100_000;

/// Components side by side. At least one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Sum {
    components: Vec<Component>,
    compound: Compound,
    /// Whether play is over although components have moves: in `@zero`, once all have nim-value 0.
    ended: bool,
    /// By which that is found.
    values: Values,
}

impl Sum {
    /// Reads `component+component+…`, which are played together in this way.
    pub(crate) fn parse(body: Word<'_>, compound: Compound) -> Result<Self, NotationError> {
        let separators = |byte: &u8| matches!(byte, b',' | b'+');
        if body.text.bytes().filter(|byte| separators(byte)).count() >= MAX_HEAPS {
            let message = format!(
                "too many heaps, components and list items: a position can have at most {MAX_HEAPS}"
            );
            let expected = format!("at most {MAX_HEAPS} of them");
            return body.refuse(NotationCode::OutOfRange, message, expected, games::EXAMPLE);
        }
        let components = body.split('+').map(|word| {
            let component = read_component(word)?;
            match compound == Compound::UntilZero && component.kind() != Kind::Impartial {
                true => refuse_until_zero(word),
                false => Ok(component),
            }
        });
        let components: Vec<Component> = components.collect::<Result<_, _>>()?;
        let values = match compound {
            Compound::UntilZero => Values::read(&components, body.split('+'))?,
            _ => Values::default(),
        };
        Ok(Self::joined(components, compound, values))
    }

    /// These components in this compound, with the values of what can be reached.
    fn joined(components: Vec<Component>, compound: Compound, values: Values) -> Self {
        Self {
            ended: compound == Compound::UntilZero && values.are_zero(&components),
            components,
            compound,
            values,
        }
    }

    /// The disjunctive sum of these; at least one.
    pub(crate) fn of(components: Vec<Component>) -> Self {
        debug_assert!(!components.is_empty(), "a sum has a component");
        Self::joined(components, Compound::Sum, Values::default())
    }

    /// In their order.
    pub(crate) fn components(&self) -> &[Component] {
        &self.components
    }

    /// How they are played together.
    pub(crate) fn compound(&self) -> Compound {
        self.compound
    }

    /// The move of one component as a move of the whole.
    pub(crate) fn own(&self, component: usize, inner: ComponentMove) -> Move {
        self.join(vec![Step { component, inner }])
    }

    /// Moves of several components, ascending, as one move.
    pub(crate) fn join(&self, steps: Vec<Step>) -> Move {
        Move {
            steps,
            numbered: self.components.len() > 1,
        }
    }

    fn turns(&self, seat: Seat) -> Turns {
        let counts = self.components.iter().map(|part| match self.ended {
            true => 0,
            false => part.move_count(seat),
        });
        Turns::new(self.compound, counts.collect())
    }

    pub(crate) fn move_count(&self, seat: Seat) -> u128 {
        self.turns(seat).count
    }

    pub(crate) fn nth_move(&self, seat: Seat, n: u128) -> Option<Move> {
        self.numbered_move(seat, self.turns(seat).nth(n)?)
    }

    /// Characters of a long move that is made in many components, written out. See [`crate::Position::wide_move_bytes`].
    pub(crate) fn wide_move_bytes(&self, seat: Seat) -> usize {
        if self.compound.breadth() == Breadth::One {
            return 0;
        }
        let long = |component: &Component| {
            let last = component.move_count(seat).checked_sub(1)?;
            let ends = [0, last].into_iter();
            let written = ends.filter_map(|n| component.nth_move(seat, n));
            written.map(|mv| mv.to_string().len()).max()
        };
        let components = (1usize..).zip(&self.components);
        components
            .filter_map(|(number, component)| {
                // A number, its dot, and a comma before the next.
                Some(long(component)? + number.to_string().len() + 2)
            })
            .sum()
    }

    /// The move that makes these moves of components, each by its number.
    fn numbered_move(&self, seat: Seat, numbers: Vec<(usize, u128)>) -> Option<Move> {
        let step = |(component, n): (usize, u128)| {
            let inner = self.components[component].nth_move(seat, n)?;
            Some(Step { component, inner })
        };
        let steps: Option<Vec<Step>> = numbers.into_iter().map(step).collect();
        steps.map(|steps| self.join(steps))
    }

    pub(crate) fn moves(&self, seat: Seat) -> Box<dyn Iterator<Item = Move> + '_> {
        if self.compound != Compound::Sum {
            let turns = self.turns(seat);
            return Box::new(
                (0..turns.count).map_while(move |n| self.numbered_move(seat, turns.nth(n)?)),
            );
        }
        let components = self.components.iter().enumerate();
        Box::new(components.flat_map(move |(index, component)| {
            component
                .moves(seat)
                .map(move |inner| self.own(index, inner))
        }))
    }

    pub(crate) fn moves_from(&self, seat: Seat, from: u128) -> Box<dyn Iterator<Item = Move> + '_> {
        if self.compound != Compound::Sum {
            let turns = self.turns(seat);
            return Box::new(
                (from..turns.count).map_while(move |n| self.numbered_move(seat, turns.nth(n)?)),
            );
        }
        let mut skip = from;
        let components = self.components.iter().enumerate();
        Box::new(components.flat_map(move |(index, component)| {
            let all = component.move_count(seat);
            let first = skip.min(all);
            skip -= first;
            let moves: Box<dyn Iterator<Item = ComponentMove> + '_> = match usize::try_from(first) {
                Ok(passed_over) if first < all && all <= LISTED => {
                    Box::new(component.moves(seat).skip(passed_over))
                }
                _ => Box::new((first..).map_while(move |n| component.nth_move(seat, n))),
            };
            moves.map(move |inner| self.own(index, inner))
        }))
    }

    pub(crate) fn play(&self, mv: &Move) -> Self {
        let mut components = self.components.clone();
        for step in &mv.steps {
            components[step.component] = components[step.component].play(&*step.inner);
        }
        Self::joined(components, self.compound, self.values.clone())
    }

    pub(crate) fn read_move(&self, seat: Seat, text: &str) -> Result<Move, MoveError> {
        if self.move_count(seat) == 0 {
            return Err(MoveError {
                message: "the game is over: no moves are left".to_owned(),
                column: None,
                example: None,
            });
        }
        let mut steps: Vec<Step> = Vec::new();
        for typed in self.split_components(text)? {
            if steps.iter().any(|step| step.component == typed.component) {
                let message = format!("component {} is named twice", typed.component + 1);
                return Err(MoveError::at(typed.opened, message));
            }
            if self.compound.breadth() == Breadth::One && !steps.is_empty() {
                let message = "a move can be made in only one component";
                return Err(MoveError::at(typed.opened, message));
            }
            steps.push(self.read_step(seat, &typed)?);
        }
        steps.sort_by_key(|step| step.component);
        if self.compound.breadth() == Breadth::Each {
            self.refuse_left_out(seat, &steps, text)?;
        }
        Ok(self.join(steps))
    }

    /// Reads the move of one component.
    fn read_step(&self, seat: Seat, typed: &Typed<'_>) -> Result<Step, MoveError> {
        let component = &self.components[typed.component];
        let inner = component
            .read_move(seat, typed.text)
            .map_err(|error| MoveError {
                // Where others have to move as well, a legal move is more than this component's.
                example: match self.compound.breadth() {
                    Breadth::Each => None,
                    _ => component
                        .nth_move(seat, 0)
                        .map(|mv| self.own(typed.component, mv).to_string()),
                },
                ..error.shifted(typed.column - 1)
            })?;
        Ok(Step {
            component: typed.component,
            inner,
        })
    }

    /// Refuses a move that leaves out a component in which a move must be made.
    fn refuse_left_out(&self, seat: Seat, steps: &[Step], text: &str) -> Result<(), MoveError> {
        let mut named = steps.iter().map(|step| step.component).peekable();
        for (index, component) in self.components.iter().enumerate() {
            if named.next_if_eq(&index).is_none() && component.move_count(seat) > 0 {
                let message = format!(
                    "component {} has a move, and you must move in every component",
                    index + 1
                );
                return Err(MoveError::at(text.trim_end().chars().count() + 1, message));
            }
        }
        Ok(())
    }

    /// Cuts a move into those of its components: an item that begins with digits and a dot opens one, other items belong to the one before.
    fn split_components<'t>(&self, text: &'t str) -> Result<Vec<Typed<'t>>, MoveError> {
        let mut typed: Vec<Typed<'t>> = Vec::new();
        // Where the text of the last component begins, in bytes, and where this item does.
        let (mut from, mut at) = (0, 0);
        for item in text.split(',') {
            let column = text[..at].chars().count() + 1;
            match self.opened(item, column)? {
                Some((component, skipped)) => {
                    from = at + skipped;
                    let lead = item.chars().take_while(|c| c.is_whitespace()).count();
                    typed.push(Typed {
                        component,
                        opened: column + lead,
                        text: &item[skipped..],
                        column: column + item[..skipped].chars().count(),
                    });
                }
                None => match typed.last_mut() {
                    Some(last) => last.text = &text[from..at + item.len()],
                    None if self.components.len() == 1 => {
                        return Ok(vec![Typed {
                            component: 0,
                            opened: 1,
                            text,
                            column: 1,
                        }]);
                    }
                    None => {
                        let lead = item.chars().take_while(|c| c.is_whitespace()).count();
                        let count = self.components.len();
                        let message =
                            format!("name the component: a move here begins with 1. to {count}.");
                        return Err(MoveError::at(column + lead, message));
                    }
                },
            }
            at += item.len() + 1;
        }
        Ok(typed)
    }

    /// The component that an item opens by its number, and how many bytes come before the move in it.
    fn opened(&self, item: &str, column: usize) -> Result<Option<(usize, usize)>, MoveError> {
        let count = self.components.len();
        let rest = item.trim_start();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number = &rest[..digits];
        let after = rest[digits..].trim_start().strip_prefix('.');
        // Two dots are a run of coins, 2..4.
        let Some(inner) = after.filter(|after| digits > 0 && !after.starts_with('.')) else {
            return Ok(None);
        };
        let index = number.parse().ok().filter(|n| (1..=count).contains(n));
        let Some(index) = index else {
            let message = match count {
                1 => "there is only one component, so its moves need no number".to_owned(),
                _ => format!(
                    "there is no component {}: they are numbered 1 to {count}",
                    Shown(number)
                ),
            };
            let lead = item[..item.len() - rest.len()].chars().count();
            return Err(MoveError::at(column + lead, message));
        };
        Ok(Some((index - 1, item.len() - inner.len())))
    }

    pub(crate) fn describe(&self) -> String {
        if let [component] = self.components.as_slice() {
            return sentence(&component.describe());
        }
        let mut text = String::new();
        for (index, component) in self.components.iter().enumerate() {
            if index > 0 {
                text.push(' ');
            }
            if index == 20 {
                let rest = self.components.len() - index;
                text.push_str(&format!("And {rest} more components."));
                break;
            }
            let title = component.info().title;
            text.push_str(&format!(
                "Component {}, {title}: {}.",
                index + 1,
                component.describe()
            ));
        }
        text
    }

    pub(crate) fn describe_move(&self, mv: &Move) -> String {
        let mut text = String::new();
        for (index, step) in mv.steps.iter().enumerate() {
            if index > 0 {
                text.push_str("; ");
            }
            if index == 20 {
                let rest = mv.steps.len() - index;
                text.push_str(&format!("and moved in {rest} more components"));
                break;
            }
            let prefix = match mv.numbered {
                true => format!("{}.", step.component + 1),
                false => String::new(),
            };
            let component = &self.components[step.component];
            text.push_str(&component.describe_move(&*step.inner, &prefix));
        }
        text
    }
}

/// What was typed for one component.
struct Typed<'t> {
    /// Its index.
    component: usize,
    /// Where its number begins, counted in characters from 1.
    opened: usize,
    text: &'t str,
    /// Where the text begins.
    column: usize,
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, component) in self.components.iter().enumerate() {
            if index > 0 {
                f.write_str("+")?;
            }
            component.write(f)?;
        }
        Ok(())
    }
}

/// With a capital at the beginning and a full stop at the end.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

/// Reads `name.parameters:state`.
fn read_component(word: Word<'_>) -> Result<Component, NotationError> {
    let Some((head, state)) = word.split_once(':') else {
        let (place, message) = match games::find(word.text) {
            _ if word.text.is_empty() => (word, "a game is missing".to_owned()),
            Some(_) => (word.end(), format!("'{}' needs a state", word.shown())),
            None => (word, format!("'{}' is not a position", word.shown())),
        };
        return place.refuse(
            NotationCode::BadPosition,
            message,
            "a game, a colon and its state",
            games::EXAMPLE,
        );
    };
    let (name, parameters) = match head.split_once('.') {
        None => (head, None),
        Some((name, parameters)) => (name, Some(parameters)),
    };
    let Some(info) = games::find(name.text) else {
        return Err(unknown_game(name));
    };
    (info.read)(info, name, parameters, state)
}

/// Refuses a component that has no nim-value.
fn refuse_until_zero<T>(word: Word<'_>) -> Result<T, NotationError> {
    word.refuse(
        NotationCode::BadPosition,
        format!(
            "'{}' cannot be played in @zero, which ends by nim-values: a partizan or loopy component has none",
            word.shown()
        ),
        "a component in which both players have the same moves and play ends",
        "nim:3,5+kayles:7@zero",
    )
}

/// The refusal of a name that is not registered, with the nearest one that is.
fn unknown_game(name: Word<'_>) -> NotationError {
    let names = || games::REGISTRY.iter().map(|info| info.name);
    let near = nearest(name.text, names());
    let message = match near {
        _ if name.text.is_empty() => "the name of a game is missing".to_owned(),
        Some(near) => format!(
            "'{}' is not a known game; did you mean '{near}'?",
            name.shown()
        ),
        None => format!("'{}' is not a known game", name.shown()),
    };
    let example = near
        .and_then(games::find)
        .and_then(|info| info.examples.first().copied())
        .unwrap_or(games::EXAMPLE);
    NotationError {
        code: NotationCode::BadPosition,
        message,
        column: name.column,
        length: name.text.len().max(1),
        expected: format!("one of {}", names().collect::<Vec<_>>().join(", ")),
        help: example.to_owned(),
    }
}
