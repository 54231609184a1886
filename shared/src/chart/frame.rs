//! What charts have in common: how they begin and end, and how their classes look in a file.

use std::fmt::{self, Write as _};

use crate::xml::Escaped;

/// Blue and orange are told apart with every kind of colour vision (Okabe, Ito 2008); a page has its own style.
const STYLE: &str = "\
text{font:14px system-ui,sans-serif;fill:#1b1f24}.back{fill:#fff}.grid{stroke:#6b7682;stroke-width:1;stroke-dasharray:2 4}\
.around{fill:#dcebf5;stroke:#6b7682;stroke-width:1}.curve{fill:none;stroke:#0072b2;stroke-width:3}.now{fill:#0072b2}\
.cell{fill:#fff;stroke:#6b7682}.s1{fill:#f2f4f6;stroke:#6b7682}.s2{fill:#dcebf5;stroke:#6b7682}.s3{fill:#b7d7ec;stroke:#6b7682}\
.s4{fill:#8cc0e2;stroke:#6b7682}.head{font-weight:bold}\
@media(prefers-color-scheme:dark){text{fill:#e8ecf0}.back{fill:#14181d}.grid,.around{stroke:#8a949e}.around{fill:#1d3344}\
.curve{stroke:#56b4e9}.now{fill:#56b4e9}.cell{fill:#14181d;stroke:#8a949e}.s1{fill:#20262d}.s2{fill:#1d3344}.s3{fill:#22506f}.s4{fill:#1f6796}}";

/// What draws itself into a picture of a size.
pub(super) trait Chart {
    /// Its class, by which a page styles it.
    const CLASS: &'static str;

    /// Its columns and rows, in pixels.
    fn size(&self) -> (i64, i64);

    /// Draws it.
    fn draw(&self, text: &mut String) -> fmt::Result;
}

/// A chart as one file, light or dark as the reader's screen is.
pub(super) fn file(chart: &impl Chart, label: &str) -> String {
    written(chart, label, Some(STYLE))
}

/// A chart as part of a page, whose style sheet says how its classes look.
pub(super) fn inline(chart: &impl Chart, label: &str) -> String {
    written(chart, label, None)
}

fn written(chart: &impl Chart, label: &str, style: Option<&str>) -> String {
    let mut text = String::new();
    write(chart, label, style, &mut text).expect("writing to a String cannot fail");
    text
}

fn write<C: Chart>(chart: &C, label: &str, style: Option<&str>, text: &mut String) -> fmt::Result {
    let (width, height) = chart.size();
    write!(
        text,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="chart {}" viewBox="0 0 {width} {height}""#,
        C::CLASS
    )?;
    if style.is_some() {
        write!(text, r#" width="{width}" height="{height}""#)?;
    }
    write!(text, r#" role="img" aria-label="{}">"#, Escaped(label))?;
    if let Some(style) = style {
        write!(
            text,
            r#"<style>{style}</style><rect class="back" width="100%" height="100%"/>"#
        )?;
    }
    chart.draw(text)?;
    text.push_str("</svg>");
    Ok(())
}
