//! Proofs by the Grundy values of all parts.

use std::collections::BTreeMap;

use crate::certificate::refusal::{Checked, quoted, unproved};
use crate::certificate::table::Table;
use crate::certificate::theorems::{self, GUY_SMITH, SPRAGUE_GRUNDY, TAME_SUM};
use crate::certificate::{ComponentValues, PartValue, Source, Values, Wide, live_parts};
use crate::erased::Component;
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::theory::compound::Compound;
use crate::theory::{Meter, Tally, mex};

/// What the tables and rows of a certificate prove, once they are checked.
struct Ledger<'c> {
    tables: BTreeMap<&'c str, Table<'c>>,
    parts: BTreeMap<&'c str, u64>,
    /// The theorems that were appealed to.
    trusted: Vec<&'static str>,
}

/// What the values prove: the outcome, the value in normal play, and the winning move.
pub(super) struct Sum {
    pub(super) lost: bool,
    pub(super) value: Option<u64>,
    pub(super) trusted: Vec<&'static str>,
}

impl Values {
    /// Checks every row, then the sum, before and after the winning move.
    pub(super) fn check(
        &self,
        position: &Position,
        winning: Option<&Move>,
        meter: &mut Meter<'_>,
    ) -> Checked<Sum> {
        const COMPONENTS: &str = "proof.values.components";
        if position.compound() != Compound::Sum {
            return unproved(
                "proof.values",
                "values can be added only in disjunctive sums",
            );
        }
        // A move of a disjunctive sum is made in one component.
        let step = winning.map(|mv| &mv.steps[0]);
        let mut ledger = Ledger::check(self, meter)?;
        let components = position.sum.components();
        let live = components.iter().enumerate();
        let live = live.filter(|(_, component)| component.move_count(Seat::First) > 0);
        let live: Vec<(usize, &Component)> = live.collect();
        self.check_rule(position, &live, &mut ledger)?;
        if live.len() != self.components.len() {
            let message = format!(
                "{} components have a move, but the proof has {}",
                live.len(),
                self.components.len()
            );
            return unproved(COMPONENTS, message);
        }
        let mut tally = Tally::default();
        let mut others = Tally::default();
        for (place, ((index, component), claimed)) in live.iter().zip(&self.components).enumerate()
        {
            let place = format!("{COMPONENTS}[{place}]");
            let values = ledger.component(*index, component, claimed, &place, meter)?;
            tally = values.iter().fold(tally, |tally, value| tally.with(*value));
            if step.is_none_or(|step| step.component != *index) {
                others = values
                    .iter()
                    .fold(others, |tally, value| tally.with(*value));
            }
        }
        let misere = position.end_rule().is_misere();
        let lost = tally.is_lost(misere);
        match step {
            Some(step) => {
                let after = components[step.component].play(&*step.inner);
                let rest = self.after(step.component, &after, &mut ledger, meter)?;
                let rest = rest.iter().fold(others, |tally, value| tally.with(*value));
                if !rest.is_lost(misere) {
                    return unproved("winning_move", "the values do not show that it wins");
                }
            }
            None if self.after.is_some() => {
                return unproved("proof.values.after", "there is no winning move");
            }
            None => {}
        }
        Ok(Sum {
            lost,
            value: (!misere).then_some(tally.xor),
            trusted: ledger.trusted,
        })
    }

    /// Checks that the theorem about the sum is the one of the end rule, and its condition.
    fn check_rule(
        &self,
        position: &Position,
        live: &[(usize, &Component)],
        ledger: &mut Ledger<'_>,
    ) -> Checked<()> {
        const PLACE: &str = "proof.values.rule";
        let rule = match position.end_rule().is_misere() {
            true => TAME_SUM,
            false => SPRAGUE_GRUNDY,
        };
        if self.rule != rule {
            let message = format!("this sum needs the rule {rule}, not {}", quoted(&self.rule));
            return unproved(PLACE, message);
        }
        let wild = live.iter().find(|(_, component)| !component.is_tame());
        if let Some((index, _)) = wild.filter(|_| rule == TAME_SUM) {
            let message = format!("component {} is not tame", index + 1);
            return unproved(PLACE, message);
        }
        ledger.trust(rule);
        Ok(())
    }

    /// The values of the component moved in, after the move.
    fn after(
        &self,
        index: usize,
        after: &Component,
        ledger: &mut Ledger<'_>,
        meter: &mut Meter<'_>,
    ) -> Checked<Vec<u64>> {
        const PLACE: &str = "proof.values.after";
        match (&self.after, after.move_count(Seat::First)) {
            (None, 0) => Ok(Vec::new()),
            (None, _) => unproved(PLACE, "the component has moves after the winning move"),
            (Some(_), 0) => unproved(PLACE, "the component has no move after the winning move"),
            (Some(claimed), _) => ledger.component(index, after, claimed, PLACE, meter),
        }
    }
}

impl<'c> Ledger<'c> {
    fn check(values: &'c Values, meter: &mut Meter<'_>) -> Checked<Self> {
        let mut ledger = Self {
            tables: BTreeMap::new(),
            parts: BTreeMap::new(),
            trusted: Vec::new(),
        };
        for (index, table) in values.tables.iter().enumerate() {
            let place = format!("proof.values.tables[{index}]");
            if table.period.is_some() {
                ledger.trust(GUY_SMITH);
            }
            let checked = Table::check(table, &place, meter)?;
            if ledger.tables.insert(&table.game, checked).is_some() {
                return unproved(place, "an earlier table is for the same game");
            }
        }
        for (index, row) in values.parts.iter().enumerate() {
            let place = format!("proof.values.parts[{index}]");
            ledger.add_part(row, &place, meter)?;
        }
        Ok(ledger)
    }

    fn trust(&mut self, theorem: &'static str) {
        if !self.trusted.contains(&theorem) {
            self.trusted.push(theorem);
        }
    }

    /// Checks one row against the rules: it has every move, and earlier rows give the values that the moves leave.
    fn add_part(&mut self, row: &'c PartValue, place: &str, meter: &mut Meter<'_>) -> Checked<()> {
        let part = read_part(&row.part, &format!("{place}.part"))?;
        let count = part.move_count(Seat::First);
        if count != row.options.len() as u128 {
            let message = format!(
                "{count} moves are legal, but the row has {}",
                row.options.len()
            );
            return unproved(format!("{place}.options"), message);
        }
        // The order of the moves does not matter. As many are listed as there are, so none is listed twice if none is missing.
        let listed = row.options.iter().enumerate();
        let listed = listed.map(|(index, (mv, value))| (mv.as_str(), (index, value)));
        let listed: BTreeMap<&str, (usize, &Wide)> = listed.collect();
        let mut left = Vec::with_capacity(row.options.len());
        for mv in part.moves(Seat::First) {
            let Some((index, value)) = listed.get(mv.to_string().as_str()) else {
                return unproved(
                    format!("{place}.options"),
                    format!("the move {mv} is missing"),
                );
            };
            let place = || format!("{place}.options[{index}]");
            let mut xor = 0;
            for (text, _) in live_parts(&part.play(&*mv), meter)? {
                let Some(known) = self.parts.get(text.as_str()) else {
                    let message = format!("{} is not in an earlier row", quoted(&text));
                    return unproved(place(), message);
                };
                xor ^= known;
            }
            if value.0 != xor {
                return unproved(place(), format!("the move leaves {xor}, not {}", value.0));
            }
            left.push(xor);
        }
        let least = mex(&left);
        if row.value.0 != least {
            let message = format!(
                "the least number that no move leaves is {least}, not {}",
                row.value.0
            );
            return unproved(format!("{place}.value"), message);
        }
        match self.parts.insert(&row.part, least) {
            None => Ok(()),
            Some(_) => unproved(format!("{place}.part"), "it is listed twice"),
        }
    }

    /// Checks the values claimed for the parts of a component, and returns them.
    fn component(
        &mut self,
        index: usize,
        component: &Component,
        claimed: &ComponentValues,
        place: &str,
        meter: &mut Meter<'_>,
    ) -> Checked<Vec<u64>> {
        if claimed.component != index + 1 {
            let message = format!("this is component {}", index + 1);
            return unproved(format!("{place}.component"), message);
        }
        let by = format!("{place}.by");
        let values = match &claimed.by {
            Source::Theorem(name) => self.by_theorem(name, component, &by, meter)?,
            Source::Table => self.by_table(component, &by, meter)?,
            Source::Options => self.by_options(component, &by, meter)?,
        };
        if values.len() != claimed.values.len() {
            let message = format!(
                "there are {} parts but {} values",
                values.len(),
                claimed.values.len()
            );
            return unproved(format!("{place}.values"), message);
        }
        // Their order does not matter.
        let mut found = values.clone();
        found.sort_unstable();
        let listed = claimed.values.iter().map(|value| value.0);
        let mut listed: Vec<(u64, usize)> = listed.zip(0..).collect();
        listed.sort_unstable();
        let mut pairs = found.iter().zip(&listed);
        match pairs.find(|(value, (claimed, _))| *value != claimed) {
            None => Ok(values),
            Some((value, (claimed, place_in_list))) => {
                let message = format!("a part has the value {value}, not {claimed}");
                unproved(format!("{place}.values[{place_in_list}]"), message)
            }
        }
    }

    /// By a closed form, evaluated again.
    fn by_theorem(
        &mut self,
        name: &str,
        component: &Component,
        place: &str,
        meter: &mut Meter<'_>,
    ) -> Checked<Vec<u64>> {
        let theorem = theorems::named(name);
        let theorem =
            theorem.filter(|theorem| theorem.gives_values() && theorem.is_about(component));
        let Some(theorem) = theorem else {
            let message = format!(
                "there is no theorem {} about the values of this game",
                quoted(name)
            );
            return unproved(place, message);
        };
        meter.work(component.bytes() / 8)?;
        let values: Option<Vec<u64>> = component.values(meter)?.into_iter().collect();
        let Some(values) = values else {
            return unproved(place, format!("{name} does not cover numbers this large"));
        };
        self.trust(theorem.name);
        Ok(values)
    }

    fn by_table(
        &self,
        component: &Component,
        place: &str,
        meter: &mut Meter<'_>,
    ) -> Checked<Vec<u64>> {
        let value = |part: Component| {
            let text = part.to_string();
            let (game, heap) = text.split_once(':')?;
            self.tables.get(game)?.value(heap.parse().ok()?)
        };
        let parts = component.parts();
        meter.work(parts.len() as u64)?;
        match parts.into_iter().map(value).collect() {
            Some(values) => Ok(values),
            None => unproved(place, "a part is in no table"),
        }
    }

    fn by_options(
        &self,
        component: &Component,
        place: &str,
        meter: &mut Meter<'_>,
    ) -> Checked<Vec<u64>> {
        let mut values = Vec::new();
        for (text, _) in live_parts(component, meter)? {
            match self.parts.get(text.as_str()) {
                Some(value) => values.push(*value),
                None => return unproved(place, format!("{} is in no row", quoted(&text))),
            }
        }
        Ok(values)
    }
}

/// Reads a row's part: one component in canonical form.
fn read_part(text: &str, place: &str) -> Checked<Component> {
    let position = match Position::parse(text) {
        Ok(position) => position,
        Err(error) => return unproved(place, error.message),
    };
    match position.sum.components() {
        [part] if !position.end_rule().is_misere() && part.to_string() == text => Ok(part.clone()),
        _ => unproved(place, "it is not a single part in canonical form"),
    }
}
