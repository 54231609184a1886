//! Values of trees with coloured edges, from the tips down to the ground.

use super::bush::{Bush, Colour, Part};
use crate::theory::canonical_forms::Stem;
use crate::theory::{CanonicalForm, CanonicalForms, Dyadic, Meter, Stopped};

/// A part without rings, seen from the ground, vertex 0.
pub(super) struct Tree {
    /// The vertices, each after the one below it.
    order: Vec<u32>,
    /// What stands on each vertex: the next vertex, and the colour of the edge to it.
    above: Vec<Vec<(u32, Colour)>>,
}

impl Tree {
    /// Reads a part that has no ring. O(edges).
    pub(super) fn new(bush: &Bush, part: Part<'_>) -> Self {
        let mut beside: Vec<Vec<(u32, Colour)>> = vec![Vec::new(); part.vertices];
        for (&(a, b), index) in part.ends.iter().zip(part.edges) {
            let colour = bush.edges[*index as usize].colour;
            beside[a as usize].push((b, colour));
            beside[b as usize].push((a, colour));
        }
        let mut order = vec![0];
        let mut next = 0;
        while let Some(&vertex) = order.get(next) {
            next += 1;
            for place in 0..beside[vertex as usize].len() {
                let (upper, _) = beside[vertex as usize][place];
                beside[upper as usize].retain(|(lower, _)| *lower != vertex);
                order.push(upper);
            }
        }
        Self {
            order,
            above: beside,
        }
    }

    /// The value of a tree without green edges: a number. Only where branches meet are numbers added; a stalk between two such places is
    /// read at once. O(edges + digits of the numbers that are added).
    pub(super) fn number(&self, meter: &mut Meter<'_>) -> Result<Dyadic, Stopped> {
        meter.work(self.order.len() as u64 / 4)?;
        let mut values: Vec<Dyadic> = vec![Dyadic::default(); self.above.len()];
        for vertex in self.order.iter().rev() {
            let branches = &self.above[*vertex as usize];
            if branches.len() == 1 && *vertex != 0 {
                continue;
            }
            let mut sum = Dyadic::default();
            for (upper, colour) in branches {
                let mut edges = vec![*colour == Colour::Blue];
                let mut top = *upper;
                while let [(next, colour)] = self.above[top as usize][..] {
                    edges.push(colour == Colour::Blue);
                    top = next;
                }
                let top = std::mem::take(&mut values[top as usize]);
                meter.work(top.words() + edges.len() as u64 / 4)?;
                sum = &sum + &top.on_stalk(&edges);
                meter.work(sum.words())?;
            }
            values[*vertex as usize] = sum;
        }
        Ok(std::mem::take(&mut values[0]))
    }

    /// The value of any tree.
    pub(super) fn form(
        &self,
        forms: &mut CanonicalForms,
        meter: &mut Meter<'_>,
    ) -> Result<CanonicalForm, Stopped> {
        let zero = forms.zero(meter)?;
        let mut values = vec![zero; self.above.len()];
        for vertex in self.order.iter().rev() {
            let mut sum = zero;
            for (upper, colour) in &self.above[*vertex as usize] {
                let stem = match colour {
                    Colour::Green => Stem::Green,
                    Colour::Blue => Stem::Blue,
                    Colour::Red => Stem::Red,
                };
                let branch = forms.on_edge(stem, values[*upper as usize], meter)?;
                sum = forms.add(sum, branch, meter)?;
            }
            values[*vertex as usize] = sum;
        }
        Ok(values[0])
    }
}
