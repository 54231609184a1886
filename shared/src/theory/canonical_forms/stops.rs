//! Stops: what a value comes to once play in it reaches a number (J. H. Conway, *On Numbers and Games*, 1976, chapter 9).

use rustc_hash::FxHashMap;

use super::{CanonicalForm, CanonicalForms};
use crate::theory::{Dyadic, Meter, Stopped};

impl CanonicalForms {
    /// The left stop, where Left moves first, and the right stop, where Right does; both play for the number at which they stop. Those of a
    /// number are the number itself. The left one is never below the right one. O(forms reached).
    ///
    /// # Errors
    /// The budget is used up, or the form is too deep.
    pub fn stops(
        &mut self,
        form: CanonicalForm,
        meter: &mut Meter<'_>,
    ) -> Result<[Dyadic; 2], Stopped> {
        self.stops_by(form, &mut FxHashMap::default(), meter)
    }

    fn stops_by(
        &mut self,
        form: CanonicalForm,
        known: &mut FxHashMap<CanonicalForm, [Dyadic; 2]>,
        meter: &mut Meter<'_>,
    ) -> Result<[Dyadic; 2], Stopped> {
        if let Some((number, _)) = self.as_plain(form) {
            // Beside a number, a nimber comes to nothing.
            meter.work(number.words())?;
            return Ok([number.clone(), number.clone()]);
        }
        if let Some(stops) = known.get(&form) {
            return Ok(stops.clone());
        }
        let stops = self.deeper(meter, |forms, meter| {
            let [left, right] = forms.options(form, meter)?;
            let (mut most, mut least) = (None, None);
            for option in left {
                let [_, stop] = forms.stops_by(option, known, meter)?;
                most = most.max(Some(stop));
            }
            for option in right {
                let [stop, _] = forms.stops_by(option, known, meter)?;
                least = Some(match least {
                    Some(least) if least <= stop => least,
                    _ => stop,
                });
            }
            // A form that is no number has options on both sides.
            Ok([most.ok_or(Stopped)?, least.ok_or(Stopped)?])
        })?;
        meter.hold(64)?;
        known.insert(form, stops.clone());
        Ok(stops)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stops_of_switches_and_infinitesimals() {
        let mut meter = Meter::new(1 << 20, 1 << 20, &|| false);
        let meter = &mut meter;
        let mut forms = CanonicalForms::default();
        let mut number = |forms: &mut CanonicalForms, n: i64| {
            let number = Dyadic::from(n);
            forms.plain(number, 0, meter).expect("budget")
        };
        let [two, zero, less] = [2, 0, -1].map(|n| number(&mut forms, n));
        let mut meter = Meter::new(1 << 20, 1 << 20, &|| false);
        let meter = &mut meter;
        let switch = forms
            .of_options(vec![two], vec![less], meter)
            .expect("budget");
        assert_eq!(
            forms.stops(switch, meter).expect("budget"),
            [Dyadic::from(2), Dyadic::from(-1)]
        );
        // Left can threaten to reach 2, but Right answers: {{2|-1}|-1} stops at -1 whoever moves first.
        let threat = forms
            .of_options(vec![switch], vec![less], meter)
            .expect("budget");
        assert_eq!(
            forms.stops(threat, meter).expect("budget"),
            [Dyadic::from(-1), Dyadic::from(-1)]
        );
        let star = forms
            .of_options(vec![zero], vec![zero], meter)
            .expect("budget");
        let up = forms
            .of_options(vec![zero], vec![star], meter)
            .expect("budget");
        for form in [star, up] {
            let zero = Dyadic::default();
            assert_eq!(
                forms.stops(form, meter).expect("budget"),
                [zero.clone(), zero]
            );
        }
    }
}
