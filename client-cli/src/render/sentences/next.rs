//! What to do after a match, as commands to be copied.

use grundy_shared::Position;
use grundy_shared::bot::Bot;
use grundy_shared::event::TimeControl;
use grundy_shared::ids::Seat;
use grundy_shared::review::TurningPoint;
use unicode_width::UnicodeWidthStr as _;

use crate::render::word;
use crate::session::match_view::MatchView;
use crate::session::verdict::Verdict;

/// Longer commands are not offered, in characters.
const LENGTH: usize = 240;

/// The commands that fit the match. A match in this process can be reviewed, and its mistakes practised, if it was `kept`. A rematch is a command unless the user is
/// `asked` about it anyway.
pub(crate) fn next(view: &MatchView, verdict: &Verdict, kept: bool, asked: bool) -> Vec<String> {
    let is_there = kept || !view.is_local();
    let reviewed = is_there.then(|| format!("grundy review {}", view.match_id()));
    let learnt = is_there
        && verdict
            .review
            .turning_points
            .iter()
            .any(|point| is_lesson(verdict, point));
    let learnt = learnt.then(|| format!("grundy learn {}", view.match_id()));
    let rematch = if asked { None } else { rematch(view) };
    let commands = [
        ("match-next-review", reviewed),
        ("match-next-learn", learnt),
        ("match-next-explain", explain(verdict)),
        ("match-next-rematch", rematch),
    ]
    .map(|(name, command)| (view.words().say(name), command));
    let widest = commands.iter().map(|(name, _)| name.width()).max();
    let widest = widest.unwrap_or_default();
    commands
        .into_iter()
        .filter_map(|(name, command)| {
            let space = " ".repeat(widest - name.width());
            Some(format!("{name}{space} {}", command?))
        })
        .filter(|line| line.len() <= LENGTH)
        .collect()
}

/// Whether a person gave a win away there.
fn is_lesson(verdict: &Verdict, point: &TurningPoint) -> bool {
    let player = verdict.review.player(point.seat);
    !point.drawn && player.is_none_or(|player| !player.bot)
}

/// Explains the move that decided the match.
fn explain(verdict: &Verdict) -> Option<String> {
    let point = verdict.decisive()?;
    let start = point.position.as_ref()?;
    let position = word(start);
    let has_sides = Position::parse(start).is_ok_and(|position| position.has_sides());
    let side = match point.seat {
        _ if !has_sides => "",
        Seat::First => "",
        Seat::Second => " --side right",
    };
    Some(format!(
        "grundy explain {position} --move {}{side}",
        word(&point.mv)
    ))
}

/// Plays the same start with sides swapped, here or against the same built-in bot.
fn rematch(view: &MatchView) -> Option<String> {
    let referee = view.referee()?;
    let start = word(&referee.start().to_string());
    let clock = match referee.clock_control() {
        TimeControl::Untimed {} => String::new(),
        timed => format!(" --clock {timed}"),
    };
    let place = if view.is_local() { " --local" } else { "" };
    if view.is_shared() {
        return Some(format!("grundy play {start}{place} --two{clock}"));
    }
    let seat = view.seat()?;
    let other = referee.player(seat.other())?;
    let bot: Bot = other.name.parse().ok().filter(|_| other.bot)?;
    Some(format!(
        "grundy play {start}{place} --bot {} --side {}{clock}",
        word(bot.strength().unwrap_or(&bot.to_string())),
        seat.other()
    ))
}
