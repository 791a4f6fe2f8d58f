//! Budgets of counted work for the stages after the parse.
//!
//! In: how much work a stage may do on one page. Out: whether the next piece may still be done. Work is
//! counted in units of the stage (bytes read, lines, cells), never in time, so that a page gives the same
//! answer on every machine.

/// What is left of the work that a stage may do on one page.
#[derive(Debug, Clone)]
pub struct WorkBudget {
    left: usize,
    exceeded: bool,
}

impl WorkBudget {
    /// A budget of this many units.
    pub fn new(units: usize) -> WorkBudget {
        WorkBudget { left: units, exceeded: false }
    }

    /// Pays for the next piece of work, and says whether it may be done. After the first piece that is refused
    /// all others are refused too: what was done is the beginning of the page, without gaps.
    pub fn spend(&mut self, units: usize) -> bool {
        self.exceeded |= units > self.left;
        if !self.exceeded {
            self.left -= units;
        }
        !self.exceeded
    }

    /// True if some of the work was refused.
    pub fn is_exceeded(&self) -> bool {
        self.exceeded
    }
}

#[cfg(test)]
mod tests {
    use super::WorkBudget;

    #[test]
    fn nothing_is_done_after_the_first_refusal() {
        let mut budget = WorkBudget::new(10);
        let done = [4, 6].map(|units| budget.spend(units));
        assert_eq!((done, budget.is_exceeded()), ([true, true], false));
        let mut budget = WorkBudget::new(10);
        let done = [4, 7, 1].map(|units| budget.spend(units));
        assert_eq!((done, budget.is_exceeded()), ([true, false, false], true));
    }
}
