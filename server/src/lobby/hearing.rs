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

impl Lobby {
    /// Makes a change that this life of a server has said; the connection if it is this server's own. What it refuses depends on nothing that servers do not share.
    pub(super) fn apply(
        &self,
        said: Said,
        by: Life,
        connection: Option<Outbox>,
    ) -> Result<(), ErrorBody> {
        match said {
            Said::Seek(sought) => {
                let ahead_ms = match by == self.life {
                    true => 0,
                    false => {
                        let signed = |at: u64| i64::try_from(at).unwrap_or(i64::MAX);
                        let now = signed(self.clock.now().0);
                        now.saturating_sub(signed(sought.info.opened_at_ms.0))
                    }
                };
                self.open(*sought, by, connection, ahead_ms)
            }
            Said::Over { seek, how, made } => {
                self.end(seek, how, made);
                Ok(())
            }
            Said::Renamed { player, name } => {
                self.state().rename(player, &name);
                Ok(())
            }
        }
    }

    fn open(
        &self,
        sought: Sought,
        life: Life,
        connection: Option<Outbox>,
        ahead_ms: i64,
    ) -> Result<(), ErrorBody> {
        let automatic = sought.info.automatic.is_some();
        let games = sought.games.iter().filter_map(|name| games::find(name));
        let new = NewSeek {
            games: games.map(|game| game.name).collect(),
            info: sought.info,
            connection: Place {
                life,
                connection,
                address: sought.address,
            },
            ahead_ms,
        };
        self.state().open(new, sought.bounds)?;
        if automatic {
            self.wanted.notify_one();
        }
        Ok(())
    }

    fn end(&self, seek: SeekId, how: Over, made: Option<Made>) {
        let mut state = self.state();
        let settled = match (how, &made) {
            (Over::Withdrawn, _) => return state.drop_seek(seek),
            (Over::Full, _) => Settled::Full,
            (Over::GaveUp, _) => Settled::GaveUp,
            (Over::Taken(by, seat), Some(made)) => Settled::Made(Some((by, made.id, seat))),
            (Over::Taken(..) | Over::Matched, _) => Settled::Made(None),
        };
        let place = state.place_of(seek);
        let end = state.settle(seek, settled);
        drop(state);
        if let (Some(end), Some(connection)) = (end, place.and_then(|place| place.connection)) {
            tell(&connection, seek, end, made);
        }
    }

    fn summary(&self) -> Summary {
        let state = self.state();
        let (all, takes) = state.all();
        let seeks = all.into_iter().map(|(info, games, place)| Standing {
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
            takes: takes.clone(),
        }
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
    fn hear(&self, heard: Heard<'_>) {
        let said: Said = match serde_json::from_str(heard.body) {
            Ok(said) => said,
            Err(error) => {
                return tracing::warn!(number = %heard.number, %error, "a word about the lobby that is not understood");
            }
        };
        // Nobody seeks on a server that is gone.
        if heard.stale && matches!(said, Said::Seek(_)) {
            return;
        }
        let connection = heard.ticket.and_then(|ticket| self.tickets.needs(ticket));
        let outcome = self.apply(said, heard.by, connection.flatten());
        if let Some(ticket) = heard.ticket {
            self.tickets.settle(ticket, outcome);
        }
    }

    fn gone(&self, life: Life) {
        self.state()
            .drop_all(|place: &Place| place.life.is_over_with(life));
    }

    fn sum_up(&self) -> Value {
        serde_json::to_value(self.summary()).unwrap_or_default()
    }

    fn take_up(&self, summary: Value) {
        *self.state() = State::default();
        let Summary { seeks, takes } = match serde_json::from_value(summary) {
            Ok(summary) => summary,
            Err(error) => {
                return tracing::error!(%error, "what is known of the lobby cannot be read");
            }
        };
        for Standing { sought, life } in seeks {
            if let Err(refused) = self.open(sought, life, None, 0) {
                tracing::error!(%refused, "a seek that was summed up cannot stand");
            }
        }
        self.state().remember(takes);
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
