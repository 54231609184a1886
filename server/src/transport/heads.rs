//! The heads of a client's frames (RFC 6455, section 5.2), followed in the stream of its bytes.
//!
//! tungstenite reads the frames. It accepts lengths that are written longer than they need be, reads a whole frame before it says that its length
//! is impossible, and hands over a binary message only after its last fragment. All three are refused here at the head of the frame.

/// Why no further byte of a client is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BadHead {
    /// A length that is not written in the shortest way, or beyond 2^63-1.
    Length,
    /// The first frame of a binary message.
    Binary,
}

const CONTINUATION: u8 = 0;
const TEXT: u8 = 1;
const BINARY: u8 = 2;
const FINAL: u8 = 0x80;
const RESERVED: u8 = 0x70;
const MASKED: u8 = 0x80;
/// The longest head: two bytes, a length of eight, a mask of four.
const LONGEST: usize = 14;

/// Where in the stream of frames we are.
#[derive(Clone, Debug, Default)]
pub(super) struct Heads {
    head: [u8; LONGEST],
    /// Bytes of the head so far.
    known: usize,
    /// Bytes of the payload that are still to come.
    payload: u64,
    /// A message has begun and not ended.
    is_within_message: bool,
    /// tungstenite refuses what was read: nothing after it is a frame.
    is_over: bool,
}

impl Heads {
    /// Follows these bytes.
    ///
    /// # Errors
    /// How many of them are good, and what is wrong with the next one.
    pub(super) fn follow(&mut self, bytes: &[u8]) -> Result<(), (usize, BadHead)> {
        let mut at = 0;
        while at < bytes.len() && !self.is_over {
            if self.payload > 0 {
                let here = self.payload.min((bytes.len() - at) as u64);
                self.payload -= here;
                at += here as usize;
                continue;
            }
            self.head[self.known] = bytes[at];
            self.known += 1;
            self.judge().map_err(|bad| (at, bad))?;
            at += 1;
        }
        Ok(())
    }

    /// Judges the head with one byte more.
    fn judge(&mut self) -> Result<(), BadHead> {
        let [first, second, ..] = self.head;
        let (opcode, short) = (first & 0x0f, second & !MASKED);
        let lengths = match short {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        if self.known == 2 {
            if first & RESERVED != 0 || second & MASKED == 0 {
                self.is_over = true;
            } else if opcode == BINARY && !self.is_within_message {
                return Err(BadHead::Binary);
            }
        }
        if self.known < 2 || self.known < 2 + lengths {
            return Ok(());
        }
        let written = &self.head[2..2 + lengths];
        let length = written
            .iter()
            .fold(0, |sum, byte| sum << 8 | u64::from(*byte));
        let is_shortest = match lengths {
            2 => length > 125,
            8 => length > u64::from(u16::MAX) && length >> 63 == 0,
            _ => true,
        };
        if !is_shortest {
            return Err(BadHead::Length);
        }
        if self.known == 2 + lengths + 4 {
            self.known = 0;
            self.payload = if lengths == 0 { short.into() } else { length };
            if matches!(opcode, CONTINUATION | TEXT | BINARY) {
                self.is_within_message = first & FINAL == 0;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MASK: [u8; 4] = [1, 2, 3, 4];

    /// What is found, however the bytes are cut.
    fn found(bytes: &[u8]) -> Option<(usize, BadHead)> {
        let whole = Heads::default().follow(bytes).err();
        for cut in 0..=bytes.len() {
            let (one, two) = bytes.split_at(cut);
            let mut heads = Heads::default();
            let parts = heads.follow(one).err();
            let mut rest = |()| heads.follow(two).err().map(|(at, bad)| (at + cut, bad));
            assert_eq!(parts.or_else(|| rest(())), whole, "cut at {cut}");
        }
        whole
    }

    fn frame(first: u8, length: &[u8], payload: usize) -> Vec<u8> {
        [&[first], length, &MASK, &vec![0; payload][..]].concat()
    }

    #[test]
    fn lengths_that_are_too_long_are_refused_at_their_last_byte() {
        for short in [0, 1, 125_u8] {
            assert_eq!(found(&frame(0x81, &[0x80 | short], short.into())), None);
            let long = [0xfe, 0, short];
            assert_eq!(found(&frame(0x81, &long, 0)), Some((3, BadHead::Length)));
        }
        assert_eq!(found(&frame(0x81, &[0xfe, 0, 126], 126)), None);
        for long in [0, 126, 65_535_u64] {
            let long = [&[0xff][..], &long.to_be_bytes()].concat();
            assert_eq!(found(&frame(0x81, &long, 0)), Some((9, BadHead::Length)));
        }
        let most = [&[0xff][..], &65_536_u64.to_be_bytes()].concat();
        assert_eq!(found(&frame(0x81, &most, 10)), None);
        let high = [&[0xff][..], &(1_u64 << 63).to_be_bytes()].concat();
        assert_eq!(found(&frame(0x81, &high, 0)), Some((9, BadHead::Length)));
    }

    #[test]
    fn a_binary_message_is_refused_at_its_first_head_and_not_within_another() {
        let text = frame(0x81, &[0x83], 3);
        let binary = frame(0x02, &[0x80], 0);
        let after = [&text[..], &binary].concat();
        assert_eq!(found(&after), Some((text.len() + 1, BadHead::Binary)));
        // tungstenite refuses this one: a message has begun.
        let within = [
            frame(0x01, &[0x81], 1),
            frame(0x89, &[0x80], 0),
            binary.clone(),
        ]
        .concat();
        assert_eq!(found(&within), None);
        let ended = [frame(0x01, &[0x80], 0), frame(0x80, &[0x81], 1), binary].concat();
        assert!(matches!(found(&ended), Some((_, BadHead::Binary))));
        // So are a reserved bit and a missing mask.
        assert_eq!(found(&[0xc2, 0x80, 0, 0]), None);
        assert_eq!(found(&[0x82, 0x00, 0x82, 0x80]), None);
    }
}
