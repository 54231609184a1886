//! What stands in the way of a proof.

use crate::certificate::MAX_BYTES;
use crate::theory::Stopped;

/// Why a way of proving does not lead to a certificate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Obstacle {
    /// The way is not one for this position.
    OtherWay,
    /// The budget was used up.
    Budget,
    /// The proof takes more than [`MAX_BYTES`].
    Long,
}

impl From<Stopped> for Obstacle {
    fn from(_: Stopped) -> Self {
        Self::Budget
    }
}

impl Obstacle {
    /// What the certificate says.
    pub(super) fn reason(self) -> String {
        match self {
            Self::OtherWay => "no method of proof is known for this position".to_owned(),
            Self::Budget => "the budget was used up before there was a proof".to_owned(),
            Self::Long => {
                format!(
                    "no trusted theorem covers it, and a proof without one is longer than {MAX_BYTES} bytes"
                )
            }
        }
    }
}
