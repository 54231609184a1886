//! What follows from what is said: here at once, or in the hall in its order.

use std::collections::VecDeque;

use grundy_shared::games;
use grundy_shared::ids::SeekId;
use grundy_shared::protocol::lobby::SeekEnd;
use grundy_shared::protocol::{ErrorBody, Notice};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Lobby;
use super::said::{Made, Over, Place, Said, Sought, end_of};
use super::state::{Bounds, NewSeek, Settled, State, Taken};
use crate::hall::{Heard, Hearer, Life, Topic};
use crate::matches::{Frame, Outbox, Outgoing};
use crate::store::Projection;

/// What the lobby comes to.
#[derive(Serialize, Deserialize)]
struct Summary {
    seeks: Vec<Standing>,
    takes: VecDeque<Taken>,
}

/// A seek that stands, and the server that it is on.
#[derive(Serialize, Deserialize)]
struct Standing {
    #[serde(flatten)]
    sought: Sought,
    life: Life,
}

/// No more than there are: what was summed up stood before.
const ALL: Bounds = Bounds {
    per_player: usize::MAX,
    in_all: usize::MAX,
};

/// How a seek ended, and the connection that is to hear of it.
pub(super) type Told = (Outbox, SeekEnd);

impl State<Place> {
    /// Makes a change that this life of a server has said; the connection if it is this server's own. What it refuses depends on nothing that servers do not
    /// share.
    pub(super) fn apply(
        &mut self,
        said: &Said,
        by: Life,
        connection: Option<Outbox>,
    ) -> Result<Option<Told>, ErrorBody> {
        match said {
            Said::Seek(sought) => self.open_at(sought, by, connection).map(|()| None),
            Said::Over { seek, how, made } => Ok(self.end(*seek, *how, made.as_ref())),
            Said::Renamed { player, name } => {
                self.rename(*player, name);
                Ok(None)
            }
        }
    }

    fn open_at(
        &mut self,
        sought: &Sought,
        life: Life,
        connection: Option<Outbox>,
    ) -> Result<(), ErrorBody> {
        let games = sought.games.iter().filter_map(|name| games::find(name));
        let new = NewSeek {
            games: games.map(|game| game.name).collect(),
            info: sought.info.clone(),
            connection: Place {
                life,
                connection,
                address: sought.address,
            },
        };
        self.open(new, sought.bounds)
    }

    fn end(&mut self, seek: SeekId, how: Over, made: Option<&Made>) -> Option<Told> {
        let settled = match (how, made) {
            (Over::Withdrawn, _) => {
                self.drop_seek(seek);
                return None;
            }
            (Over::Full, _) => Settled::Full,
            (Over::GaveUp, _) => Settled::GaveUp,
            (Over::Taken(by, seat), Some(made)) => Settled::Made(Some((by, made.id, seat))),
            (Over::Taken(..) | Over::Matched, _) => Settled::Made(None),
        };
        let place = self.place_of(seek);
        let end = self.settle(seek, settled)?;
        Some((place?.connection?, end))
    }

    fn summary(&self) -> Summary {
        let seeks = self.all().map(|(info, games, place)| Standing {
            sought: Sought {
                info: info.clone(),
                games: games.iter().map(|game| (*game).to_owned()).collect(),
                address: place.address,
                bounds: ALL,
            },
            life: place.life,
        });
        Summary {
            seeks: seeks.collect(),
            takes: self.takes().clone(),
        }
    }

    /// What was summed up. No connection of this server seeks yet.
    fn of(summary: Summary) -> Result<Self, ErrorBody> {
        let mut state = Self::default();
        for Standing { sought, life } in summary.seeks {
            state.open_at(&sought, life, None)?;
        }
        state.remember(summary.takes);
        Ok(state)
    }
}

impl Lobby {
    /// Makes a change, and tells the connection of a seek that ends with it.
    pub(super) fn apply(
        &self,
        said: Said,
        by: Life,
        connection: Option<Outbox>,
    ) -> Result<(), ErrorBody> {
        let told = self.state().apply(&said, by, connection)?;
        match said {
            Said::Seek(sought) if sought.info.automatic.is_some() => self.wanted.notify_one(),
            Said::Over { seek, made, .. } => {
                if let Some((connection, end)) = told {
                    tell(&connection, seek, end, made);
                }
            }
            Said::Seek(_) | Said::Renamed { .. } => {}
        }
        Ok(())
    }
}

/// Tells a connection how its seek ended.
fn tell(connection: &Outbox, seek: SeekId, end: SeekEnd, made: Option<Made>) {
    let (match_id, seat, opponent) = match made {
        None => (None, None, None),
        Some(made) => (Some(made.id), Some(made.seat), Some(made.opponent)),
    };
    let notice = Notice::SeekEnded {
        seek,
        end,
        match_id,
        seat,
        opponent,
        // Nothing is known yet of how strong the player is.
        bot: (end == SeekEnd::GaveUp).then(|| grundy_shared::bot::Bot::default().to_string()),
    };
    connection.push_or_close(Outgoing::Frame(Frame::notice(&notice)));
}

impl Hearer for Lobby {
    fn hear(&self, heard: Heard<'_>) -> Result<(), serde_json::Error> {
        let said: Said = serde_json::from_str(heard.body)?;
        // Nobody seeks on a server that is gone.
        if heard.stale && matches!(said, Said::Seek(_)) {
            return Ok(());
        }
        let connection = heard.ticket.and_then(|ticket| self.tickets.needs(ticket));
        let outcome = self.apply(said, heard.by, connection.flatten());
        if let Some(ticket) = heard.ticket {
            self.tickets.settle(ticket, outcome);
        }
        Ok(())
    }

    fn gone(&self, life: Life) {
        self.state()
            .drop_all(|place: &Place| place.life.is_over_with(life));
    }

    fn sum_up(&self) -> Value {
        serde_json::to_value(self.state().summary()).unwrap_or_default()
    }

    fn take_up(&self, summary: Value) -> Result<(), String> {
        let summary = serde_json::from_value(summary).map_err(|error| error.to_string())?;
        *self.state() = State::of(summary).map_err(|error| error.to_string())?;
        self.wanted.notify_one();
        Ok(())
    }

    fn amend(&self) -> Vec<Projection> {
        let Some(hall) = &self.hall else {
            return Vec::new();
        };
        let deserted = self
            .state()
            .deserted(|place: &Place| place.deserted_on(self.life));
        let over = deserted.into_iter().map(|seek| {
            let said = Said::Over {
                seek,
                how: Over::Withdrawn,
                made: None,
            };
            hall.word(Topic::Lobby, 0, Some(end_of(seek)), &said)
        });
        over.collect()
    }
}

#[cfg(test)]
mod tests {
    use grundy_shared::event::{PlayerInfo, TimeControl};
    use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat};
    use grundy_shared::protocol::client::Side;
    use grundy_shared::protocol::lobby::{BotFilter, SeekInfo};

    use super::*;
    use crate::store::AddressDigest;

    const HERE: Life = Life { node: 2, epoch: 5 };
    const THERE: Life = Life { node: 3, epoch: 1 };

    fn player(number: u64) -> PlayerInfo {
        PlayerInfo {
            id: PlayerId::from_random(number.into()),
            name: format!("p{number}"),
            bot: false,
        }
    }

    fn seek(number: u64) -> Said {
        let info = SeekInfo {
            seek: SeekId::from_random(number),
            player: player(number),
            position: "nim:3,5".to_owned(),
            clock: TimeControl::Untimed {},
            games: 1,
            rated: false,
            rating: None,
            side: Side::Random,
            bots: BotFilter::Yes,
            opened_at_ms: Millis(number),
            automatic: None,
        };
        Said::Seek(Box::new(Sought {
            info,
            games: vec!["nim".to_owned()],
            address: AddressDigest(7),
            bounds: Bounds {
                per_player: 1,
                in_all: 4,
            },
        }))
    }

    fn taken(number: u64, by: u64) -> Said {
        Said::Over {
            seek: SeekId::from_random(number),
            how: Over::Taken(player(by).id, Seat::Second),
            made: Some(Made {
                id: MatchId::from_random(number),
                seat: Seat::First,
                opponent: player(by),
            }),
        }
    }

    fn as_heard(said: &Said) -> Said {
        serde_json::from_str(&serde_json::to_string(said).expect("JSON")).expect("a word")
    }

    fn text(state: &State<Place>) -> String {
        serde_json::to_string(&state.summary()).expect("JSON")
    }

    #[test]
    fn who_begins_with_a_summary_knows_the_same_as_who_has_heard_all() {
        let words = [
            (seek(1), HERE),
            (seek(2), THERE),
            // Of the same player: refused everywhere.
            (seek(2), HERE),
            (seek(3), THERE),
            (taken(2, 1), HERE),
            (seek(4), HERE),
            (
                Said::Renamed {
                    player: player(4).id,
                    name: "Ada".to_owned(),
                },
                HERE,
            ),
            (seek(5), THERE),
            // One more than there may be.
            (seek(6), HERE),
            (
                Said::Over {
                    seek: SeekId::from_random(3),
                    how: Over::Withdrawn,
                    made: None,
                },
                THERE,
            ),
        ];
        for cut in 0..=words.len() {
            let (mut all, mut late) = (State::default(), State::default());
            for (number, (said, by)) in words.iter().enumerate() {
                if number == cut {
                    let summary = serde_json::from_str(&text(&all)).expect("a summary");
                    late = State::of(summary).expect("it stands");
                }
                // What refuses a word says the same everywhere.
                let here = all.apply(&as_heard(said), *by, None);
                if number >= cut {
                    assert_eq!(late.apply(&as_heard(said), *by, None), here, "{number}");
                }
            }
            if cut < words.len() {
                assert_eq!(text(&late), text(&all), "{cut}");
            }
            let again = all.take(SeekId::from_random(2), &player(1));
            assert!(
                matches!(again, Ok(crate::lobby::Take::Again(_))),
                "{again:?}"
            );
            // Who is gone takes the own seeks along.
            all.drop_all(|place| place.life.is_over_with(THERE));
            assert_eq!(all.len(), 2);
        }
    }
}
