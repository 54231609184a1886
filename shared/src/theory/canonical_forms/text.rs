//! Values as text, in the notation of *Winning Ways* (1982), chapters 2 and 3.

use super::{CanonicalForm, CanonicalForms, Node};

/// Characters of a value; longer ones are not written out.
const LONGEST: usize = 48;
/// Braces within one another.
const DEEPEST: u32 = 4;

impl CanonicalForms {
    /// How it is written: `3/4`, `*2`, `1/2*` (a number and a nimber), `^2*` (two ups and a star), `{1|-1}`; shortened where it is long.
    #[must_use]
    pub fn shown(&self, form: CanonicalForm) -> String {
        let text = self.text(form, DEEPEST);
        match text.len() > LONGEST {
            false => text,
            true => "{...}".to_owned(),
        }
    }

    fn text(&self, form: CanonicalForm, depth: u32) -> String {
        let counted = |name: &str, count: u64| match count {
            0 => String::new(),
            1 => name.to_owned(),
            _ => format!("{name}{count}"),
        };
        let (left, right) = match self.node(form) {
            Node::Plain(number, nimber) if number.is_zero() && *nimber > 0 => {
                return counted("*", *nimber);
            }
            Node::Plain(number, nimber) => return format!("{number}{}", counted("*", *nimber)),
            Node::Hot(left, right) => (left, right),
        };
        if let Some((ups, nimber)) = self.as_ups(form) {
            let name = if ups > 0 { "^" } else { "v" };
            return counted(name, ups.unsigned_abs()) + &counted("*", nimber);
        }
        if depth == 0 {
            return "...".to_owned();
        }
        let list = |options: &[CanonicalForm]| {
            let texts = options.iter().map(|option| self.text(*option, depth - 1));
            let mut texts: Vec<String> = texts.collect();
            // One order, whatever was met first: stars and ups last.
            texts.sort_unstable_by_key(|text| (text.starts_with(['*', '^', 'v']), text.clone()));
            texts.join(",")
        };
        format!("{{{}|{}}}", list(left), list(right))
    }

    /// How many ups (downs, if negative) and which nimber it is the sum of, if it is; never 0 ups. O(ups).
    ///
    /// The one who is ahead has the option 0 alone, and the other one option with one up less and the other last bit of the nimber; only up and star together, `{0,*|0}`,
    /// is different.
    #[must_use]
    pub fn as_ups(&self, form: CanonicalForm) -> Option<(i64, u64)> {
        let (mut at, mut steps, mut flip, mut side) = (form, 0, 0, None);
        loop {
            let (left, right) = match self.node(at) {
                Node::Plain(number, nimber) if number.is_zero() && steps > 0 => {
                    // `{0|0}` is a star, so from up with a star the last step does not come here.
                    let sign = if side? { 1 } else { -1 };
                    return Some((sign * steps, nimber ^ flip));
                }
                Node::Plain(..) => return None,
                Node::Hot(left, right) => (&**left, &**right),
            };
            let ahead = match (self.nimbers(left), self.nimbers(right)) {
                (Some([0, 1]), Some([0, 0])) => Some((true, None)),
                (Some([0, 0]), Some([0, 1])) => Some((false, None)),
                (Some([0, 0]), _) if right.len() == 1 => Some((true, Some(right[0]))),
                (_, Some([0, 0])) if left.len() == 1 => Some((false, Some(left[0]))),
                _ => None,
            };
            let (up, next) = ahead?;
            if side.is_some_and(|side| side != up) {
                return None;
            }
            side = Some(up);
            steps += 1;
            match next {
                Some(next) => (at, flip) = (next, flip ^ 1),
                None => return Some((if up { steps } else { -steps }, 1 ^ flip)),
            }
        }
    }

    /// The first and the last of options that are 0, or 0 and star.
    fn nimbers(&self, options: &[CanonicalForm]) -> Option<[u64; 2]> {
        let nimber = |option: &CanonicalForm| match self.as_plain(*option) {
            Some((number, nimber)) if number.is_zero() => Some(nimber),
            _ => None,
        };
        match options {
            [one] => nimber(one).filter(|n| *n == 0).map(|n| [n, n]),
            [a, b] => {
                let (a, b) = (nimber(a)?, nimber(b)?);
                Some([a.min(b), a.max(b)])
            }
            _ => None,
        }
    }
}
