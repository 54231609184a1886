//! What tells the series of one metric apart.

use prometheus_client::encoding::EncodeLabelSet;

/// Declares the single-label sets once.
macro_rules! labels {
    ($($(#[$about:meta])* $set:ident { $label:ident })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
        pub struct $set {
            /// The label.
            pub $label: &'static str,
        }
    )*};
}

labels! {
    /// Which game: the name of its family in the registry.
    ByRule { rule }
    /// Why, in a word of the protocol: an error code, a close reason.
    ByReason { reason }
    /// What a connection is: `guest` before `hello`, `player` after.
    ByRole { role }
    /// How something ended.
    ByOutcome { outcome }
    /// What kind of analysis: `solve`, `explain`, `review`, `bot`; or what was removed: `match`, `guest`.
    ByKind { kind }
    /// Where a review came from: `memory`, `store`, `solver`; or `idle`, if nobody had asked for it.
    BySource { source }
    /// What the solver's threads are to do: `play`, `secret`, `study`, `idle`.
    ByPurpose { purpose }
    /// Which limit: `connection`, `address`, `code`, `guest`.
    ByScope { scope }
}

/// A finished match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub struct Finished {
    /// Which game.
    pub rule: &'static str,
    /// How it ended: the end reason in the record's words.
    pub termination: &'static str,
}
