//! The picture of a review in the reader's language.

use grundy_shared::event::Outcome;
use grundy_shared::ids::Seat;
use grundy_shared::review::{PictureWords, PlyReview, Review};
use grundy_words::{Catalogue, Language, Message};

use super::short;

/// Columns of a name.
const NAME: usize = 16;

/// Who holds the win after each ply, as SVG.
pub(crate) fn picture(review: &Review, words: &Catalogue) -> String {
    if words.language() == Language::English {
        return review.svg();
    }
    let names = Seat::BOTH.map(|seat| review.name(seat, NAME));
    let label = Message::new("sheet-picture")
        .text("first", &names[0])
        .text("second", &names[1]);
    let wins = names.map(|name| {
        Message::new("reviewed-wins-now")
            .text("name", name)
            .said(words)
    });
    let plies = review.plies.iter();
    review.svg_with(&PictureWords {
        label: label.said(words),
        wins,
        plies: plies.map(|ply| after(review, ply, words)).collect(),
    })
}

/// What is known after a ply.
fn after(review: &Review, ply: &PlyReview, words: &Catalogue) -> String {
    let name = |seat| review.name(seat, NAME);
    let made = match (&ply.mv, ply.seat) {
        (Some(mv), Some(seat)) => Message::new("sheet-made")
            .text("ply", ply.ply)
            .text("name", name(seat))
            .text("move", short(mv))
            .text("mark", ply.mark.map_or("", |mark| mark.as_str())),
        _ => Message::new("sheet-start"),
    };
    let wins = match ply.wins {
        None => Message::new("sheet-unknown"),
        Some(Outcome::First) => Message::new("reviewed-wins-now").text("name", name(Seat::First)),
        Some(Outcome::Second) => Message::new("reviewed-wins-now").text("name", name(Seat::Second)),
        Some(Outcome::Draw | Outcome::Void) => Message::new("sheet-draw"),
    };
    let left = ply
        .left
        .map(|left| Message::new("sheet-left").text("n", left));
    let value = ply.nim_value;
    let value = value.map(|value| Message::new("verify-value").text("value", value));
    let known = [Some(wins), left, value].into_iter().flatten();
    let known: Vec<String> = known.map(|message| message.said(words)).collect();
    Message::new("sheet-after")
        .message("made", made)
        .text("known", known.join(&words.say("list-comma")))
        .said(words)
}
