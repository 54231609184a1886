//! A review as text, for those who keep it: its pages are cut from the text, without reading what it says.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::Review;
use crate::event::PlayerInfo;
use crate::ids::{Ply, Seat};

/// A review as JSON, without the players' names: they can change, and the rest cannot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredReview(String);

/// A text that is no stored review: it was changed, or an older program has written it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadStoredReview(String);

impl fmt::Display for BadStoredReview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this is no stored review: {}", self.0)
    }
}

impl std::error::Error for BadStoredReview {}

impl From<serde_json::Error> for BadStoredReview {
    fn from(error: serde_json::Error) -> Self {
        Self(error.to_string())
    }
}

/// A page of a review.
#[derive(Clone, Debug)]
pub struct Page {
    /// The review with the plies of this page, as [`Review::page`] has it.
    pub review: Box<RawValue>,
    /// The last ply of the page, if more follow.
    pub next_after: Option<Ply>,
}

/// The fields of [`Review`] in their order. What is not looked at stays text.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields<'a> {
    #[serde(borrow)]
    schema: &'a RawValue,
    #[serde(borrow)]
    rules: &'a RawValue,
    misere: bool,
    #[serde(borrow)]
    start: &'a RawValue,
    first: Option<PlayerInfo>,
    second: Option<PlayerInfo>,
    #[serde(borrow)]
    clock: &'a RawValue,
    #[serde(borrow)]
    created_at_ms: &'a RawValue,
    #[serde(borrow)]
    outcome: &'a RawValue,
    #[serde(borrow)]
    reason: &'a RawValue,
    plies_total: u32,
    #[serde(borrow)]
    plies: Vec<&'a RawValue>,
    #[serde(borrow)]
    turning_points: Vec<&'a RawValue>,
    #[serde(borrow)]
    decisive_ply: &'a RawValue,
    #[serde(borrow)]
    summary: &'a RawValue,
    unknown_positions: u32,
    #[serde(borrow)]
    traps_unknown: &'a RawValue,
    #[serde(borrow)]
    traps_unknown_why: &'a RawValue,
    cut_off: bool,
}

/// Where a turning point belongs.
#[derive(Deserialize)]
struct At {
    ply: Ply,
}

impl StoredReview {
    /// Keeps a review of a whole match.
    ///
    /// # Errors
    /// A number in it that JSON has no text for.
    pub fn of(review: &Review) -> serde_json::Result<Self> {
        let nameless = Review {
            first: None,
            second: None,
            ..review.clone()
        };
        serde_json::to_string(&nameless).map(Self)
    }

    /// The text, as [`Self::read`] takes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A text that was kept. Cost: linear in its length.
    ///
    /// # Errors
    /// It is no review, or not of a whole match.
    pub fn read(text: String) -> Result<Self, BadStoredReview> {
        let fields: Fields<'_> = serde_json::from_str(&text)?;
        if fields.plies.len() as u64 != u64::from(fields.plies_total) + 1 {
            return Err(BadStoredReview("it lacks plies of the match".to_owned()));
        }
        if fields.first.is_some() || fields.second.is_some() {
            return Err(BadStoredReview("it names a player".to_owned()));
        }
        for point in fields.turning_points {
            serde_json::from_str::<At>(point.get())?;
        }
        Ok(Self(text))
    }

    /// How many moves the match has.
    ///
    /// # Errors
    /// The text is no review.
    pub fn plies_total(&self) -> Result<u32, BadStoredReview> {
        Ok(serde_json::from_str::<Fields<'_>>(&self.0)?.plies_total)
    }

    /// At most `count` plies after this one, as many as fit into `room` bytes, with the players' names; the start belongs to the first page, and
    /// is asked for with ply 0. If not even one ply fits, its turning point goes without its reasons. `None` if that does not help. Cost: linear in the
    /// length of the text.
    ///
    /// # Errors
    /// The text is no review.
    pub fn page(
        &self,
        players: [Option<PlayerInfo>; 2],
        after: Ply,
        count: usize,
        room: usize,
    ) -> Result<Option<Page>, BadStoredReview> {
        let mut fields: Fields<'_> = serde_json::from_str(&self.0)?;
        let [first, second] = players;
        (fields.first, fields.second) = (first, second);
        let total = fields.plies_total;
        let plies = std::mem::take(&mut fields.plies);
        let mut points = Vec::new();
        for point in std::mem::take(&mut fields.turning_points) {
            points.push((serde_json::from_str::<At>(point.get())?.ply, point));
        }
        let from = match after {
            Ply(0) => 0,
            Ply(after) => after as usize + 1,
        };
        let end = plies
            .len()
            .min((after.0 as usize).saturating_add(count + 1));
        // Each entry with the comma before it.
        let size = |text: &RawValue| text.get().len() + 1;
        let mut left = room.saturating_sub(serde_json::to_string(&fields)?.len());
        let mut last = from;
        for (number, ply) in plies.iter().enumerate().take(end).skip(from) {
            let own = points.iter().filter(|(at, _)| at.0 as usize == number);
            let needed = size(ply) + own.map(|(_, point)| size(point)).sum::<usize>();
            // The start and the first move are one page at least.
            if needed > left {
                break;
            }
            left -= needed;
            last = number + 1;
        }
        let least = end.min(after.0 as usize + 2);
        let short;
        let is_short = last < least;
        let shown = from.min(plies.len())..last.max(least);
        fields.plies = plies.get(shown.clone()).unwrap_or_default().to_vec();
        let of_page = points
            .into_iter()
            .filter(|(at, _)| shown.contains(&(at.0 as usize)))
            .map(|(_, point)| point);
        if is_short {
            short = of_page
                .map(without_reasons)
                .collect::<Result<Vec<_>, _>>()?;
            fields.turning_points = short.iter().map(|point| &**point).collect();
        } else {
            fields.turning_points = of_page.collect();
        }
        let review = serde_json::value::to_raw_value(&fields)?;
        if review.get().len() > room {
            return Ok(None);
        }
        let shown_last = u32::try_from(shown.end.saturating_sub(1)).unwrap_or(u32::MAX);
        let next_after =
            (shown_last < total && !fields.plies.is_empty()).then_some(Ply(shown_last));
        Ok(Some(Page { review, next_after }))
    }

    /// How many mistakes each player made, as [`super::mistakes`] counts them; `None` if a position is not solved.
    ///
    /// # Errors
    /// The text is no review.
    pub fn mistakes(&self) -> Result<Option<[u32; 2]>, BadStoredReview> {
        #[derive(Deserialize)]
        struct Point {
            seat: Seat,
        }
        let fields: Fields<'_> = serde_json::from_str(&self.0)?;
        if fields.unknown_positions > 0 {
            return Ok(None);
        }
        let mut counts = [0; 2];
        for point in fields.turning_points {
            let point: Point = serde_json::from_str(point.get())?;
            counts[point.seat.index()] += 1;
        }
        Ok(Some(counts))
    }
}

/// A turning point that names no moves and gives no reasons.
fn without_reasons(point: &RawValue) -> serde_json::Result<Box<RawValue>> {
    let mut fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(point.get())?;
    fields.insert(
        "winning_moves".to_owned(),
        serde_json::Value::Array(Vec::new()),
    );
    fields.insert("why".to_owned(), serde_json::Value::Null);
    serde_json::value::to_raw_value(&fields)
}
