//! A program that is started without a shell, and ended together with whatever it starts itself.

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};
use std::io;
use std::process::{Child, Command};

/// A started program. It is ended when this is dropped.
#[derive(Debug)]
pub(crate) struct GroupedChild {
    pub(crate) process: Child,
}

impl GroupedChild {
    /// Starts a program with its arguments; `set_streams` says where its input and output go.
    pub(crate) fn start(
        command: &[String],
        set_streams: impl FnOnce(&mut Command) -> &mut Command,
    ) -> io::Result<GroupedChild> {
        let mut start = Command::new(command.first().map_or("", String::as_str));
        set_streams(start.args(command.iter().skip(1)));
        // whatever it starts itself is ended with it
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut start, 0);
        Ok(GroupedChild { process: start.spawn()? })
    }
}

impl Drop for GroupedChild {
    fn drop(&mut self) {
        // one that has ended and was waited for may have given its number to another process
        if matches!(self.process.try_wait(), Ok(None)) {
            #[cfg(unix)]
            let _ = kill_process_group(Pid::from_child(&self.process), Signal::KILL);
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}
