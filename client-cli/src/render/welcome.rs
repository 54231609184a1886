//! The first screens: what there is, an example, and the next step.

use grundy_shared::games::{BoardKind, GameInfo, REGISTRY};

/// Shown when no command is given.
pub(crate) fn first_screen() -> String {
    format!(
        "Nim and its relatives: play, solve, review.\n\n\
         \x20 grundy play nim:3,5,7 --local\n      play a bot right here; no server needed\n\
         \x20 grundy solve wythoff:5,8\n      who wins, and with which move\n\
         \x20 grundy play nim:3,5,7 --invite\n      play a friend on a server (start one with: grundy-server)\n\n\
         {}\n\
         Next: grundy play nim:3,5,7 --local\n\
         All commands: grundy --help\n",
        games()
    )
}

/// Shown when `play` is given no position.
pub(crate) fn which_game() -> String {
    format!(
        "Which game? Name a start position, such as nim:3,5,7:\n\n\
         \x20 grundy play nim:3,5,7 --local\n      against a bot, right here\n\
         \x20 grundy play kayles:7 --local --two\n      two players at this keyboard\n\
         \x20 grundy play wythoff:5,8 --invite\n      against a friend, on a server\n\
         \x20 grundy play --anyone\n      against anyone who is looking for a game\n\n\
         {}\n\
         Rules and starts of a game: grundy rules show kayles\n\
         Next: grundy play nim:3,5,7 --local\n",
        games()
    )
}

/// The names of the games by what they are played on.
fn games() -> String {
    let groups: [(&str, &[BoardKind]); 7] = [
        (
            "Heaps",
            &[
                BoardKind::Heaps,
                BoardKind::Count,
                BoardKind::Queen,
                BoardKind::Stairs,
            ],
        ),
        ("Rows of pins", &[BoardKind::Pins]),
        (
            "Coins and strips",
            &[BoardKind::Coins, BoardKind::Squares, BoardKind::Cells],
        ),
        (
            "Boards",
            &[
                BoardKind::Grid,
                BoardKind::Stones,
                BoardKind::Bar,
                BoardKind::Boards,
            ],
        ),
        (
            "Graphs",
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
        ("Trees", &[BoardKind::Trees, BoardKind::Strings]),
        ("Values", &[BoardKind::Options]),
    ];
    let line = |(title, kinds): &(&str, &[BoardKind])| {
        let of_kind = |game: &&&GameInfo| kinds.contains(&game.board);
        let names: Vec<&str> = REGISTRY
            .iter()
            .filter(of_kind)
            .map(|game| game.name)
            .collect();
        format!("  {title}: {}\n", names.join(" "))
    };
    let lines: String = groups.iter().map(line).collect();
    format!("Games:\n{lines}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::wrapped;

    #[test]
    fn the_first_screens_name_every_game_and_fit_40_columns() {
        for screen in [first_screen(), which_game()] {
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
