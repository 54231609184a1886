//! The card of a link: a picture in pixels, for programs that show what is behind a link.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

/// The size that such programs expect, in pixels (the Open Graph protocol names none; 1.91 to 1 is cut by none of the large ones).
pub(super) const WIDTH: u32 = 1200;
/// See [`WIDTH`].
pub(super) const HEIGHT: u32 = 630;
/// Left free on every side, in pixels.
const MARGIN: f32 = 40.0;
/// A small board is not enlarged further.
const SCALE_MAX: f32 = 4.0;
/// ASCII and the few other signs that pictures have. A server need not have fonts.
const FONT: &[u8] = include_bytes!("../../fonts/DejaVuSans-subset.ttf");
const FAMILY: &str = "DejaVu Sans";

/// The picture in the middle of a white card, as PNG; `None` if it cannot be drawn. O(pixels and shapes): some ten milliseconds.
pub(super) fn png(svg: &str) -> Option<Vec<u8>> {
    let tree = Tree::from_str(svg, options()).ok()?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let (room, tall) = (WIDTH as f32, HEIGHT as f32);
    let fits = |own: f32, all: f32| (all - 2.0 * MARGIN) / own;
    let scale = fits(width, room).min(fits(height, tall)).min(SCALE_MAX);
    let middle = |own: f32, all: f32| (all - own * scale) / 2.0;
    let place = Transform::from_row(
        scale,
        0.0,
        0.0,
        scale,
        middle(width, room),
        middle(height, tall),
    );
    let mut card = Pixmap::new(WIDTH, HEIGHT)?;
    card.fill(Color::WHITE);
    resvg::render(&tree, place, &mut card.as_mut());
    card.encode_png().ok()
}

/// Everything is drawn with the one font that comes along.
fn options() -> &'static Options<'static> {
    static OPTIONS: OnceLock<Options<'static>> = OnceLock::new();
    OPTIONS.get_or_init(|| {
        let mut fonts = Database::new();
        fonts.load_font_data(FONT.to_vec());
        fonts.set_sans_serif_family(FAMILY);
        Options {
            font_family: FAMILY.to_owned(),
            fontdb: Arc::new(fonts),
            ..Options::default()
        }
    })
}

#[cfg(test)]
mod tests {
    use grundy_shared::Position;
    use grundy_shared::games::REGISTRY;
    use grundy_shared::picture::Picture;

    use super::*;

    fn card(position: &str) -> Pixmap {
        let position = Position::parse(position).expect(position);
        let png = png(&Picture::of(&position).svg()).expect("a card");
        Pixmap::decode_png(&png).expect("a PNG")
    }

    fn dark(card: &Pixmap) -> usize {
        let pixels = card.pixels().iter();
        let is_dark = |sum: u32| sum < 3 * 128;
        let sum = |pixel: &resvg::tiny_skia::PremultipliedColorU8| {
            u32::from(pixel.red()) + u32::from(pixel.green()) + u32::from(pixel.blue())
        };
        pixels.filter(|pixel| is_dark(sum(pixel))).count()
    }

    #[test]
    fn every_game_has_a_card_with_something_on_it() {
        for info in REGISTRY {
            let card = card(info.examples[0]);
            assert_eq!((card.width(), card.height()), (WIDTH, HEIGHT));
            assert!(dark(&card) > 100, "{}", info.name);
        }
    }

    #[test]
    fn a_card_is_white_at_its_edge_and_has_letters() {
        let heaps = card("nim:1");
        let corner = heaps.pixel(1, 1).expect("a pixel");
        assert_eq!((corner.red(), corner.blue()), (255, 255));
        // What is only written is drawn: the font that comes along is used.
        let written = Position::parse("value:2::1:0").expect("a position");
        let svg = Picture::of(&written).svg();
        let letters = dark(&card("value:2::1:0"));
        let without = svg.replace("<text", "<g").replace("</text>", "</g>");
        let without = png(&without).expect("a card");
        let without = dark(&Pixmap::decode_png(&without).expect("a PNG"));
        assert!(letters > without + 100, "{letters} {without}");
    }
}
