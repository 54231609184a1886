//! Reading a report, line by line.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use super::{Trf, TrfError, TrfPlayer, TrfProblem, WIN};
use crate::tournament::cross_table::{Colour, CrossTable, Entry, HalfPoints, TableError};
use crate::tournament::schedule::MAX_PLAYERS;

/// Column of the first round's opponent, counted from 0.
const FIRST_ROUND: usize = 91;
/// Columns of a round.
const ROUND_WIDTH: usize = 10;
/// Columns of a round without the blanks before the next.
const ENTRY_WIDTH: usize = 8;
/// The most rounds of a tournament.
const MAX_ROUNDS: usize = 999;
/// Codes that change the pairing or the points in ways that are not supported, and what they are.
const UNSUPPORTED: [(&str, &str); 15] = [
    ("013", "team tournaments"),
    ("310", "team tournaments"),
    ("XXA", "accelerated rounds"),
    ("250", "accelerated rounds"),
    ("XXS", "points other than 1, 1/2 and 0"),
    ("162", "points other than 1, 1/2 and 0"),
    ("BBW", "points other than 1, 1/2 and 0"),
    ("BBD", "points other than 1, 1/2 and 0"),
    ("BBL", "points other than 1, 1/2 and 0"),
    ("BBZ", "points other than 1, 1/2 and 0"),
    ("BBF", "points other than 1, 1/2 and 0"),
    ("BBU", "points other than 1, 1/2 and 0"),
    (
        "240",
        "byes of TRF-26; write them into the column of the round, or use XXZ",
    ),
    ("260", "forbidden pairs of TRF-26; use XXP"),
    ("299", "abnormal points of TRF-26"),
];

/// Reads lines into the parts of a report.
#[derive(Default)]
struct Reader {
    headers: Vec<(String, String)>,
    lines: BTreeMap<u32, PlayerLine>,
    total_rounds: Option<Stated<usize>>,
    initial_colour: Option<Stated<Colour>>,
    absent: Vec<(usize, u32)>,
    forbidden: Vec<(usize, Vec<u32>)>,
}

/// A setting of the whole tournament, and where the file states it.
struct Stated<T> {
    value: T,
    line: usize,
    words: String,
}

impl<T: PartialEq> Stated<T> {
    /// Keeps the setting. A file may state it twice, but only as the same.
    fn keep(self, kept: &mut Option<Self>) -> Result<(), TrfError> {
        match kept {
            Some(other) if other.value != self.value => Err(TrfError {
                line: self.line,
                column: None,
                problem: TrfProblem::Contradiction {
                    stated: self.words,
                    other: other.words.clone(),
                    line: other.line,
                },
            }),
            Some(_) => Ok(()),
            None => {
                *kept = Some(self);
                Ok(())
            }
        }
    }
}

/// One player's line, read.
struct PlayerLine {
    line: usize,
    player: TrfPlayer,
    points: HalfPoints,
    /// `None` for a blank entry.
    entries: Vec<Option<Entry>>,
}

impl FromStr for Trf {
    type Err = TrfError;

    /// Reads a report; lines end with a line feed, a carriage return, or both.
    fn from_str(text: &str) -> Result<Self, TrfError> {
        let mut reader = Reader::default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let unified = text.replace("\r\n", "\n").replace('\r', "\n");
        for (place, line) in unified.split('\n').enumerate() {
            reader.line(place + 1, line.trim_end())?;
        }
        reader.finish()
    }
}

impl Reader {
    fn line(&mut self, line: usize, text: &str) -> Result<(), TrfError> {
        let at = |problem| TrfError {
            line,
            column: None,
            problem,
        };
        let Some((code, rest)) = text.split_at_checked(3) else {
            return match text.trim().is_empty() {
                true => Ok(()),
                false => Err(at(bad(text, "a line of a report, such as '001 …'"))),
            };
        };
        if let Some((code, what)) = UNSUPPORTED.iter().find(|(known, _)| *known == code) {
            return Err(at(TrfProblem::Unsupported((*code).to_owned(), what)));
        }
        match code {
            "001" => {
                let (number, player) = player_line(line, text)?;
                if self.lines.insert(number, player).is_some() {
                    return Err(at(TrfProblem::RepeatedNumber(number)));
                }
            }
            "XXR" | "142" => {
                let rounds = rest.trim().parse().ok();
                let rounds = rounds.filter(|rounds| (1..=MAX_ROUNDS).contains(rounds));
                let expected = "a number of rounds from 1 to 999, such as 'XXR 9'";
                let value = rounds.ok_or_else(|| at(bad(rest, expected)))?;
                let words = format!("{code} {value}");
                Stated { value, line, words }.keep(&mut self.total_rounds)?;
            }
            "XXC" => {
                for word in rest.split_whitespace() {
                    let value = match word.to_ascii_lowercase().as_str() {
                        "white1" => Colour::White,
                        "black1" => Colour::Black,
                        _ => return Err(at(bad(word, "a setting: 'XXC white1' or 'XXC black1'"))),
                    };
                    let words = format!("{code} {word}");
                    Stated { value, line, words }.keep(&mut self.initial_colour)?;
                }
            }
            "152" => {
                let value = match rest.trim() {
                    "W" => Colour::White,
                    "B" => Colour::Black,
                    _ => return Err(at(bad(rest, "a colour: '152 W' or '152 B'"))),
                };
                let words = format!("{code} {}", rest.trim());
                Stated { value, line, words }.keep(&mut self.initial_colour)?;
            }
            "XXZ" | "XXP" => {
                let numbers: Option<Vec<u32>> = rest
                    .split_whitespace()
                    .map(|word| word.parse().ok())
                    .collect();
                let numbers = numbers
                    .ok_or_else(|| at(bad(rest, "a list of players' numbers, such as '3 14'")))?;
                if code == "XXZ" {
                    self.absent
                        .extend(numbers.into_iter().map(|number| (line, number)));
                } else {
                    self.forbidden.push((line, numbers));
                }
            }
            _ => self.headers.push((code.to_owned(), rest.to_owned())),
        }
        Ok(())
    }

    fn finish(self) -> Result<Trf, TrfError> {
        let whole = |problem| TrfError {
            line: 1,
            column: None,
            problem,
        };
        let count = self.lines.len() as u32;
        if count == 0 {
            return Err(whole(TrfProblem::NoPlayers));
        }
        if let Some(missing) = (1..=count).find(|number| !self.lines.contains_key(number)) {
            return Err(whole(TrfProblem::MissingNumber(missing)));
        }
        let known = |(line, number): (usize, u32)| match (1..=count).contains(&number) {
            true => Ok(number),
            false => Err(TrfError {
                line,
                column: None,
                problem: TrfProblem::NoSuchPlayer(number),
            }),
        };
        let absent = self
            .absent
            .into_iter()
            .map(known)
            .collect::<Result<_, _>>()?;
        let mut forbidden = BTreeSet::new();
        for (line, numbers) in self.forbidden {
            for one in &numbers {
                known((line, *one))?;
                let others = numbers.iter().filter(|two| one < *two);
                forbidden.extend(others.map(|two| (*one, *two)));
            }
        }
        let (table, next_byes) = rounds_of(&self.lines)?;
        let total_rounds = self.total_rounds.map(|stated| stated.value);
        if let Some(total) = total_rounds.filter(|total| *total < table.rounds()) {
            let played = table.rounds();
            return Err(whole(TrfProblem::TooManyRounds { played, total }));
        }
        for (number, line) in &self.lines {
            check_points(*number, line, &table, next_byes.get(number))?;
        }
        Ok(Trf {
            headers: self.headers,
            players: self.lines.into_values().map(|line| line.player).collect(),
            table,
            next_byes,
            total_rounds,
            initial_colour: self.initial_colour.map(|stated| stated.value),
            absent,
            forbidden,
        })
    }
}

/// Splits the entries into finished rounds and byes of the next. A round is finished if anybody was paired in it, if a
/// later one has an entry, or if everybody has one.
fn rounds_of(
    lines: &BTreeMap<u32, PlayerLine>,
) -> Result<(CrossTable, BTreeMap<u32, Entry>), TrfError> {
    let mut finished = 0;
    for line in lines.values() {
        for (round, entry) in line.entries.iter().enumerate() {
            match entry {
                Some(entry) if entry.is_paired() => finished = finished.max(round + 1),
                Some(_) => finished = finished.max(round),
                None => {}
            }
        }
    }
    let has_next = |line: &PlayerLine| line.entries.get(finished).is_some_and(Option::is_some);
    if lines.values().all(has_next) {
        finished += 1;
    }
    let entry_of = |line: &PlayerLine, round: usize| {
        let entry = line.entries.get(round).copied().flatten();
        entry.unwrap_or(Entry::ZeroBye)
    };
    let rows = lines
        .values()
        .map(|line| (0..finished).map(|round| entry_of(line, round)).collect())
        .collect();
    let table = CrossTable::from_rows(rows, WIN).map_err(|error| {
        let (player, round) = match error {
            TableError::NoSuchPlayer { player, round, .. }
            | TableError::Itself { player, round }
            | TableError::Mismatch { player, round, .. }
            | TableError::TooManyPoints { player, round } => (player, round),
            TableError::Rounds { player, .. } => (player, 1),
        };
        TrfError {
            line: lines.get(&player).map_or(1, |line| line.line),
            column: Some(FIRST_ROUND + ROUND_WIDTH * (round - 1) + 1),
            problem: TrfProblem::Table(error),
        }
    })?;
    let next_byes = lines.iter().filter_map(|(number, line)| {
        let entry = line.entries.get(finished).copied().flatten()?;
        Some((*number, entry))
    });
    Ok((table, next_byes.collect()))
}

/// The stated points are those of the finished rounds, or include a bye of the next.
fn check_points(
    number: u32,
    line: &PlayerLine,
    table: &CrossTable,
    next: Option<&Entry>,
) -> Result<(), TrfError> {
    let counted = table.points(number);
    let with_next = counted.0 + next.map_or(0, |entry| entry.points(WIN).0);
    if line.points == counted || line.points.0 == with_next {
        return Ok(());
    }
    Err(TrfError {
        line: line.line,
        column: Some(81),
        problem: TrfProblem::WrongPoints {
            player: number,
            stated: line.points,
            counted,
        },
    })
}

fn bad(found: &str, expected: &'static str) -> TrfProblem {
    TrfProblem::BadField {
        found: found.trim().to_owned(),
        expected,
    }
}

/// Reads a `001` line.
fn player_line(line: usize, text: &str) -> Result<(u32, PlayerLine), TrfError> {
    let columns: Vec<char> = text.chars().collect();
    let at = |column: usize, problem| TrfError {
        line,
        column: Some(column + 1),
        problem,
    };
    if columns.len() < 84 {
        return Err(TrfError {
            line,
            column: None,
            problem: TrfProblem::ShortLine(columns.len()),
        });
    }
    let field = |from: usize, to: usize| -> String {
        let end = to.min(columns.len());
        let part = columns.get(from..end).unwrap_or_default();
        part.iter().collect::<String>().trim().to_owned()
    };
    let blank = |column: usize| match columns.get(column) {
        None | Some(' ') => Ok(()),
        Some(_) => Err(at(column, TrfProblem::NotBlank)),
    };
    if columns[4..9].iter().all(char::is_ascii_digit) {
        return Err(at(8, TrfProblem::LongNumber));
    }
    let number = field(4, 8)
        .parse()
        .ok()
        .filter(|number| (1..=MAX_PLAYERS).contains(number));
    let number =
        number.ok_or_else(|| at(4, bad(&field(4, 8), "a player's number from 1 to 9999")))?;
    let optional = |from: usize, to: usize, expected| match field(from, to) {
        text if text.is_empty() => Ok(None),
        text => match text.parse::<u32>() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(at(from, bad(&text, expected))),
        },
    };
    let rating = optional(48, 52, "a rating, such as 1850")?;
    let rank = optional(85, 89, "a rank, such as 3")?;
    for column in [84, 89, 90] {
        blank(column)?;
    }
    let points = half_points(&field(80, 84))
        .ok_or_else(|| at(80, bad(&field(80, 84), "a number of points, such as 2.5")))?;
    let mut entries = Vec::new();
    let mut start = FIRST_ROUND;
    while start < columns.len() {
        if entries.len() == MAX_ROUNDS {
            return Err(at(start, bad("more", "a round: there are at most 999")));
        }
        let round = entries.len() + 1;
        entries.push(entry(&columns, start, round).map_err(|problem| at(start, problem))?);
        for column in [4, 6, 8, 9] {
            blank(start + column)?;
        }
        start += ROUND_WIDTH;
    }
    let player = TrfPlayer {
        sex: field(9, 10),
        title: field(10, 13),
        name: field(14, 47),
        rating: rating.unwrap_or_default(),
        federation: field(53, 56),
        fide_number: field(57, 68),
        birth: field(69, 79),
        rank,
    };
    let read = PlayerLine {
        line,
        player,
        points,
        entries,
    };
    Ok((number, read))
}

/// Reads the entry of one round; `None` if it is blank.
fn entry(columns: &[char], start: usize, round: usize) -> Result<Option<Entry>, TrfProblem> {
    let mut cells = [' '; ENTRY_WIDTH];
    for (cell, column) in cells.iter_mut().zip(columns.iter().skip(start)) {
        *cell = *column;
    }
    let opponent: String = cells[..4].iter().collect();
    let opponent = match opponent.trim() {
        "" => 0,
        text => text
            .parse::<u32>()
            .map_err(|_| bad(text, "an opponent's number, or 0000 for none"))?,
    };
    let (colour, result) = (cells[5], cells[7]);
    let is_blank = opponent == 0 && colour == ' ' && result == ' ';
    let side = match colour {
        'w' | 'W' => Some(Colour::White),
        'b' | 'B' => Some(Colour::Black),
        '-' | ' ' => None,
        _ => return Err(bad(&colour.to_string(), "a colour: w, b or -")),
    };
    let letter = result.to_ascii_uppercase();
    if opponent == 0 {
        if side.is_some() {
            return Err(bad(&colour.to_string(), "the colour of a bye, which is -"));
        }
        return Ok(match letter {
            _ if is_blank => None,
            'U' | '+' => Some(Entry::PairingBye),
            'F' => Some(Entry::FullBye),
            'H' | '=' => Some(Entry::HalfBye),
            'Z' | '-' | ' ' | '0' => Some(Entry::ZeroBye),
            _ => return Err(bad(&result.to_string(), "a bye: U, F, H or Z")),
        });
    }
    if letter == '+' || letter == '-' {
        return Ok(Some(Entry::Forfeit {
            opponent,
            colour: side,
            won: letter == '+',
        }));
    }
    let score = match letter {
        '1' | 'W' => WIN,
        '=' | 'D' => HalfPoints(1),
        '0' | 'L' => HalfPoints(0),
        ' ' => return Err(TrfProblem::CutEntry(round)),
        _ => {
            return Err(bad(
                &result.to_string(),
                "a result: 1, = or 0; + or - for a forfeit",
            ));
        }
    };
    let colour = side.ok_or_else(|| bad(&colour.to_string(), "the colour of a game: w or b"))?;
    Ok(Some(Entry::Played {
        opponent,
        colour,
        score,
    }))
}

/// Reads points such as `3`, `3.0` and `2.5`.
fn half_points(text: &str) -> Option<HalfPoints> {
    let (whole, half) = match text.split_once('.') {
        None => (text, 0),
        Some((whole, "0")) => (whole, 0),
        Some((whole, "5")) => (whole, 1),
        Some(_) => return None,
    };
    let is_number = !whole.is_empty() && whole.bytes().all(|byte| byte.is_ascii_digit());
    let whole: u32 = whole.parse().ok().filter(|_| is_number)?;
    whole.checked_mul(2)?.checked_add(half).map(HalfPoints)
}
