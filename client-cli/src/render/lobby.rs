//! The lobby as text.

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::Millis;
use grundy_shared::protocol::client::Side;
use grundy_shared::protocol::lobby::SeekInfo;
use grundy_shared::protocol::server::MatchSummary;
use grundy_words::{Catalogue, Message};

use super::sentences::terms;
use super::{clean, ratings, short};
use crate::duration;
use crate::screen::{Row, Sheet};

/// The heads of the table of open seats.
const SEATS: [&str; 6] = [
    ">lobby-seat",
    "lobby-who",
    "lobby-game",
    "lobby-clock",
    ">lobby-since",
    "lobby-id",
];

/// The open seats with their numbers, for a screen of this width.
pub(crate) fn table(
    seeks: &[SeekInfo],
    us: &PlayerInfo,
    now: Millis,
    width: Option<usize>,
    words: &Catalogue,
) -> String {
    let rows: Vec<Vec<String>> = (1..)
        .zip(seeks)
        .map(|(number, seek)| cells(number, seek, us, now, words))
        .collect();
    super::table(&super::headings(SEATS, words), &rows, width)
}

/// The open seats as a table of the full screen: a row enters `seat ID`.
pub(crate) fn seats(seeks: &[SeekInfo], us: &PlayerInfo, now: Millis, words: &Catalogue) -> Sheet {
    let rows = (1..).zip(seeks).map(|(number, seek)| Row {
        cells: cells(number, seek, us, now, words),
        enters: Some(format!("seat {}", seek.seek)),
    });
    let name = Message::new("lobby-seats").text("count", seeks.len());
    Sheet {
        name: name.said(words),
        headings: super::headings(SEATS, words).to_vec(),
        rows: rows.collect(),
        none: words.say("lobby-none-open"),
    }
}

/// The matches that are being played as a table of the full screen: a row enters `watch ID`.
pub(crate) fn live(matches: &[MatchSummary], words: &Catalogue) -> Sheet {
    let headings = [
        "lobby-first",
        "lobby-second",
        "lobby-game",
        "lobby-clock",
        ">lobby-plies",
        "lobby-id",
    ];
    let name = |player: &Option<PlayerInfo>| match player {
        Some(player) if player.bot => Message::new("lobby-bot")
            .text("name", clean(&player.name))
            .said(words),
        Some(player) => clean(&player.name),
        None => String::new(),
    };
    let rows = matches.iter().map(|summary| Row {
        cells: vec![
            name(&summary.first),
            name(&summary.second),
            short(&clean(&summary.position)),
            terms(summary.clock, words),
            summary.plies.to_string(),
            summary.match_id.to_string(),
        ],
        enters: Some(format!("watch {}", summary.match_id)),
    });
    let name = Message::new("lobby-live").text("count", matches.len());
    Sheet {
        name: name.said(words),
        headings: super::headings(headings, words).to_vec(),
        rows: rows.collect(),
        none: words.say("lobby-none-live"),
    }
}

fn cells(
    number: usize,
    seek: &SeekInfo,
    us: &PlayerInfo,
    now: Millis,
    words: &Catalogue,
) -> Vec<String> {
    vec![
        number.to_string(),
        who(seek, us, words),
        game(seek, words),
        terms(seek.clock, words),
        since(now.since(seek.opened_at_ms), words),
        seek.seek.to_string(),
    ]
}

fn who(seek: &SeekInfo, us: &PlayerInfo, words: &Catalogue) -> String {
    let name = match &seek.rating {
        Some(info) => Message::new("lobby-rated")
            .text("name", clean(&seek.player.name))
            .text("rating", ratings::short(info))
            .said(words),
        None => clean(&seek.player.name),
    };
    let marked = |message: &'static str| Message::new(message).text("name", &name).said(words);
    match (seek.player.id == us.id, seek.player.bot) {
        (true, _) => marked("lobby-you"),
        (false, true) => marked("lobby-bot"),
        (false, false) => name,
    }
}

fn game(seek: &SeekInfo, words: &Catalogue) -> String {
    let side = match seek.side {
        Side::First => "second",
        Side::Second => "first",
        Side::Random => "random",
    };
    games_of(Message::new("lobby-terms"), seek)
        .text("side", side)
        .said(words)
}

/// The start of a seek and the number of its games in a message.
pub(crate) fn games_of(message: Message, seek: &SeekInfo) -> Message {
    let games = match seek.games {
        1 => "one",
        _ if seek.rated => "pair",
        _ => "some",
    };
    message
        .text("start", short(&clean(&seek.position)))
        .text("games", games)
        .text("n", seek.games)
}

/// A length of time in its largest unit.
fn since(time: Millis, words: &Catalogue) -> String {
    let (n, unit) = match time.0 / 1_000 {
        seconds @ 0..120 => (seconds, "s"),
        seconds @ 120..7_200 => (seconds / 60, "min"),
        seconds => (seconds / 3_600, "h"),
    };
    duration::of(n.into(), unit).said(words)
}

#[cfg(test)]
mod tests {
    use grundy_shared::event::TimeControl;
    use grundy_shared::ids::{PlayerId, SeekId};
    use grundy_shared::protocol::lobby::BotFilter;
    use grundy_words::Language;
    use unicode_width::UnicodeWidthStr as _;

    use super::*;

    fn english() -> &'static Catalogue {
        Catalogue::of(Language::English)
    }

    fn seek(number: u64, name: &str, bot: bool, position: &str) -> SeekInfo {
        SeekInfo {
            seek: SeekId::from_random(number),
            player: PlayerInfo {
                id: PlayerId::from_random(number.into()),
                name: name.to_owned(),
                bot,
            },
            position: position.to_owned(),
            clock: TimeControl::Untimed {},
            games: 1,
            rated: false,
            rating: None,
            side: Side::Random,
            bots: BotFilter::Yes,
            opened_at_ms: Millis(10_000 * number),
            automatic: None,
        }
    }

    #[test]
    fn seats_have_numbers_and_fit_40_columns() {
        let mut kayles = seek(2, "Robo\u{1b}[2J", true, "kayles:12");
        kayles.clock = "3m+2s".parse().expect("a clock");
        (kayles.games, kayles.side) = (4, Side::First);
        let seeks = [seek(1, "Ann", false, "nim:3,5,7"), kayles];
        let us = seeks[0].player.clone();
        let wide = table(&seeks, &us, Millis(200_000), None, english());
        let ids = [1, 2].map(|number| SeekId::from_random(number).to_string());
        assert_eq!(
            wide,
            format!(
                "  seat  who            game                            clock     since  id\n     1  Ann (you)      nim:3,5,7                       no clock  3 min  {}\n     2  Robo[2J (bot)  kayles:12, 4 games, you second  3m+2s     3 min  {}\n",
                ids[0], ids[1]
            )
        );
        let narrow = table(&seeks, &us, Millis(200_000), Some(40), english());
        assert!(narrow.lines().all(|line| line.width() <= 40), "{narrow}");
        assert!(narrow.starts_with("seat 1\n  who: Ann (you)\n"), "{narrow}");
    }

    #[test]
    fn times_are_short() {
        for (ms, shown) in [
            (0, "0 s"),
            (119_999, "119 s"),
            (120_000, "2 min"),
            (7_199_000, "119 min"),
            (7_200_000, "2 h"),
        ] {
            assert_eq!(since(Millis(ms), english()), shown);
        }
    }
}
