//! The sum of the digests of rows, whatever their order.

use sha2::{Digest, Sha256};

/// Limbs of a sum.
const LIMBS: usize = 4;

/// A number modulo 2^256: the digests of some rows added up. A row is taken out by subtracting its digest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sum([u64; LIMBS]);

impl Sum {
    /// The digest of one row of a table, from the text that [`Covered`](super::covered::Covered) makes of it.
    pub(crate) fn of_row(table: &str, columns: &str, text: &str) -> Self {
        let digest: [u8; 32] = Sha256::new()
            .chain_update(b"grundy/row/1/")
            .chain_update(table)
            .chain_update([0])
            .chain_update(columns)
            .chain_update([0])
            .chain_update(text)
            .finalize()
            .into();
        Self::from_bytes(&digest).unwrap_or_default()
    }

    /// Of 32 bytes, the least significant first; `None` if there are not as many.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; 8 * LIMBS] = bytes.try_into().ok()?;
        let mut limbs = [0; LIMBS];
        for (limb, bytes) in limbs.iter_mut().zip(bytes.as_chunks().0) {
            *limb = u64::from_le_bytes(*bytes);
        }
        Some(Self(limbs))
    }

    /// And back.
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        self.0.iter().flat_map(|limb| limb.to_le_bytes()).collect()
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        let mut sum = self;
        let mut carry = false;
        for (limb, more) in sum.0.iter_mut().zip(other.0) {
            let (added, over) = limb.overflowing_add(more);
            let (added, over_again) = added.overflowing_add(u64::from(carry));
            (*limb, carry) = (added, over || over_again);
        }
        sum
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        let negative = Self(other.0.map(|limb| !limb)).plus(Self([1, 0, 0, 0]));
        self.plus(negative)
    }
}

/// The rows of a table: how many, and the sum of their digests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct TableSum {
    pub(crate) rows: i64,
    pub(crate) sum: Sum,
}

impl TableSum {
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            rows: self.rows.wrapping_add(other.rows),
            sum: self.sum.plus(other.sum),
        }
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        Self {
            rows: self.rows.wrapping_sub(other.rows),
            sum: self.sum.minus(other.sum),
        }
    }

    /// One row with this digest.
    pub(crate) fn one(sum: Sum) -> Self {
        Self { rows: 1, sum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str) -> Sum {
        Sum::of_row("player", "id", text)
    }

    #[test]
    fn order_does_not_matter_and_what_is_taken_out_is_gone() {
        let rows: Vec<Sum> = (0..50).map(|number| row(&number.to_string())).collect();
        let forwards = rows.iter().fold(Sum::default(), |sum, row| sum.plus(*row));
        let backwards = rows
            .iter()
            .rev()
            .fold(Sum::default(), |sum, row| sum.plus(*row));
        assert_eq!(forwards, backwards);
        let taken_out = rows.iter().fold(forwards, |sum, row| sum.minus(*row));
        assert_eq!(taken_out, Sum::default());
        assert_eq!(Sum::from_bytes(&forwards.to_bytes()), Some(forwards));
    }

    #[test]
    fn a_carry_reaches_the_last_limb_and_leaves_it() {
        let most = Sum([u64::MAX; LIMBS]);
        let one = Sum([1, 0, 0, 0]);
        assert_eq!(most.plus(one), Sum::default());
        assert_eq!(Sum::default().minus(one), most);
    }

    #[test]
    fn a_row_counts_for_its_table_its_columns_and_each_time() {
        assert_ne!(row("1"), Sum::of_row("token", "id", "1"));
        assert_ne!(row("1"), Sum::of_row("player", "name", "1"));
        // Unlike with exclusive or, a row that is there twice does not cancel out.
        assert_ne!(row("1").plus(row("1")), Sum::default());
    }
}
