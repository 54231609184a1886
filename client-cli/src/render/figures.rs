//! Why a figure is not determined.

use grundy_shared::statistics::{BtError, Undetermined};
use grundy_words::Message;

/// Why a figure is not determined.
pub(crate) fn undetermined(why: Undetermined) -> Message {
    Message::new("undetermined").text("why", case(why))
}

/// The reason as messages name it.
fn case(why: Undetermined) -> &'static str {
    match why {
        Undetermined::AllLost => "all-lost",
        Undetermined::AllWon => "all-won",
        Undetermined::NoVariance => "no-variance",
        Undetermined::IntervalReachesZero => "reaches-zero",
        Undetermined::IntervalReachesOne => "reaches-one",
        Undetermined::NoData => "no-data",
        Undetermined::NotConverged => "not-converged",
    }
}

/// Why players have no Elo. Servers and files say it with the words of the statistics; words that are not known are shown in English only.
pub(crate) fn no_elo(why: &str) -> Message {
    let cases = [
        (BtError::Empty, "no-games"),
        (BtError::Disconnected(Vec::new()), "groups"),
        (BtError::NotConverged, "not-converged"),
    ];
    let mut cases = cases.into_iter();
    let case = cases.find(|(error, _)| error.to_string() == why);
    Message::new("tournament-no-elo")
        .text("case", case.map_or("other", |(_, case)| case))
        .text("why", why)
}

#[cfg(test)]
mod tests {
    use grundy_words::{Catalogue, Language};

    use super::*;

    #[test]
    fn the_english_is_that_of_the_statistics() {
        for why in [
            Undetermined::AllLost,
            Undetermined::AllWon,
            Undetermined::NoVariance,
            Undetermined::IntervalReachesZero,
            Undetermined::IntervalReachesOne,
            Undetermined::NoData,
            Undetermined::NotConverged,
        ] {
            let said = undetermined(why).said(Catalogue::of(Language::English));
            assert_eq!(said, why.as_str());
        }
    }

    #[test]
    fn reasons_from_servers_are_known_by_their_words() {
        let groups = BtError::Disconnected(vec![1, 2]).to_string();
        let said = no_elo(&groups).said(Catalogue::of(Language::Chinese));
        let other = no_elo("whatever").said(Catalogue::of(Language::Chinese));
        assert_ne!(said, other);
        let english = no_elo(&groups).said(Catalogue::of(Language::English));
        assert_eq!(english, format!("Elo is not determined: {groups}."));
    }
}
