//! How a match begins: who plays whom, under which rules, and the place in its series.

use grundy_shared::event::Series;
use grundy_shared::ids::Seat;
use grundy_shared::referee::Referee;

use super::position::{end_rule, rule};
use crate::render::{points, short, terms};
use crate::session::match_view::MatchView;

/// What can be typed.
const HELP: &str = "\
Type a move, or one of these words:
  board    show the position
  moves    legal moves; more: next page
  pre MOVE play it when it is your turn
  if A-1 B-2  in slow matches: answer
           A-1 with B-2; if none: cancel
  hint     is there a winning move?
  why      the last move and the position
           explained, in game terms
  undo     take your last move back
  rules    show the rules
  clock    show the time left
  pause    stop both clocks
  adjourn  stop them for days
  continue end a pause
  draw     offer a draw
  abort    call the match off
           before move 2
  accept, decline, withdraw
  claim    win if your opponent is gone
  resign   give up
  rematch  play again, sides swapped
  quit     leave (back: grundy resume)
  help     show this text
The other player must agree to undo,
draw, pause, adjourn, to continue
after adjourn, and to abort. Against
another player there are no hints.";

/// What else can be typed in a match on a server against another player.
const CHAT: &str = "\
  say TEXT talk to the other player;
           /TEXT does the same
  say      list ready-made phrases
  chat     show the last lines
  mute     hide the other's lines;
           unmute shows them again";

/// What a watcher can type.
pub(crate) const HELP_OF_WATCHERS: &str = "\
You can type:
  say TEXT talk to the other watchers;
           /TEXT does the same
  say      list ready-made phrases
  chat     show the last lines
  mute NAME, unmute NAME
  board, moves, clock, rules
  quit     leave";

/// What can be typed, and whose moves are whose.
pub(crate) fn help(view: &MatchView) -> String {
    let help = match view.is_local() {
        true => HELP.to_owned(),
        false => format!("{HELP}\n{CHAT}"),
    };
    match (view.referee(), view.seat()) {
        (Some(referee), Some(seat)) if is_coloured(referee) => {
            format!("{help}\nYou are {}.", role(referee, seat))
        }
        _ => help,
    }
}

/// Whether some moves are one player's alone.
fn is_coloured(referee: &Referee) -> bool {
    referee.start().has_sides()
}

/// The name of a seat; in partizan games with Left or Right, as the rules call the players.
fn role(referee: &Referee, seat: Seat) -> String {
    match (is_coloured(referee), seat) {
        (false, _) => seat.to_string(),
        (true, Seat::First) => format!("Left ({seat})"),
        (true, Seat::Second) => format!("Right ({seat})"),
    }
}

/// The start: who plays whom, under which rules, and how it ends.
pub(crate) fn opening(view: &MatchView) -> String {
    let Some(referee) = view.referee() else {
        return String::new();
    };
    let position = referee.position();
    let clock = terms(referee.clock_control());
    let named = match view.is_local() {
        true => String::new(),
        false => format!("Match {}. ", view.match_id()),
    };
    let [first, second] = Seat::BOTH.map(|seat| view.name(seat));
    let [as_first, as_second] = Seat::BOTH.map(|seat| role(referee, seat));
    let players = match (view.seat(), view.is_local()) {
        (Some(seat), true) => format!(
            "You play {} against {}",
            role(referee, seat),
            view.name(seat.other())
        ),
        (Some(Seat::First), false) => format!("You are {first}, {as_first}, against {second}"),
        (Some(Seat::Second), false) => format!("You are {second}, {as_second}, against {first}"),
        (None, true) if is_coloured(referee) => {
            format!("Two players share this keyboard, {as_first} and {as_second}")
        }
        (None, true) => "Two players share this keyboard".to_owned(),
        (None, false) => format!("{first} plays {as_first}, {second} {as_second}"),
    };
    let games = position.games();
    let mut rules: Vec<String> = games
        .iter()
        .map(|game| format!("{}: {}", game.title, rule(game.rule)))
        .collect();
    if position.component_count() > 1 {
        rules.push(position.compound_rule());
    }
    let start = short(&referee.start().to_string());
    let place = score(view).map_or_else(String::new, |score| format!("{score}\n"));
    format!(
        "{named}{players}; {start}, {clock}.\n{place}{}\n{}",
        rules.join("\n"),
        end_rule(position),
    )
}

/// The place of the match in its series and the score: before the match, or after it once it is over.
pub(crate) fn score(view: &MatchView) -> Option<String> {
    let referee = view.referee()?;
    let series = referee.series()?;
    let of = match series.rated {
        true => format!("game {} of a rated pair", series.game),
        false => format!("game {} of {}", series.game, series.games),
    };
    let players = |series: Series| {
        let scored = Seat::BOTH.map(|seat| {
            let who = match view.seat() == Some(seat) {
                true => "you".to_owned(),
                false => view.name(seat),
            };
            format!("{who} {}", points(series.half_points(seat)))
        });
        scored.join(", ")
    };
    let Some((outcome, _)) = referee.outcome() else {
        return Some(match series.game {
            1 => format!("This is {of}, sides swapped after each."),
            _ => format!("This is {of}. Score: {}.", players(series)),
        });
    };
    let end = match (referee.next_match(), series.game == series.games) {
        (Some(_), _) => "",
        (None, true) => " The series is over.",
        (None, false) => " The series ends here.",
    };
    Some(format!(
        "Score after {of}: {}.{end}",
        players(series.after(outcome))
    ))
}
