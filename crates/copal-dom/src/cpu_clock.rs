//! A clock that runs only while the thread does.
//!
//! In: nothing. Out: the processor time of the thread since a moment. The time limit is measured with it,
//! because a
//! page must not be cut only because other programs keep the machine busy. Systems without such a clock use
//! the wall clock.

use std::time::Duration;

/// A moment that time is counted from. It must be read by the thread that started it.
pub(crate) struct CpuClock {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    start: Duration,
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    start: std::time::Instant,
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
impl CpuClock {
    pub(crate) fn start() -> CpuClock {
        CpuClock { start: thread_time() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        thread_time().saturating_sub(self.start)
    }
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn thread_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.try_into().unwrap_or(0), now.tv_nsec.try_into().unwrap_or(0))
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
impl CpuClock {
    pub(crate) fn start() -> CpuClock {
        CpuClock { start: std::time::Instant::now() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(all(test, any(target_os = "linux", target_os = "macos")))]
mod tests {
    use super::CpuClock;
    use std::time::Duration;

    #[test]
    fn waiting_costs_no_time_and_work_does() {
        let clock = CpuClock::start();
        std::thread::sleep(Duration::from_millis(200));
        let waited = clock.elapsed();
        assert!(waited < Duration::from_millis(100), "{waited:?}");
        // bounded: each round takes some time
        let rounds = (0..1_000_000_000u64).take_while(|_| clock.elapsed() <= waited).count();
        assert!(clock.elapsed() > waited, "{rounds} rounds took no time");
    }
}
