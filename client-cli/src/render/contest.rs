//! A tournament as tables of the full screen.

use grundy_shared::event::Outcome;
use grundy_shared::ids::{MatchId, TournamentId};
use grundy_shared::protocol::tournament::{TournamentState, TournamentStatus};
use grundy_shared::tournament::{Format, Next, Tournament, match_of_game};
use grundy_words::{Catalogue, Message};

use super::{clean, headings};
use crate::screen::{Row, Sheet};

/// A game that has ended.
pub(crate) struct Ended<'g> {
    /// Its match.
    pub(crate) match_id: MatchId,
    /// The round, from 1.
    pub(crate) round: u32,
    /// The players, the one who moved first before the other.
    pub(crate) names: &'g [String; 2],
    /// Who won.
    pub(crate) outcome: Outcome,
}

/// A result as players write it, the one who moved first before the other.
pub(crate) fn result(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::First => "1-0",
        Outcome::Second => "0-1",
        Outcome::Draw => "1/2-1/2",
        Outcome::Void => "-",
    }
}

/// How far it has come, who meets whom, and how many play.
pub(crate) fn about(state: &TournamentState, words: &Catalogue) -> String {
    let status = words.say(match state.status {
        TournamentStatus::Entries => "t-entries",
        TournamentStatus::Running => "t-running",
        TournamentStatus::Paused => "t-paused",
        TournamentStatus::Over => "t-over",
        TournamentStatus::Cancelled => "t-cancelled",
    });
    let counted = |message, count: u32| {
        Message::new(message)
            .number("count", count.into())
            .text("n", count)
            .said(words)
    };
    let format = match state.format {
        Format::RoundRobin {} => words.say("t-round-robin"),
        Format::DoubleRoundRobin {} => words.say("t-double-round-robin"),
        Format::Gauntlet { seeds } => counted("t-gauntlet", seeds),
        Format::Swiss { rounds } => counted("t-swiss", rounds),
        Format::Knockout {} => words.say("t-knockout"),
        Format::Ladder { rounds } => counted("t-ladder", rounds),
    };
    let progress = match state.games_planned {
        Some(planned) => Message::new("t-progress")
            .text("ended", state.games_ended)
            .text("planned", planned)
            .said(words),
        None => words.say("t-not-begun"),
    };
    words.sentences(&[
        status,
        format,
        counted("t-players", state.players),
        progress,
    ])
}

/// The standings.
pub(crate) fn standings(state: &TournamentState, words: &Catalogue) -> Sheet {
    let rows = state.standings.iter().map(|row| {
        let elo = match (row.rating, row.elo) {
            (Some(rating), _) => format!("{rating:.0}"),
            (None, Some(elo)) => format!("{elo:+.0}"),
            (None, None) => "-".to_owned(),
        };
        let note = match row.withdrawn {
            true => words.say("t-withdrawn"),
            false => String::new(),
        };
        Row {
            cells: vec![
                row.rank.to_string(),
                clean(&row.name),
                row.points.to_string(),
                row.games.to_string(),
                row.wins.to_string(),
                row.draws.to_string(),
                row.losses.to_string(),
                elo,
                note,
            ],
            enters: None,
        }
    });
    let heads = [
        ">t-rank",
        "t-player",
        ">t-points",
        ">tables-games",
        ">t-won",
        ">t-drawn",
        ">t-lost",
        ">tables-elo",
    ];
    Sheet {
        name: words.say("t-standings"),
        headings: headings(heads, words)
            .into_iter()
            .chain([String::new()])
            .collect(),
        rows: rows.collect(),
        none: words.say("tables-none"),
    }
}

/// What each player has scored against each other in the finished rounds, in this order of their numbers.
pub(crate) fn grid(tournament: &Tournament, order: &[u32], words: &Catalogue) -> Sheet {
    let table = tournament.table();
    let rows = (1..).zip(order).map(|(place, player): (usize, &u32)| {
        let against = table.against(*player);
        let cells = order.iter().map(|other| match against.get(other) {
            Some(sum) => sum.scored.to_f64().to_string(),
            None if other == player => "x".to_owned(),
            None => String::new(),
        });
        Row {
            cells: [place.to_string(), name(tournament, *player)]
                .into_iter()
                .chain(cells)
                .collect(),
            enters: None,
        }
    });
    let numbers = (1..=order.len()).map(|number| format!(">{number}"));
    Sheet {
        name: words.say("t-grid"),
        headings: headings([">t-rank", "t-player"], words)
            .into_iter()
            .chain(numbers)
            .collect(),
        rows: rows.collect(),
        none: words.say("tables-none"),
    }
}

/// The games of the running round that are not over: a row enters `watch ID`.
pub(crate) fn now(id: TournamentId, tournament: &Tournament, words: &Catalogue) -> Sheet {
    let open = match tournament.next() {
        Ok(Next::Play(open)) => open,
        _ => Vec::new(),
    };
    let pairs = tournament.running_round().map_or(&[][..], |round| round.1);
    let rows = open.iter().filter_map(|game| {
        let (one, other) = *pairs.get((game.board as usize).checked_sub(1)?)?;
        let (first, second) = match game.game % 2 {
            1 => (one, other),
            _ => (other, one),
        };
        let match_id = match_of_game(id, game.round, game.board, game.game);
        Some(Row {
            cells: vec![
                game.board.to_string(),
                name(tournament, first),
                name(tournament, second),
                game.game.to_string(),
                match_id.to_string(),
            ],
            enters: Some(format!("watch {match_id}")),
        })
    });
    let heads = [
        ">tables-board",
        "tables-first",
        "tables-second",
        ">tables-game",
        "tables-match",
    ];
    Sheet {
        name: words.say("tables-now"),
        headings: headings(heads, words).to_vec(),
        rows: rows.collect(),
        none: words.say("tables-none-now"),
    }
}

/// The games that have ended: a row enters `review ID`.
pub(crate) fn ended<'g>(games: impl Iterator<Item = Ended<'g>>, words: &Catalogue) -> Sheet {
    let rows = games.map(|game| Row {
        cells: vec![
            game.round.to_string(),
            clean(&game.names[0]),
            clean(&game.names[1]),
            result(game.outcome).to_owned(),
            game.match_id.to_string(),
        ],
        enters: Some(format!("review {}", game.match_id)),
    });
    let heads = [
        ">tables-round",
        "tables-first",
        "tables-second",
        "tables-result",
        "tables-match",
    ];
    Sheet {
        name: words.say("t-games"),
        headings: headings(heads, words).to_vec(),
        rows: rows.collect(),
        none: words.say("tables-none"),
    }
}

fn name(tournament: &Tournament, number: u32) -> String {
    let player = tournament.player(number);
    player.map_or_else(String::new, |player| clean(&player.name))
}
