//! The service's side of the messages between it and its workers, without blocking a thread. The format is that of
//! `copal_tasks::frames`, with which workers read and write.

use copal_tasks::frames::{MAX_BODIES, MAX_BODY_BYTES, MAX_JSON_BYTES, frame_head, too_large};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Writes a frame to a worker.
pub(crate) async fn send_frame(
    out: &mut (impl AsyncWrite + Unpin),
    message: &impl Serialize,
    bodies: &[&[u8]],
) -> io::Result<()> {
    out.write_all(&frame_head(message, bodies.len())?).await?;
    for body in bodies {
        let length = u32::try_from(body.len()).map_err(|_| too_large())?;
        out.write_all(&length.to_be_bytes()).await?;
        out.write_all(body).await?;
    }
    out.flush().await
}

/// Reads a frame of a worker. The end of the input is an error: a worker that ends has failed.
pub(crate) async fn receive_frame<T: DeserializeOwned>(
    input: &mut (impl AsyncRead + Unpin),
) -> io::Result<(T, Vec<Vec<u8>>)> {
    let json_length = input.read_u32().await? as usize;
    if json_length > MAX_JSON_BYTES {
        return Err(too_large());
    }
    let mut json = vec![0; json_length];
    input.read_exact(&mut json).await?;
    let message = serde_json::from_slice(&json)?;
    let count = input.read_u32().await? as usize;
    if count > MAX_BODIES {
        return Err(too_large());
    }
    let mut bodies = Vec::new();
    let mut total = 0;
    for _ in 0..count {
        let size = input.read_u32().await? as usize;
        total += size;
        if total > MAX_BODY_BYTES {
            return Err(too_large());
        }
        let mut body = vec![0; size];
        input.read_exact(&mut body).await?;
        bodies.push(body);
    }
    Ok((message, bodies))
}
