//! Messages between the service and its workers: a length, JSON, and bodies.
//!
//! `u32 length of JSON | JSON | u32 number of bodies | (u32 length | bytes)*`, all numbers big-endian. Both sides are the
//! same program, but a reader still refuses frames larger than the largest body and answer, so that a worker that went
//! wrong cannot fill the memory of the service.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Read, Write};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Largest JSON part.
const MAX_JSON_BYTES: usize = 64 << 20;
/// Bodies of one frame.
const MAX_BODIES: usize = 10_000;
/// Bytes of all bodies of one frame.
const MAX_BODY_BYTES: usize = 1 << 30;

fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a message is larger than allowed")
}

/// The bytes before the bodies.
fn head(message: &impl Serialize, bodies: usize) -> io::Result<Vec<u8>> {
    let json = serde_json::to_vec(message)?;
    if json.len() > MAX_JSON_BYTES || bodies > MAX_BODIES {
        return Err(too_large());
    }
    let mut head = (json.len() as u32).to_be_bytes().to_vec();
    head.extend(json);
    head.extend((bodies as u32).to_be_bytes());
    Ok(head)
}

/// Writes a frame.
pub fn write_frame(out: &mut impl Write, message: &impl Serialize, bodies: &[&[u8]]) -> io::Result<()> {
    out.write_all(&head(message, bodies.len())?)?;
    for body in bodies {
        let length = u32::try_from(body.len()).map_err(|_| too_large())?;
        out.write_all(&length.to_be_bytes())?;
        out.write_all(body)?;
    }
    out.flush()
}

/// Reads a frame; `None` at the end of the input.
pub fn read_frame<T: DeserializeOwned>(input: &mut impl Read) -> io::Result<Option<(T, Vec<Vec<u8>>)>> {
    let mut length = [0; 4];
    match input.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let json_length = u32::from_be_bytes(length) as usize;
    if json_length > MAX_JSON_BYTES {
        return Err(too_large());
    }
    let mut json = vec![0; json_length];
    input.read_exact(&mut json)?;
    let message = serde_json::from_slice(&json)?;
    input.read_exact(&mut length)?;
    let count = u32::from_be_bytes(length) as usize;
    if count > MAX_BODIES {
        return Err(too_large());
    }
    let mut bodies = Vec::new();
    let mut total = 0;
    for _ in 0..count {
        input.read_exact(&mut length)?;
        let size = u32::from_be_bytes(length) as usize;
        total += size;
        if total > MAX_BODY_BYTES {
            return Err(too_large());
        }
        let mut body = vec![0; size];
        input.read_exact(&mut body)?;
        bodies.push(body);
    }
    Ok(Some((message, bodies)))
}

/// Writes a frame to a worker.
pub(crate) async fn send_frame(
    out: &mut (impl AsyncWrite + Unpin),
    message: &impl Serialize,
    bodies: &[&[u8]],
) -> io::Result<()> {
    out.write_all(&head(message, bodies.len())?).await?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_as_they_were_written() {
        let mut bytes = Vec::new();
        write_frame(&mut bytes, &vec!["a", "b"], &[b"one", b""]).unwrap();
        let (message, bodies): (Vec<String>, _) = read_frame(&mut bytes.as_slice()).unwrap().unwrap();
        assert_eq!(message, ["a", "b"]);
        assert_eq!(bodies, [b"one".to_vec(), Vec::new()]);
        assert!(read_frame::<Vec<String>>(&mut [].as_slice()).unwrap().is_none());
    }

    #[test]
    fn broken_frames_are_errors() {
        let mut bytes = Vec::new();
        write_frame(&mut bytes, &"text", &[b"body"]).unwrap();
        for length in 1..bytes.len() {
            let read = read_frame::<String>(&mut &bytes[..length]);
            assert!(length < 4 || read.is_err(), "{length}");
        }
        let huge = [0xff; 64];
        assert!(read_frame::<String>(&mut huge.as_slice()).is_err());
    }
}
