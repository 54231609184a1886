//! Pictures as SVG that needs nothing from outside.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use super::Picture;
use super::canvas::{Anchor, Form, Shape};
use super::mark::Mark;
use crate::xml::Escaped;

/// Blue and orange are told apart with every kind of colour vision (Okabe, Ito 2008); solid and dashed lines with none.
const STYLE: &str = "\
text{font:16px system-ui,sans-serif;fill:#1b1f24}.label{font-weight:bold}.note{fill:#4a545e}.sign{font-weight:bold;fill:#fff}\
.back{fill:#fff}.piece{fill:#0072b2}.free{fill:#f2f4f6;stroke:#6b7682}.token{fill:#9a4100}.used{fill:#6b7682;stroke:#6b7682}\
.poison{fill:#fff;stroke:#9a4100;stroke-width:3}.left{fill:#0072b2;stroke:#0072b2}.right{fill:#9a4100;stroke:#9a4100;stroke-dasharray:7 4}\
.joint{fill:none;stroke:#6b7682}.room{fill:#fff;fill-opacity:0;stroke:#fff;stroke-opacity:0}\
line,path{fill:none;stroke-width:3}line.piece,path.piece{fill:none;stroke:#0a7a4b;stroke-width:4}line.left,path.left,line.right,path.right{fill:none;stroke-width:4}\
line.room,path.room{stroke-width:28}\
@media(prefers-color-scheme:dark){text{fill:#e8ecf0}.note{fill:#a7b0ba}.sign{fill:#14181d}.back{fill:#14181d}.piece{fill:#56b4e9}\
.free{fill:#20262d;stroke:#8a949e}.token{fill:#e69f00}.used{fill:#8a949e;stroke:#8a949e}.poison{fill:#14181d;stroke:#e69f00}\
.left{fill:#56b4e9;stroke:#56b4e9}.right{fill:#e69f00;stroke:#e69f00}.joint{stroke:#8a949e}line.piece,path.piece{stroke:#4fd09a}\
line.left,path.left,line.right,path.right,path.piece{fill:none}}";

/// What sets parts of a picture apart from the others.
#[derive(Clone, Copy)]
enum Apart<'a> {
    Nothing,
    Chosen(&'a [String]),
    Marked(&'a BTreeMap<String, Mark>),
}

impl<'a> Apart<'a> {
    fn class(self, part: &String) -> &'static str {
        match self {
            Self::Chosen(chosen) if chosen.contains(part) => "part chosen",
            Self::Nothing | Self::Chosen(_) | Self::Marked(_) => "part",
        }
    }

    fn mark(self, part: &str) -> Option<&'a Mark> {
        match self {
            Self::Nothing | Self::Chosen(_) => None,
            Self::Marked(marks) => marks.get(part),
        }
    }

    /// What is in an image is nothing by itself for a screen reader, so a picture with links is a group.
    fn role(self) -> &'static str {
        match self {
            Self::Marked(marks) if !marks.is_empty() => "group",
            Self::Nothing | Self::Chosen(_) | Self::Marked(_) => "img",
        }
    }
}

impl Picture {
    /// The picture as one file without scripts and links, light or dark as the reader's screen is.
    #[must_use]
    pub fn svg(&self) -> String {
        self.written(Some(STYLE), Apart::Nothing)
    }

    /// The picture as part of a page, whose style sheet says how its classes look.
    #[must_use]
    pub fn inline_svg(&self) -> String {
        self.written(None, Apart::Nothing)
    }

    /// The same, where the parts with these names have the class `chosen`.
    #[must_use]
    pub fn chosen_svg(&self, chosen: &[String]) -> String {
        self.written(None, Apart::Chosen(chosen))
    }

    /// The same with marks on parts, by the names of the parts. A marked part is a link.
    #[must_use]
    pub fn marked_svg(&self, marks: &BTreeMap<String, Mark>) -> String {
        self.written(None, Apart::Marked(marks))
    }

    fn written(&self, style: Option<&str>, apart: Apart<'_>) -> String {
        let mut text = String::new();
        self.write(style, apart, &mut text)
            .expect("writing to a String cannot fail");
        text
    }

    fn write(&self, style: Option<&str>, apart: Apart<'_>, text: &mut String) -> fmt::Result {
        let (width, height) = (self.canvas.width, self.canvas.height);
        write!(
            text,
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="{}" aria-label="{}">"#,
            apart.role(),
            Escaped(&self.label)
        )?;
        if let Some(style) = style {
            write!(text, "<style>{style}</style>")?;
            text.push_str(r#"<rect class="back" width="100%" height="100%"/>"#);
        }
        for shapes in self
            .canvas
            .shapes
            .chunk_by(|one, next| one.part == next.part)
        {
            let part = shapes.first().and_then(|shape| shape.part.as_ref());
            let mark = part.and_then(|part| apart.mark(part));
            if let Some(mark) = mark {
                mark.open(text)?;
            }
            if let Some(part) = part {
                let class = apart.class(part);
                write!(text, r#"<g class="{class}" data-part="{}">"#, Escaped(part))?;
            }
            for shape in shapes {
                shape.write(text)?;
            }
            if let Some((mark, at)) = mark.zip(shapes.iter().find_map(Shape::corner)) {
                mark.draw(at, text)?;
            }
            if part.is_some() {
                text.push_str("</g>");
            }
            if mark.is_some() {
                text.push_str("</a>");
            }
        }
        text.push_str("</svg>\n");
        Ok(())
    }
}

impl Shape {
    fn write(&self, text: &mut String) -> fmt::Result {
        let class = self.ink.class();
        match &self.form {
            Form::Disc { at: (x, y), radius } => {
                write!(
                    text,
                    r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#
                )
            }
            Form::Rect {
                at: (x, y),
                size: (width, height),
                round,
            } => write!(
                text,
                r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}" rx="{round}"/>"#
            ),
            Form::Line { from, to } => write!(
                text,
                r#"<line class="{class}" x1="{}" y1="{}" x2="{}" y2="{}"/>"#,
                from.0, from.1, to.0, to.1
            ),
            Form::Curve { from, bend, to } => write!(
                text,
                r#"<path class="{class}" d="M{} {}Q{} {} {} {}"/>"#,
                from.0, from.1, bend.0, bend.1, to.0, to.1
            ),
            Form::Tip { corners: [a, b, c] } => write!(
                text,
                r#"<polygon class="{class} tip" points="{},{} {},{} {},{}"/>"#,
                a.0, a.1, b.0, b.1, c.0, c.1
            ),
            Form::Text {
                at: (x, y),
                anchor,
                text: words,
            } => {
                let anchor = match anchor {
                    Anchor::Start => "start",
                    Anchor::Middle => "middle",
                    Anchor::End => "end",
                };
                write!(
                    text,
                    r#"<text class="{class}" x="{x}" y="{y}" text-anchor="{anchor}">{}</text>"#,
                    Escaped(words)
                )
            }
        }
    }
}
