//! Lists of numbers on the command line, and errors that point into them.

use std::str::FromStr;

use grundy_words::{Catalogue, Language, Message};

use crate::exit::Exit;
use crate::failure::Failure;

/// The largest count: sums stay exact in a float.
const MOST: u64 = 1_000_000_000_000;

/// So many counts, such as `13,37,50,25,3`.
pub(super) fn counts<const N: usize>(
    text: &str,
    flag: &str,
    example: &str,
) -> Result<[u64; N], Failure> {
    let parts = list(text, ',', N, flag, example)?;
    let mut counts = [0; N];
    for (count, part) in counts.iter_mut().zip(parts) {
        let read = part.text.parse().ok().filter(|count| *count <= MOST);
        *count = read.ok_or_else(|| part.failure(text, flag, "count", example))?;
    }
    Ok(counts)
}

/// So many decimal numbers, such as `1500,200,0.06`.
pub(super) fn decimals<const N: usize>(
    text: &str,
    flag: &str,
    example: &str,
) -> Result<[f64; N], Failure> {
    let parts = list(text, ',', N, flag, example)?;
    let mut decimals = [0.0; N];
    for (decimal, part) in decimals.iter_mut().zip(parts) {
        *decimal = finite(part.text).ok_or_else(|| part.failure(text, flag, "number", example))?;
    }
    Ok(decimals)
}

/// A finite number.
fn finite(text: &str) -> Option<f64> {
    f64::from_str(text).ok().filter(|number| number.is_finite())
}

/// One item of a list.
struct Part<'t> {
    text: &'t str,
    /// The first character, from 1.
    column: usize,
}

impl Part<'_> {
    fn failure(&self, whole: &str, flag: &str, kind: &str, example: &str) -> Failure {
        let shown = crate::render::short(&crate::render::clean(self.text));
        let expected = Message::new("number-expected")
            .text("kind", kind)
            .text("most", MOST);
        let message = Message::new("number-bad")
            .text("flag", flag)
            .text("text", shown)
            .message("expected", expected.clone());
        let length = self.text.chars().count();
        let expected = expected.said(Catalogue::of(Language::English));
        Failure::told(Exit::Usage, "bad_number", message)
            .at(whole, self.column, self.column + length.max(1), &expected)
            .help(such_as(flag, example))
    }
}

fn list<'t>(
    text: &'t str,
    separator: char,
    size: usize,
    flag: &str,
    example: &str,
) -> Result<Vec<Part<'t>>, Failure> {
    let mut column = 1;
    let parts: Vec<Part<'t>> = text
        .split(separator)
        .map(|part| {
            let indent = part.chars().take_while(|c| *c == ' ').count();
            let item = Part {
                text: part.trim_matches(' '),
                column: column + indent,
            };
            column += part.chars().count() + 1;
            item
        })
        .collect();
    if parts.len() == size {
        return Ok(parts);
    }
    let message = Message::new("numbers-wanted")
        .text("flag", flag)
        .text("wanted", size)
        .text("got", parts.len());
    Err(Failure::told(Exit::Usage, "bad_number", message).help(such_as(flag, example)))
}

/// What may be typed.
pub(super) fn such_as(flag: &str, example: &str) -> Message {
    Message::new("such-as").text("example", format!("{flag} {example}"))
}
