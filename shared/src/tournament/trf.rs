//! FIDE's tournament report file, TRF-16, with the extensions `XXR`, `XXC`, `XXZ` and `XXP` of pairing programs.
//!
//! A `001` line is one player; its columns, counted from 1: 5-8 number, 10 sex, 11-13 title, 15-47 name, 49-52 rating,
//! 54-56 federation, 58-68 FIDE number, 70-79 birth, 81-84 points, 86-89 rank, and from 92 on ten columns a round:
//! opponent (four), colour, result. Other lines begin with a code of three characters and are kept as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use super::cross_table::{Colour, CrossTable, Entry, HalfPoints, TableError};
use super::schedule::MAX_PLAYERS;
use super::swiss::SwissRules;

/// What a game is worth in a report, in half points.
const WIN: HalfPoints = HalfPoints(2);
/// Column of the first round's opponent, counted from 0.
const FIRST_ROUND: usize = 91;
/// Columns of a round.
const ROUND_WIDTH: usize = 10;
/// Columns of a round without the blanks before the next.
const ENTRY_WIDTH: usize = 8;
/// The most rounds of a tournament.
const MAX_ROUNDS: usize = 999;

/// A player's line without the results.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TrfPlayer {
    /// `m`, `w` or blank.
    pub sex: String,
    /// `GM`, `IM`, …
    pub title: String,
    /// At most 33 characters.
    pub name: String,
    /// FIDE's rating, 0 if there is none.
    pub rating: u32,
    /// Three letters.
    pub federation: String,
    /// FIDE's number of the player.
    pub fide_number: String,
    /// The date of birth.
    pub birth: String,
    /// The place in the standings, if the file states it.
    pub rank: Option<u32>,
}

/// A tournament report: players, finished rounds, and what is known of the next one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trf {
    /// All other lines, in their order: code and the rest of the line.
    pub headers: Vec<(String, String)>,
    /// The players by number, from 1.
    pub players: Vec<TrfPlayer>,
    /// The finished rounds.
    pub table: CrossTable,
    /// Byes already given for the next round.
    pub next_byes: BTreeMap<u32, Entry>,
    /// `XXR`: how many rounds the tournament has.
    pub total_rounds: Option<usize>,
    /// `XXC white1` or `black1`: the first player's colour in the first round.
    pub initial_colour: Option<Colour>,
    /// `XXZ`: who does not play in the next round.
    pub absent: BTreeSet<u32>,
    /// `XXP`: who must not meet, the smaller number first.
    pub forbidden: BTreeSet<(u32, u32)>,
}

/// A line that cannot be read: where, and what is expected there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}{}: {problem}", Column(*column))]
pub struct TrfError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, if one is at fault.
    pub column: Option<usize>,
    /// What is wrong there.
    pub problem: TrfProblem,
}

struct Column(Option<usize>);

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(column) => write!(f, ", column {column}"),
            None => Ok(()),
        }
    }
}

/// What can be wrong in a report.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its variant is")]
pub enum TrfProblem {
    #[error("the file has no player (no line that begins with 001)")]
    NoPlayers,
    #[error("a player's line needs at least 84 columns, this one has {0}")]
    ShortLine(usize),
    #[error(
        "the entry of round {0} is cut off: it needs opponent, colour and result, such as '   4 w 1'"
    )]
    CutEntry(usize),
    #[error("'{found}' is not {expected}")]
    BadField {
        found: String,
        expected: &'static str,
    },
    #[error("this column must be blank: the line is out of step")]
    NotBlank,
    #[error("two players have the number {0}")]
    RepeatedNumber(u32),
    #[error("no player has the number {0}; the numbers must be 1 to the number of players")]
    MissingNumber(u32),
    #[error("player {player} has {stated} points here, but {counted} by the results")]
    WrongPoints {
        player: u32,
        stated: HalfPoints,
        counted: HalfPoints,
    },
    #[error("{0}")]
    Table(TableError),
    #[error("the file has {played} finished rounds, but the tournament only {total}")]
    TooManyRounds { played: usize, total: usize },
    #[error("{0} lines are not supported: {1}")]
    Unsupported(String, &'static str),
    #[error("there is no player {0}")]
    NoSuchPlayer(u32),
}

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

impl Trf {
    /// What the Dutch system needs to pair the next round; `None` if the file does not say how many rounds there are. A
    /// colour that is neither stated nor shown by the first round is White.
    #[must_use]
    pub fn swiss_rules(&self) -> Option<SwissRules> {
        let mut rules = SwissRules::new(self.total_rounds?);
        rules.initial_colour = self
            .initial_colour
            .or_else(|| self.drawn_colour())
            .unwrap_or(Colour::White);
        rules.absent = self.absent.clone();
        rules.absent.extend(self.next_byes.keys());
        rules.forbidden = self.forbidden.clone();
        Some(rules)
    }

    /// The initial colour that the first round with a colour shows: that of its first player, or the opposite of the
    /// second's, and so on, counting those who took part by then.
    fn drawn_colour(&self) -> Option<Colour> {
        let colour = |entry: &Entry| match entry {
            Entry::Played { colour, .. } => Some(*colour),
            Entry::Forfeit { colour, .. } => *colour,
            _ => None,
        };
        let rounds = 0..self.table.rounds();
        let rows = || self.table.numbers().map(|number| self.table.row(number));
        let first = rounds
            .into_iter()
            .find(|round| rows().any(|row| row.get(*round).and_then(colour).is_some()))?;
        let took_part = rows().filter(|row| row[..=first].iter().any(|entry| entry.is_paired()));
        took_part
            .enumerate()
            .find_map(|(place, row)| Some((place, colour(&row[first])?)))
            .map(|(place, colour)| {
                if place % 2 == 0 {
                    colour
                } else {
                    colour.other()
                }
            })
    }
}

/// Reads lines into the parts of a report.
#[derive(Default)]
struct Reader {
    headers: Vec<(String, String)>,
    lines: BTreeMap<u32, PlayerLine>,
    total_rounds: Option<usize>,
    initial_colour: Option<Colour>,
    absent: Vec<(usize, u32)>,
    forbidden: Vec<(usize, Vec<u32>)>,
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
                self.total_rounds = Some(rounds.ok_or_else(|| at(bad(rest, expected)))?);
            }
            "XXC" => {
                for word in rest.split_whitespace() {
                    self.initial_colour = Some(match word.to_ascii_lowercase().as_str() {
                        "white1" => Colour::White,
                        "black1" => Colour::Black,
                        _ => return Err(at(bad(word, "a setting: 'XXC white1' or 'XXC black1'"))),
                    });
                }
            }
            "152" => {
                self.initial_colour = Some(match rest.trim() {
                    "W" => Colour::White,
                    "B" => Colour::Black,
                    _ => return Err(at(bad(rest, "a colour: '152 W' or '152 B'"))),
                });
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
        if let Some(total) = self.total_rounds.filter(|total| *total < table.rounds()) {
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
            total_rounds: self.total_rounds,
            initial_colour: self.initial_colour,
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

impl fmt::Display for Trf {
    /// The report as a file, each line ended by a line feed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (code, rest) in &self.headers {
            writeln!(f, "{code}{rest}")?;
        }
        for (place, player) in self.players.iter().enumerate() {
            let number = place as u32 + 1;
            let cut = |text: &str, most: usize| text.chars().take(most).collect::<String>();
            let rating = match player.rating {
                0 => String::new(),
                rating => rating.to_string(),
            };
            let rank = player.rank.map(|rank| rank.to_string());
            let mut line = format!(
                "001 {number:>4} {:1}{:>3} {:<33} {rating:>4} {:<3} {:>11} {:<10} {:>4} {:>4}",
                cut(&player.sex, 1),
                cut(&player.title, 3),
                cut(&player.name, 33),
                cut(&player.federation, 3),
                cut(&player.fide_number, 11),
                cut(&player.birth, 10),
                self.table.points(number),
                rank.unwrap_or_default(),
            );
            let next = self.next_byes.get(&number);
            for entry in self.table.row(number).iter().chain(next) {
                line.push_str("  ");
                line.push_str(&entry_text(*entry));
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        if let Some(rounds) = self.total_rounds {
            writeln!(f, "XXR {rounds}")?;
        }
        if let Some(colour) = self.initial_colour {
            let word = match colour {
                Colour::White => "white1",
                Colour::Black => "black1",
            };
            writeln!(f, "XXC {word}")?;
        }
        if !self.absent.is_empty() {
            let numbers: Vec<String> = self.absent.iter().map(u32::to_string).collect();
            writeln!(f, "XXZ {}", numbers.join(" "))?;
        }
        for (one, two) in &self.forbidden {
            writeln!(f, "XXP {one} {two}")?;
        }
        Ok(())
    }
}

/// The eight columns of an entry. A score between a win, a draw and a loss has no letter and is written as the next lower.
fn entry_text(entry: Entry) -> String {
    let letter = |colour: Option<Colour>| match colour {
        Some(Colour::White) => 'w',
        Some(Colour::Black) => 'b',
        None => '-',
    };
    match entry {
        Entry::Played {
            opponent,
            colour,
            score,
        } => {
            let result = match score.0 {
                0 => '0',
                1 => '=',
                _ => '1',
            };
            format!("{opponent:>4} {} {result}", letter(Some(colour)))
        }
        Entry::Forfeit {
            opponent,
            colour,
            won,
        } => {
            let result = if won { '+' } else { '-' };
            format!("{opponent:>4} {} {result}", letter(colour))
        }
        Entry::PairingBye => "0000 - U".to_owned(),
        Entry::FullBye => "0000 - F".to_owned(),
        Entry::HalfBye => "0000 - H".to_owned(),
        Entry::ZeroBye => "0000 - Z".to_owned(),
    }
}

#[cfg(test)]
mod tests;
