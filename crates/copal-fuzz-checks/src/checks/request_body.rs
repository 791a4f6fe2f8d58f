//! Any bytes as the body of a request to the service: JSON or multipart, read without a panic.

use copal_service::http::fuzz_body;

pub(crate) fn check(bytes: &[u8]) {
    fuzz_body("application/json", bytes);
    fuzz_body("multipart/form-data; boundary=x", bytes);
    // as a part of a well-formed body, so that what is inside the parts is reached too
    let mut body = b"--x\r\nContent-Disposition: form-data; name=\"request\"\r\n\r\n".to_vec();
    body.extend_from_slice(bytes);
    body.extend_from_slice(b"\r\n--x--\r\n");
    fuzz_body("multipart/form-data; boundary=x", &body);
}
