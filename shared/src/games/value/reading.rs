//! How a form is read, in both spellings: `{2|{1|0}}`, and `2::1:0`, which needs no quotes in a shell.

use super::form::{Form, NOTHING};
use crate::notation::{MAX_NUMBER, NotationCode, NotationError, Word};
use crate::theory::Dyadic;

pub(super) const EXAMPLE: &str = "value:2::1:0";
/// How many pairs of braces may stand one within another.
pub(super) const DEEPEST: u32 = 20;
/// The largest number of bars.
pub(super) const MOST_BARS: usize = 1_000;
/// The largest nimber, and the most ups.
pub(super) const MOST_STARS: u64 = 1_000;
pub(super) const MOST_UPS: u64 = 100;

type Read<T> = Result<T, NotationError>;

/// Reads a form. O(length x depth).
pub(super) fn read(word: Word<'_>) -> Read<Form> {
    let bars = word.text.bytes().filter(|byte| is_bar(*byte)).count();
    // A bar without braces may take as many characters as its level.
    if bars > MOST_BARS * DEEPEST as usize {
        return too_many(word);
    }
    match word.text.contains(['{', '}']) {
        true => read_braced(word),
        false => read_level(word),
    }
}

fn is_bar(byte: u8) -> bool {
    matches!(byte, b':' | b'|')
}

fn bad<T>(word: Word<'_>, message: impl Into<String>, expected: &str) -> Read<T> {
    word.refuse(NotationCode::BadPosition, message, expected, EXAMPLE)
}

fn too_many<T>(word: Word<'_>) -> Read<T> {
    let message = format!("too many bars: a value can have at most {MOST_BARS}");
    let expected = format!("at most {MOST_BARS} bars");
    word.refuse(NotationCode::OutOfRange, message, expected, EXAMPLE)
}

fn too_deep<T>(word: Word<'_>) -> Read<T> {
    let message = format!("nested too deeply: at most {DEEPEST} levels are allowed");
    let expected = format!("at most {DEEPEST} levels");
    word.refuse(NotationCode::OutOfRange, message, expected, EXAMPLE)
}

/// The spelling without braces: the longest run of colons is the outermost bar, and as many commas separate the options beside it.
fn read_level(word: Word<'_>) -> Read<Form> {
    let longest = |wanted: fn(u8) -> bool| runs(word, wanted).map(|(from, to)| to - from).max();
    let level = longest(is_bar).unwrap_or(0);
    if let Some((from, to)) = runs(word, |byte| byte == b',').find(|(from, to)| to - from > level) {
        let commas = word.part(from, to);
        return bad(
            commas,
            format!(
                "{} separates options, but the bar beside it is missing",
                quoted(commas)
            ),
            "as many colons as commas, such as 0,1:2 for {0,1|2}",
        );
    }
    if level == 0 {
        return read_name(word);
    }
    if level > DEEPEST as usize {
        return too_deep(word);
    }
    let mut sides = pieces(word, level, is_bar);
    if let Some(third) = sides.get(2) {
        return bad(
            word.part(
                third.column - word.column - level,
                third.column - word.column,
            ),
            format!("a second bar of {level} colons: a value has one bar of each level"),
            "fewer colons within the options, or more for the bar outside them",
        );
    }
    let right = sides
        .pop()
        .map_or(Ok(Vec::new()), |side| read_list(side, level))?;
    let left = sides
        .pop()
        .map_or(Ok(Vec::new()), |side| read_list(side, level))?;
    Ok(Form::of([left, right]))
}

fn read_list(word: Word<'_>, level: usize) -> Read<Vec<Form>> {
    match word.text {
        "" | NOTHING => Ok(Vec::new()),
        _ => pieces(word, level, |byte| byte == b',')
            .into_iter()
            .map(read_level)
            .collect(),
    }
}

/// The runs of such characters, as indices.
fn runs(word: Word<'_>, wanted: fn(u8) -> bool) -> impl Iterator<Item = (usize, usize)> {
    let bytes = word.text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let from = at + bytes[at..].iter().position(|byte| wanted(*byte))?;
        let length = bytes[from..]
            .iter()
            .take_while(|byte| wanted(**byte))
            .count();
        at = from + length;
        Some((from, at))
    })
}

/// The pieces between the runs of exactly so many.
fn pieces(word: Word<'_>, level: usize, wanted: fn(u8) -> bool) -> Vec<Word<'_>> {
    let mut all = Vec::new();
    let mut begin = 0;
    for (from, to) in runs(word, wanted).filter(|(from, to)| to - from == level) {
        all.push(word.part(begin, from));
        begin = to;
    }
    all.push(word.part(begin, word.text.len()));
    all
}

/// The spelling with braces, from the first character to the last.
fn read_braced(word: Word<'_>) -> Read<Form> {
    let mut braces = Braces {
        word,
        at: 0,
        bars: 0,
    };
    let form = braces.value(0)?;
    match braces.rest().text {
        "" => Ok(form),
        rest if rest.starts_with('}') => {
            bad(braces.next(), "'}' closes nothing", "the end of the value")
        }
        _ => bad(
            braces.next(),
            "the value should end here",
            "the end of the value",
        ),
    }
}

/// A text on the way.
struct Braces<'t> {
    word: Word<'t>,
    at: usize,
    bars: usize,
}

impl<'t> Braces<'t> {
    fn rest(&self) -> Word<'t> {
        self.word.part(self.at, self.word.text.len())
    }

    /// The next character, or the end.
    fn next(&self) -> Word<'t> {
        let end = self.word.text.len().min(self.at + 1);
        self.word.part(self.at, end)
    }

    fn skips(&mut self, character: &str) -> bool {
        let found = self.next().text == character;
        self.at += usize::from(found);
        found
    }

    /// The depth of calls is bounded by [`DEEPEST`].
    fn value(&mut self, depth: u32) -> Read<Form> {
        let open = self.next();
        if !self.skips("{") {
            let rest = self.rest();
            let end = rest
                .text
                .find(['{', '|', '}', ','])
                .unwrap_or(rest.text.len());
            self.at += end;
            return read_name(rest.part(0, end));
        }
        if depth == DEEPEST {
            return too_deep(open);
        }
        let left = self.list(depth)?;
        if !self.skips("|") {
            return self.unclosed(
                open,
                "a bar '|' is missing between the options of Left and of Right",
                "|",
            );
        }
        self.bars += 1;
        if self.bars > MOST_BARS {
            return too_many(self.word);
        }
        let right = self.list(depth)?;
        match self.skips("}") {
            true => Ok(Form::of([left, right])),
            false => self.unclosed(open, "a second bar: braces have one", "}"),
        }
    }

    fn list(&mut self, depth: u32) -> Read<Vec<Form>> {
        let mut all = Vec::new();
        if matches!(self.next().text, "|" | "}" | "") {
            return Ok(all);
        }
        loop {
            all.push(self.value(depth + 1)?);
            if !self.skips(",") {
                return Ok(all);
            }
        }
    }

    /// Refuses what stands here: at the end of the text it is the brace that was opened.
    fn unclosed<T>(&self, open: Word<'_>, message: &str, expected: &str) -> Read<T> {
        match self.next().text {
            "" => bad(
                open,
                "this brace is never closed: '}' is missing",
                "a '}' for every '{'",
            ),
            "{" => bad(self.next(), "a comma is missing before '{'", "a comma"),
            _ => bad(self.next(), message, expected),
        }
    }
}

const NAMES: &str =
    "a number such as 3 or -1/2, s for *, s2 for *2, u for up, d for down, or us for up and *";

/// Reads a form that has a name: `-3/4`, `s2`, `us`, `1/2s`.
fn read_name(word: Word<'_>) -> Read<Form> {
    if word.text.is_empty() {
        return bad(word, "a value is missing", NAMES);
    }
    let bytes = word.text.as_bytes();
    let mut at = 0;
    let mut run = |wanted: fn(u8) -> bool| {
        let from = at;
        at += bytes[from..]
            .iter()
            .take_while(|byte| wanted(**byte))
            .count();
        word.part(from, at)
    };
    let digits = |byte: u8| byte.is_ascii_digit();
    let number = run(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'/'));
    let arrow = run(|byte| matches!(byte.to_ascii_lowercase(), b'u' | b'd' | b'^' | b'v'));
    let ups = run(digits);
    let star = run(|byte| matches!(byte.to_ascii_lowercase(), b's' | b'*'));
    let stars = run(digits);
    let rest = word.part(at, word.text.len());
    if !rest.text.is_empty()
        || arrow.text.len() > 1
        || star.text.len() > 1
        || (arrow.text.is_empty() && !ups.text.is_empty())
    {
        return bad(word, format!("'{}' is not a value", word.shown()), NAMES);
    }
    let whole = match number.text {
        "" => Dyadic::default(),
        _ => read_number(number)?,
    };
    let count =
        |name: Word<'_>, digits: Word<'_>, what: &str, most: u64| match (name.text, digits.text) {
            ("", _) => Ok(0),
            (_, "") => Ok(1),
            _ => digits.number(what, 0, most, NotationCode::BadPosition, EXAMPLE),
        };
    let ups = count(arrow, ups, "the number of ups", MOST_UPS)? as i32;
    let nimber = count(star, stars, "the size of a nimber", MOST_STARS)? as u32;
    if ups == 0 {
        return Ok(Form::Plain(whole, nimber));
    }
    if !whole.is_zero() {
        let message = "a number and ups together have no name here: write them as two components, joined by +";
        return bad(word, message, NAMES);
    }
    let down = matches!(arrow.text, "d" | "D" | "v" | "V");
    Ok(Form::ups(if down { -ups } else { ups }, nimber))
}

/// Reads `-3/4`.
fn read_number(word: Word<'_>) -> Read<Dyadic> {
    let negative = word.text.starts_with('-');
    let size = word.part(usize::from(negative), word.text.len());
    let (numerator, denominator) = match size.split_once('/') {
        None => (size, None),
        Some((numerator, denominator)) => (numerator, Some(denominator)),
    };
    let part = |word: Word<'_>, what: &str, low: u64| {
        word.number(what, low, MAX_NUMBER, NotationCode::BadPosition, EXAMPLE)
    };
    let numerator = part(numerator, "a number", 0)? as i64;
    let halvings = match denominator {
        None => 0,
        Some(word) => match part(word, "a denominator", 1)? {
            power if power.is_power_of_two() => u64::from(power.ilog2()),
            _ => {
                return bad(
                    word,
                    "only powers of two can be denominators: the values of finite games are no other numbers",
                    "2, 4, 8 or another power of two",
                );
            }
        },
    };
    Ok(Dyadic::new(
        if negative { -numerator } else { numerator },
        halvings,
    ))
}

fn quoted(word: Word<'_>) -> String {
    format!("'{}'", word.shown())
}
