//! Lines of a drawing: pieces of text, each with what it shows, so that colour can be added and is never the only sign.

use anstyle::{AnsiColor, Style};
use grundy_words::{Catalogue, Language, Message};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// What a piece of a drawing shows. A theme of the terminal decides how a colour looks: only its sixteen names are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ink {
    /// Lines, spaces, free places.
    Plain,
    /// The name of a heap, row or place.
    Label,
    /// A stone, coin, pin, mark or token.
    Piece,
    /// What only the first player, Left, may cut.
    Left,
    /// What only the second player, Right, may cut.
    Right,
    /// What both may cut.
    Both,
    /// A remark about the drawing.
    Note,
}

impl Ink {
    fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Label => Style::new().bold(),
            Self::Piece => AnsiColor::Yellow.on_default(),
            Self::Left => AnsiColor::Blue.on_default().bold(),
            Self::Right => AnsiColor::Red.on_default(),
            Self::Both => AnsiColor::Green.on_default(),
            Self::Note => Style::new().dimmed(),
        }
    }
}

/// The characters of a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Glyphs {
    pub(super) stone: char,
    pub(super) token: char,
    pub(super) free: char,
    pub(super) covered: char,
    pub(super) poison: char,
}

impl Glyphs {
    /// For every terminal.
    pub(crate) const ASCII: Self = Self {
        stone: 'o',
        token: '@',
        free: '.',
        covered: '#',
        poison: '!',
    };
    /// One column wide in every locale: no sign whose East Asian width is ambiguous (Unicode TR 11).
    pub(crate) const UNICODE: Self = Self {
        stone: '\u{25c9}',
        token: '\u{25c9}',
        free: '\u{2219}',
        covered: '\u{25aa}',
        poison: '\u{2717}',
    };
}

/// How a drawing is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Columns that it may take.
    pub(crate) width: usize,
    /// Lines that it may take.
    pub(crate) rows: usize,
    /// Its characters.
    pub(crate) glyphs: Glyphs,
    /// The language of its notes.
    pub(crate) language: Language,
}

impl Frame {
    /// A note in its language.
    pub(super) fn say(&self, note: &'static str) -> String {
        self.said(Message::new(note))
    }

    /// The same, with variables.
    pub(super) fn said(&self, note: Message) -> String {
        note.said(Catalogue::of(self.language))
    }
}

/// A line of a drawing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Line(Vec<(Ink, String)>);

impl Line {
    /// An indented line.
    pub(super) fn new() -> Self {
        Self::default().plain(" ")
    }

    /// A line with a remark, cut to the width.
    pub(super) fn note(words: &str, frame: &Frame) -> Self {
        let room = frame.width.saturating_sub(1);
        let mut shown = words.to_owned();
        if words.width() > room {
            let mut left = room.saturating_sub(3);
            let fits = words.chars().take_while(|sign| {
                let width = sign.width().unwrap_or(0);
                let fits = width <= left;
                left = left.saturating_sub(width);
                fits
            });
            shown = fits.chain("...".chars()).collect();
        }
        Self::new().put(Ink::Note, shown)
    }

    pub(super) fn put(mut self, ink: Ink, text: impl Into<String>) -> Self {
        self.0.push((ink, text.into()));
        self
    }

    pub(super) fn plain(self, text: impl Into<String>) -> Self {
        self.put(Ink::Plain, text)
    }

    /// Spaces up to this column, counted from 0.
    pub(super) fn to(self, column: usize) -> Self {
        let gap = column.saturating_sub(self.width());
        self.plain(" ".repeat(gap))
    }

    pub(super) fn width(&self) -> usize {
        self.0.iter().map(|(_, text)| text.width()).sum()
    }
}

/// A move that can be typed as the drawing shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Label {
    /// As shown: `c`.
    pub(crate) shown: String,
    /// The move: `1-2`.
    pub(crate) mv: String,
}

/// A place of the board that a move can change, and where it is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Site {
    /// Its name, the same in each drawing of a match.
    pub(crate) name: String,
    /// Its content. An empty place has the same content as one that a drawing lacks.
    pub(crate) holds: String,
    /// Its cells, by line and column.
    pub(crate) cells: Vec<(usize, usize)>,
}

/// A drawing, and the moves that its labels stand for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Drawing {
    pub(super) lines: Vec<Line>,
    pub(super) labels: Vec<Label>,
    pub(super) sites: Vec<Site>,
}

impl Drawing {
    pub(super) fn push(&mut self, line: Line) {
        self.lines.push(line);
    }

    pub(super) fn label(&mut self, shown: impl Into<String>, mv: impl Into<String>) {
        self.labels.push(Label {
            shown: shown.into(),
            mv: mv.into(),
        });
    }

    /// Names a place of the board whose cells are in these columns of a line.
    pub(super) fn site(
        &mut self,
        name: String,
        holds: impl Into<String>,
        row: usize,
        columns: std::ops::Range<usize>,
    ) {
        self.sites.push(Site {
            name,
            holds: holds.into(),
            cells: columns.map(|column| (row, column)).collect(),
        });
    }

    /// The places of the board, if its kind names them.
    pub(crate) fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// The moves that its labels stand for.
    pub(crate) fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// Its lines, each as pieces of text with what they show.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = &[(Ink, String)]> {
        self.lines.iter().map(|line| line.0.as_slice())
    }

    /// Its lines with the escapes of colours, which the writer leaves out where colour is not wanted.
    pub(crate) fn coloured(&self) -> String {
        let line = |line: &Line| {
            let pieces = line.0.iter().map(|(ink, text)| match ink {
                Ink::Plain => text.clone(),
                ink => {
                    let style = ink.style();
                    format!("{style}{text}{style:#}")
                }
            });
            pieces.collect::<String>().trim_end().to_owned() + "\n"
        };
        self.lines.iter().map(line).collect()
    }

    /// Its lines without colour.
    pub(crate) fn text(&self) -> String {
        let line = |line: &Line| {
            let pieces = line.0.iter().map(|(_, text)| text.as_str());
            pieces.collect::<String>().trim_end().to_owned() + "\n"
        };
        self.lines.iter().map(line).collect()
    }
}

/// As many characters in a row.
pub(super) fn row_of(glyph: char, count: usize) -> String {
    std::iter::repeat_n(glyph, count).collect()
}

/// The columns that a number takes.
pub(super) fn digits(number: u64) -> usize {
    number.to_string().len()
}
