//! Matches of the library on this computer, with the same filters as on a server.

use std::time::Duration;

use grundy_shared::event::{Event, Outcome};
use grundy_shared::ids::Seat;
use grundy_shared::protocol::client::{List, ListOnly, ListOrder, ListResult, MistakesBy};
use grundy_shared::protocol::server::{MatchSummary, MistakeCounts};
use grundy_shared::rated::Family;
use grundy_shared::record::Record;
use grundy_shared::review;

use super::found::{Found, sort};
use super::who::{Who, family, sits};
use crate::context::Context;
use crate::failure::Failure;
use crate::library::Library;
use crate::render::matches::{Listed, status_of};
use crate::thinking::think;

/// Time limit for counting the mistakes of one match.
const THOUGHT: Duration = Duration::from_secs(10);
/// Memory limit for counting them, in bytes.
const THOUGHT_BYTES: u64 = 1 << 30;

/// The filters, parsed once.
struct Wanted<'w> {
    list: &'w List,
    only: ListOnly,
    family: Option<Family>,
    player: Option<Who>,
    opponent: Option<Who>,
}

/// Lists at most `limit` matches of the library. Counts their mistakes if a filter needs them or `with_mistakes` is set.
pub(super) fn matches(
    context: &Context,
    list: &List,
    limit: u32,
    with_mistakes: bool,
) -> Result<Found, Failure> {
    let wanted = Wanted::of(context, list)?;
    let library = Library::open()?;
    let mut found = Found::default();
    let newest_first = list.order != Some(ListOrder::Oldest);
    for record in library.records(newest_first)? {
        // A damaged file does not hide the others.
        match record {
            Ok(record) => wanted.look_at(&record, &mut found),
            Err(failure) => context
                .output
                .warn(&failure.as_warning(context.output.words())),
        }
        if found.matches.len() > limit as usize {
            break;
        }
    }
    let matches = &mut found.matches;
    sort(matches, list.order);
    found.more = matches.len() > limit as usize;
    matches.truncate(limit as usize);
    if with_mistakes && !wanted.asks_for_mistakes() {
        for Listed { summary, .. } in matches {
            count_mistakes(&library.find(summary.match_id)?, summary);
        }
    }
    Ok(found)
}

impl<'w> Wanted<'w> {
    fn of(context: &Context, list: &'w List) -> Result<Self, Failure> {
        let only = list.only.as_deref().cloned().unwrap_or_default();
        let family = only.game.as_deref().map(family);
        let player = match &list.player {
            Some(named) => Some(Who::Named(named.clone())),
            None if list.mine => Some(Who::mine(context)?),
            None => None,
        };
        Ok(Self {
            list,
            family: family.transpose()?,
            player,
            opponent: list.opponent.clone().map(Who::Named),
            only,
        })
    }

    fn asks_for_mistakes(&self) -> bool {
        self.only.min_mistakes.is_some() || self.only.max_mistakes.is_some()
    }

    /// Adds a match to the result if it passes the filters.
    fn look_at(&self, record: &Record, found: &mut Found) {
        let mut summary = summary(record);
        if !self.passes(record, &summary) {
            return;
        }
        if self.asks_for_mistakes() {
            count_mistakes(record, &mut summary);
            match summary.mistakes {
                None => {
                    found.unknown += 1;
                    return;
                }
                Some(counts) if !self.mistakes_pass(&summary, counts) => return,
                Some(_) => {}
            }
        }
        found.matches.push(Listed {
            summary,
            local: true,
        });
    }

    /// Whether the match passes the filters, apart from the mistakes.
    fn passes(&self, record: &Record, summary: &MatchSummary) -> bool {
        let only = &self.only;
        let rated = summary.series.is_some_and(|series| series.rated);
        let players = match &self.player {
            None => true,
            Some(player) => Seat::BOTH.into_iter().any(|seat| {
                let against = |who: &Who| sits(summary, seat.other(), who);
                sits(summary, seat, player) && self.opponent.as_ref().is_none_or(against)
            }),
        };
        players
            && self
                .list
                .status
                .is_none_or(|status| status == summary.status)
            && only
                .start
                .as_ref()
                .is_none_or(|start| *start == summary.position)
            && only.rated.is_none_or(|wanted| wanted == rated)
            && only
                .since_ms
                .is_none_or(|since| summary.created_at_ms >= since)
            && only
                .until_ms
                .is_none_or(|until| summary.created_at_ms < until)
            && only.min_plies.is_none_or(|least| summary.plies >= least)
            && only.max_plies.is_none_or(|most| summary.plies <= most)
            && only
                .result
                .is_none_or(|result| self.ended_so(summary, result))
            && self
                .family
                .is_none_or(|family| Family::of(record.referee().start()) == family)
    }

    fn ended_so(&self, summary: &MatchSummary, result: ListResult) -> bool {
        let won = |seat: Seat| summary.outcome == Some(Outcome::win_of(seat));
        let ours = |seat: Seat| {
            let player = self.player.as_ref();
            player.is_some_and(|player| sits(summary, seat, player))
        };
        let mut seats = Seat::BOTH.into_iter();
        match result {
            ListResult::First => summary.outcome == Some(Outcome::First),
            ListResult::Second => summary.outcome == Some(Outcome::Second),
            ListResult::Draw => summary.outcome == Some(Outcome::Draw),
            ListResult::Void => summary.outcome == Some(Outcome::Void),
            ListResult::Won => seats.any(|seat| ours(seat) && won(seat)),
            ListResult::Lost => seats.any(|seat| ours(seat) && won(seat.other())),
        }
    }

    fn mistakes_pass(&self, summary: &MatchSummary, counts: MistakeCounts) -> bool {
        let least = self.only.min_mistakes.unwrap_or(0);
        let most = self.only.max_mistakes.unwrap_or(u32::MAX);
        let by = match &self.player {
            None => MistakesBy::Either,
            Some(_) => self.only.mistakes_by.unwrap_or(MistakesBy::Player),
        };
        Seat::BOTH.into_iter().any(|seat| {
            let ours = |seat| {
                let player = self.player.as_ref();
                player.is_some_and(|player| sits(summary, seat, player))
            };
            let counted = match by {
                MistakesBy::Player => ours(seat),
                MistakesBy::Opponent => ours(seat.other()),
                MistakesBy::Either => true,
            };
            let count = match seat {
                Seat::First => counts.first,
                Seat::Second => counts.second,
            };
            counted && (least..=most).contains(&count)
        })
    }
}

/// Counts the mistakes of a match as a review does.
fn count_mistakes(record: &Record, summary: &mut MatchSummary) {
    let counts = think(THOUGHT, THOUGHT_BYTES, |budget| {
        review::mistakes(record.referee(), budget)
    });
    summary.mistakes = counts.map(|[first, second]| MistakeCounts { first, second });
    summary.mistakes_unknown = counts.is_none();
}

/// The summary of a match as lists show it.
pub(crate) fn summary(record: &Record) -> MatchSummary {
    let referee = record.referee();
    let (outcome, reason) = referee.outcome().unzip();
    let ended = record.events().iter().find_map(|event| match event {
        Event::Ended { at_ms, .. } => Some(*at_ms),
        _ => None,
    });
    MatchSummary {
        match_id: record.match_id(),
        position: referee.start().to_string(),
        clock: referee.clock_control(),
        series: referee.series(),
        first: referee.player(Seat::First).cloned(),
        second: referee.player(Seat::Second).cloned(),
        status: status_of(referee),
        adjourned: referee.is_adjourned(),
        outcome,
        reason,
        plies: referee.ply().0,
        created_at_ms: referee.created_at(),
        ended_at_ms: ended,
        code: None,
        expires_at_ms: None,
        place: None,
        mistakes: None,
        mistakes_unknown: false,
    }
}
