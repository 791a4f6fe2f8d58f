//! Connections: accepted up to a limit, closed if a client is too slow, and finished before the service ends.

// The service listens on sockets, which clippy.toml allows to copal-fetch and the server only.
#![allow(clippy::disallowed_types)]

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, Sleep, sleep};

/// Bytes of the headers of a request.
const MAX_HEADER_BYTES: usize = 32 * 1024;
/// How long running requests may take after a signal to end.
const SHUTDOWN_TIME: Duration = Duration::from_secs(10);
/// The pause after an error of `accept`, such as too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves connections until `stop` is true.
pub(crate) async fn serve_connections(
    listener: TcpListener,
    router: Router,
    max_connections: usize,
    client_time: Duration,
    mut stop: watch::Receiver<bool>,
) {
    let permits = Arc::new(Semaphore::new(max_connections));
    loop {
        let permit = permits.clone().acquire_owned();
        let accepted = async { (permit.await, listener.accept().await) };
        let (permit, stream) = tokio::select! {
            accepted = accepted => match accepted {
                (Ok(permit), Ok((stream, _))) => (permit, stream),
                _ => {
                    sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            },
            () = stopped(&mut stop) => break,
        };
        let (router, mut stop) = (router.clone(), stop.clone());
        tokio::spawn(async move {
            let io = TokioIo::new(TimedStream::new(stream, client_time));
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(client_time).max_buf_size(MAX_HEADER_BYTES);
            let connection = builder.serve_connection(io, TowerToHyperService::new(router));
            tokio::pin!(connection);
            tokio::select! {
                // what went wrong on a connection is the client's affair
                _ = connection.as_mut() => {}
                () = stopped(&mut stop) => {
                    connection.as_mut().graceful_shutdown();
                    let _ = connection.await;
                }
            }
            drop(permit);
        });
    }
    let all = permits.acquire_many(u32::try_from(max_connections).unwrap_or(u32::MAX));
    let _ = tokio::time::timeout(SHUTDOWN_TIME, all).await;
}

/// Waits for a signal to end.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

/// A connection whose writes fail if the client takes nothing for too long.
struct TimedStream {
    stream: TcpStream,
    limit: Duration,
    /// When the write that waits now has waited long enough.
    deadline: Pin<Box<Sleep>>,
    is_waiting: bool,
}

impl TimedStream {
    fn new(stream: TcpStream, limit: Duration) -> TimedStream {
        TimedStream { stream, limit, deadline: Box::pin(sleep(limit)), is_waiting: false }
    }

    /// The result of a write, or an error if it has waited for too long.
    fn timed<T>(&mut self, context: &mut Context<'_>, poll: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if poll.is_ready() {
            self.is_waiting = false;
            return poll;
        }
        if !self.is_waiting {
            self.is_waiting = true;
            self.deadline.as_mut().reset(Instant::now() + self.limit);
        }
        match self.deadline.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.timed(context, poll)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let poll = Pin::new(&mut self.stream).poll_flush(context);
        self.timed(context, poll)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let poll = Pin::new(&mut self.stream).poll_shutdown(context);
        self.timed(context, poll)
    }
}
