//! Certificates: verdicts with their proofs, which anybody can check without the solver, and the verifier that checks them.
//!
//! The verifier knows the rules of the games, the arithmetic of [`theory`](crate::theory) and the theorems of [`THEOREMS`], and it
//! searches nothing: its work is bounded by the size of the certificate and by the meter that it is given. Certificates are made by
//! [`solver::certify`](crate::solver::certify); `docs/CERTIFICATES.md` describes the format.

mod format;
mod geography;
mod mirror;
mod parts;
mod quotient;
mod refusal;
mod search;
mod stealing;
mod table;
mod theorems;
mod values;
mod verify;

pub use format::{
    Certificate, ComponentValues, MAX_BYTES, Matching, Mirror, MisereQuotient, Outcome, PartValue,
    PeriodClaim, Proof, SCHEMA, SearchRow, Source, Stealing, TableValues, Turn, Values, Wide,
};
pub(crate) use geography::Walk;
pub(crate) use mirror::{Square, Squares, square_name};
pub(crate) use parts::{live_parts, normal_form};
pub use refusal::{Fault, Refusal};
pub(crate) use table::Code;
pub(crate) use theorems::{SPRAGUE_GRUNDY, TAME_SUM, theorem_of};
pub use theorems::{THEOREMS, Theorem};
pub use verify::{Verified, WORK, verify};
