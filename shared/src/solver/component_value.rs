//! The nim-value of a whole component.

use crate::erased::Component;
use crate::theory::{Meter, Stopped};

/// The nim-value of a component, `None` where its game does not know it.
pub(super) fn value_of(
    component: &Component,
    meter: &mut Meter<'_>,
) -> Result<Option<u64>, Stopped> {
    Ok(together(&component.values(meter)?))
}

/// The xor of the values of its parts, if all are known.
pub(super) fn together(parts: &[Option<u64>]) -> Option<u64> {
    let mut parts = parts.iter();
    parts.try_fold(0, |xor, part| Some(xor ^ (*part)?))
}
