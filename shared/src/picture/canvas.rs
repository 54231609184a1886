//! What a picture is drawn on: shapes at whole pixels, some of them belonging to a part of the board that can be pointed at.

/// The side of a square and the distance between two stones: as large as a fingertip (WCAG 2.2, 2.5.5).
pub(super) const CELL: i32 = 44;
/// Around the whole.
pub(super) const MARGIN: i32 = 8;

/// What a shape shows. Its name is the class of the shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ink {
    /// A stone, coin, pin, mark or vertex.
    Piece,
    /// A free place.
    Free,
    /// A token that moves.
    Token,
    /// A place that is used up.
    Used,
    /// What only the first player, Left, may use.
    Left,
    /// What only the second player, Right, may use.
    Right,
    /// What leads to a loss at once.
    Poison,
    /// A line that only joins, and the ground.
    Joint,
    /// The name of a part of the board.
    Label,
    /// A letter on a stone.
    Sign,
    /// A number or sign beside the board.
    Note,
    /// Nothing to see, but room to point at.
    Room,
}

impl Ink {
    /// The class.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Piece => "piece",
            Self::Free => "free",
            Self::Token => "token",
            Self::Used => "used",
            Self::Left => "left",
            Self::Right => "right",
            Self::Poison => "poison",
            Self::Joint => "joint",
            Self::Label => "label",
            Self::Sign => "sign",
            Self::Note => "note",
            Self::Room => "room",
        }
    }
}

/// Where a text stands in relation to its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A place.
pub(super) type Point = (i32, i32);

/// The form of a shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Form {
    Disc {
        at: Point,
        radius: i32,
    },
    Rect {
        at: Point,
        size: Point,
        round: i32,
    },
    Line {
        from: Point,
        to: Point,
    },
    /// From a place to another, bent towards a third.
    Curve {
        from: Point,
        bend: Point,
        to: Point,
    },
    /// A triangle at the end of an arc.
    Tip {
        corners: [Point; 3],
    },
    Text {
        at: Point,
        anchor: Anchor,
        text: String,
    },
}

/// One shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub(super) form: Form,
    pub(super) ink: Ink,
    /// The part of the board that it belongs to.
    pub(super) part: Option<String>,
}

/// The shapes drawn so far.
#[derive(Clone, Default, Debug)]
pub(super) struct Canvas {
    pub(super) shapes: Vec<Shape>,
    /// Pixels that all shapes take.
    pub(super) width: i32,
    pub(super) height: i32,
    /// Where the current component begins.
    top: i32,
    /// The number of the component, before the names of its parts.
    prefix: String,
    part: Option<String>,
}

impl Canvas {
    /// Goes on below everything that was drawn.
    pub(super) fn below(&mut self) {
        self.top = match self.height {
            0 => 0,
            height => height + MARGIN,
        };
    }

    /// Names the parts that follow with this prefix.
    pub(super) fn within(&mut self, prefix: String) {
        self.prefix = prefix;
    }

    /// Draws the shapes of a part.
    pub(super) fn part(&mut self, name: impl AsRef<str>, draw: impl FnOnce(&mut Self)) {
        self.part = Some(format!("{}{}", self.prefix, name.as_ref()));
        draw(self);
        self.part = None;
    }

    pub(super) fn disc(&mut self, ink: Ink, at: Point, radius: i32) {
        let at = self.placed(at, (radius, radius));
        self.push(Form::Disc { at, radius }, ink);
    }

    pub(super) fn rect(&mut self, ink: Ink, at: Point, size: Point, round: i32) {
        let at = self.placed(at, size);
        self.push(Form::Rect { at, size, round }, ink);
    }

    pub(super) fn line(&mut self, ink: Ink, from: Point, to: Point) {
        let (from, to) = (self.placed(from, (0, 0)), self.placed(to, (0, 0)));
        self.push(Form::Line { from, to }, ink);
    }

    pub(super) fn curve(&mut self, ink: Ink, from: Point, bend: Point, to: Point) {
        let [from, bend, to] = [from, bend, to].map(|point| self.placed(point, (0, 0)));
        self.push(Form::Curve { from, bend, to }, ink);
    }

    pub(super) fn tip(&mut self, ink: Ink, corners: [Point; 3]) {
        let corners = corners.map(|point| self.placed(point, (0, 0)));
        self.push(Form::Tip { corners }, ink);
    }

    pub(super) fn text(&mut self, ink: Ink, at: Point, anchor: Anchor, text: &str) {
        let wide = i32::try_from(text.chars().count()).unwrap_or(i32::MAX / 16) * LETTER;
        let right = match anchor {
            Anchor::Start => wide,
            Anchor::Middle => wide / 2,
            Anchor::End => 0,
        };
        let at = self.placed(at, (right, 6));
        let text = text.to_owned();
        self.push(Form::Text { at, anchor, text }, ink);
    }

    /// A number or sign beside the board.
    pub(super) fn note(&mut self, x: i32, y: i32, text: &str) {
        self.text(Ink::Note, (x, y), Anchor::Start, text);
    }

    /// The place of a point of the component, after which so much room is taken.
    fn placed(&mut self, (x, y): Point, (right, down): Point) -> Point {
        let y = y + self.top;
        self.width = self.width.max(x + right + MARGIN);
        self.height = self.height.max(y + down + MARGIN);
        (x, y)
    }

    fn push(&mut self, form: Form, ink: Ink) {
        let part = self.part.clone();
        self.shapes.push(Shape { form, ink, part });
    }
}

/// Pixels of a letter, about.
const LETTER: i32 = 9;
