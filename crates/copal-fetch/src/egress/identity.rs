//! The key with which the proxy answers encrypted connections of the browser.
//!
//! It is made once per process and never stored. The browser accepts it for every host because its pin (the
//! hash of the public key) is on the browser's command line; no other program trusts it.

use std::sync::{Arc, LazyLock};

use rcgen::{CertificateParams, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::error::FetchError;

struct Identity {
    server: Arc<ServerConfig>,
    pin: String,
}

/// Why there is no key.
#[derive(Debug, Error)]
enum IdentityError {
    #[error("no certificate for the browser: {0}")]
    Certificate(#[from] rcgen::Error),
    #[error("the key for the browser is not usable: {0}")]
    Key(&'static str),
    #[error("no TLS for the browser: {0}")]
    Tls(#[from] rustls::Error),
}

static IDENTITY: LazyLock<Result<Identity, IdentityError>> = LazyLock::new(make_identity);

/// The pin that the browser has to accept (`--ignore-certificate-errors-spki-list`): the SHA-256 of the
/// proxy's public key, in base64.
pub fn certificate_pin() -> Result<String, FetchError> {
    identity().map(|identity| identity.pin.clone())
}

/// The settings of connections from the browser.
pub(super) fn server_config() -> Result<Arc<ServerConfig>, FetchError> {
    identity().map(|identity| Arc::clone(&identity.server))
}

fn identity() -> Result<&'static Identity, FetchError> {
    IDENTITY.as_ref().map_err(|error| FetchError::Setup { reason: error.to_string() })
}

fn make_identity() -> Result<Identity, IdentityError> {
    let key = KeyPair::generate()?;
    // The name does not matter: the pin is accepted for every host.
    let certificate = CertificateParams::new(vec!["copal.invalid".to_owned()])
        .and_then(|params| params.self_signed(&key))?;
    let pin = base64(&Sha256::digest(rcgen::PublicKeyData::subject_public_key_info(&key)));
    let private = PrivateKeyDer::try_from(key.serialize_der()).map_err(IdentityError::Key)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut server = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], private)?;
    server.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Identity { server: Arc::new(server), pin })
}

/// Base64 with padding, for one hash.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let bits =
            group.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let symbol = ALPHABET[(bits >> (18 - 6 * place) & 63) as usize];
            out.push(if place > group.len() { '=' } else { char::from(symbol) });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_padded() {
        let texts: Vec<String> =
            ["", "f", "fo", "foo", "foobar"].iter().map(|t| base64(t.as_bytes())).collect();
        assert_eq!(texts, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYmFy"]);
    }

    #[test]
    fn the_pin_stays_the_same() {
        assert_eq!(certificate_pin().unwrap(), certificate_pin().unwrap());
        assert_eq!(certificate_pin().unwrap().len(), 44);
    }
}
