//! The first screens: what there is, an example, and the next step.

use grundy_shared::games::{BoardKind, GameInfo, REGISTRY};
use grundy_words::{Catalogue, Message};

/// Shown when no command is given.
pub(crate) fn first_screen(words: &Catalogue) -> String {
    screen("welcome", words)
}

/// Shown when `play` is given no position.
pub(crate) fn which_game(words: &Catalogue) -> String {
    screen("welcome-which", words)
}

fn screen(message: &'static str, words: &Catalogue) -> String {
    let text = Message::new(message)
        .text("games", games(words))
        .said(words);
    format!("{text}\n")
}

/// The names of the games by what they are played on.
fn games(words: &Catalogue) -> String {
    let groups: [(&str, &[BoardKind]); 7] = [
        (
            "welcome-heaps",
            &[
                BoardKind::Heaps,
                BoardKind::Count,
                BoardKind::Queen,
                BoardKind::Stairs,
            ],
        ),
        ("welcome-pins", &[BoardKind::Pins]),
        (
            "welcome-coins",
            &[BoardKind::Coins, BoardKind::Squares, BoardKind::Cells],
        ),
        (
            "welcome-boards",
            &[
                BoardKind::Grid,
                BoardKind::Stones,
                BoardKind::Bar,
                BoardKind::Boards,
            ],
        ),
        (
            "welcome-graphs",
            &[
                BoardKind::Arcs,
                BoardKind::Forks,
                BoardKind::Walk,
                BoardKind::Vertices,
                BoardKind::Edges,
                BoardKind::Tints,
                BoardKind::Cuts,
                BoardKind::Order,
            ],
        ),
        ("welcome-trees", &[BoardKind::Trees, BoardKind::Strings]),
        ("welcome-values", &[BoardKind::Options]),
    ];
    let line = |(title, kinds): &(&str, &[BoardKind])| {
        let of_kind = |game: &&&GameInfo| kinds.contains(&game.board);
        let names: Vec<&str> = REGISTRY
            .iter()
            .filter(of_kind)
            .map(|game| game.name)
            .collect();
        Message::new("welcome-group")
            .text("title", words.say(title))
            .text("names", names.join(" "))
            .said(words)
    };
    let lines: Vec<String> = groups.iter().map(line).collect();
    format!("{}\n{}", words.say("welcome-games"), lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use grundy_words::Language;

    use super::*;
    use crate::render::wrapped;

    #[test]
    fn the_first_screens_name_every_game_and_fit_40_columns() {
        let english = Catalogue::of(Language::English);
        for screen in [first_screen(english), which_game(english)] {
            for game in REGISTRY {
                assert!(screen.contains(&format!(" {}", game.name)), "{}", game.name);
            }
            assert!(screen.contains("Next: grundy play nim:3,5,7 --local"));
            let narrow = wrapped(&screen, Some(40));
            assert!(narrow.lines().all(|line| line.len() <= 40), "{narrow}");
            assert!(screen.lines().count() <= 24, "{screen}");
        }
    }
}
