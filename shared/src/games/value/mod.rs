//! Games written by their options, `{L|R}`: numbers, nimbers, ups, switches, and all that is built from them.
//!
//! J. H. Conway, *On Numbers and Games* (1976), chapters 0, 7 and 8; E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways* (1982), chapters 1 to 3.

mod form;
mod reading;
mod working;

use std::fmt;

use rustc_hash::FxHashMap;

pub use form::{Form, Options};
use reading::{DEEPEST, EXAMPLE};

use crate::erased::{self, BoardKind, GameInfo};
use crate::game::{EndRule, Game, Kind};
use crate::games::heaps::no_parameters;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationError, Word};
use crate::theory::{CanonicalForm, CanonicalForms, Meter, Stopped};

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "value",
    title: "Values",
    rule: "Move to one of your options: Left, the first player, to one before the bar, Right to one after it. The player who makes the last move wins.",
    notation: "value:0:1 is {0|1}: Left may move to 0, Right to 1. Two colons are a bar outside of it, with two commas between its options: value:2::1:0 is {2|{1|0}}. _ is a side without options: value:0,1:_ is {0,1|}. A value can be a number (3, -1/2), s for *, s2 for *2, u for up, d2 for two downs, us for up and *. In quotes, braces are read as well: 'value:{2|{1|0}}'",
    move_notation: "the option, written as a value: 1:0, or in quotes '{1|0}'",
    examples: &[
        EXAMPLE,
        "value:0:1",
        "value:1:-1",
        "value:s2",
        "value:u2s",
        "value:0,s:1/2",
        "value:0:s::-1",
        "value:-3/4",
        "value:0",
    ],
    example_move: "2",
    method: "canonical forms: dominated options are dropped, reversible ones bypassed; the simplest number",
    complexity: "O(options) for numbers and nimbers; otherwise comparisons of all options with one another, exponential in the depth",
    limits: "20 levels, 1,000 bars, numbers up to 10^18 with denominators up to 2^59, nimbers up to *1000, 100 ups",
    source: "J. H. Conway, On Numbers and Games, 1976; Berlekamp, Conway, Guy, Winning Ways, 1982, chapters 1 to 3",
    board: BoardKind::Options,
    read: erased::read::<Value>,
};

/// The rules: a move goes to an option.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Value;

/// A move: the option that is left.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Choice(Form);

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Game for Value {
    type State = Form;
    type Move = Choice;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Form), NotationError> {
        no_parameters(parameters, &INFO)?;
        Ok((Self, reading::read(state)?))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(INFO.name)
    }

    fn write_state(&self, form: &Form, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{form}")
    }

    fn move_count(&self, form: &Form, seat: Seat) -> u128 {
        form.option_count(seat) as u128
    }

    fn nth_move(&self, form: &Form, seat: Seat, n: u128) -> Option<Choice> {
        let place = usize::try_from(n).ok()?;
        form.options(seat).into_iter().nth(place).map(Choice)
    }

    fn moves<'s>(&'s self, form: &'s Form, seat: Seat) -> Box<dyn Iterator<Item = Choice> + 's> {
        Box::new(form.options(seat).into_iter().map(Choice))
    }

    fn read_move(&self, form: &Form, seat: Seat, text: &str) -> Result<Choice, MoveError> {
        // Without spaces, and where each character stands.
        let letters = text.chars().enumerate().filter(|(_, c)| !c.is_whitespace());
        let (columns, compact): (Vec<usize>, String) = letters.unzip();
        let column = |place: usize| {
            columns
                .get(place)
                .map_or(text.chars().count() + 1, |n| n + 1)
        };
        if let Some(place) = compact.chars().position(|c| !c.is_ascii()) {
            return Err(MoveError::at(
                column(place),
                "this character is not part of a value",
            ));
        }
        let word = Word {
            text: &compact,
            column: 1,
        };
        let wanted = reading::read(word)
            .map_err(|error| MoveError::at(column(error.column - 1), error.message))?;
        if form.options(seat).binary_search(&wanted).is_ok() {
            return Ok(Choice(wanted));
        }
        let whose = match (form.is_impartial(), seat) {
            (true, _) => "your",
            (false, Seat::First) => "Left's",
            (false, Seat::Second) => "Right's",
        };
        let message = format!("{} is not one of {whose} options", working::shown(&wanted));
        Err(MoveError::at(column(0), message))
    }

    fn play(&self, _: &Form, Choice(option): &Choice) -> Form {
        option.clone()
    }

    fn describe(&self, form: &Form) -> String {
        working::shown(form)
    }

    fn describe_move(&self, _: &Form, Choice(option): &Choice, _: &str) -> String {
        format!("moved to {}", working::shown(option))
    }

    fn kind(&self, form: &Form) -> Kind {
        match form.is_impartial() {
            true => Kind::Impartial,
            false => Kind::Partizan,
        }
    }

    fn values(&self, form: &Form, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        meter.work(1 + form.built().len() as u64)?;
        Ok(vec![form.is_impartial().then(|| form.grundy())])
    }

    fn forms(
        &self,
        form: &Form,
        forms: &mut CanonicalForms,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Option<CanonicalForm>>, Stopped> {
        let value = form.value(&mut FxHashMap::default(), forms, meter)?;
        Ok(vec![Some(value)])
    }

    fn method(&self) -> &'static str {
        "canonical form"
    }

    fn bytes(&self, form: &Form) -> u64 {
        64 * (1 + form.option_count(Seat::First) + form.option_count(Seat::Second)) as u64
    }

    fn explain(&self, form: &Form, end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        working::lines(form, end, meter)
    }
}

const _: () = assert!(DEEPEST <= 32, "the depth of calls stays small");
