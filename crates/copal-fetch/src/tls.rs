//! Encryption: rustls with the roots of trust of the system (`SSL_CERT_FILE` names others), and its errors in plain words.

use std::sync::Arc;

use rustls::{CertificateError, ClientConfig, RootCertStore};

use crate::FetchError;

/// The settings of all connections: TLS 1.2 and 1.3, HTTP/1.1. HTTP/2 would bring nothing to one request at a time a
/// host, and more ways to be attacked.
pub(crate) fn config(further_roots: &[Vec<u8>]) -> Result<ClientConfig, FetchError> {
    let mut roots = RootCertStore::empty();
    // a root that cannot be read is left out; without any, certificates are refused with a hint
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots.add_parsable_certificates(further_roots.iter().map(|der| der.clone().into()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| FetchError::Setup { reason: error.to_string() })?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

/// What a person can do something with.
pub(crate) fn in_words(host: &str, error: &rustls::Error) -> FetchError {
    let host = host.to_owned();
    match error {
        rustls::Error::InvalidCertificate(error) => {
            FetchError::Certificate { host, reason: certificate_words(error) }
        }
        rustls::Error::NoCertificatesPresented => {
            FetchError::Certificate { host, reason: "the server sent none".to_owned() }
        }
        other => FetchError::Tls { host, reason: other.to_string() },
    }
}

fn certificate_words(error: &CertificateError) -> String {
    use CertificateError as Wrong;
    let words = match error {
        Wrong::Expired | Wrong::ExpiredContext { .. } => "expired",
        Wrong::NotValidYet | Wrong::NotValidYetContext { .. } => {
            "it is not valid yet, or this machine's clock is wrong"
        }
        Wrong::Revoked => "it was revoked",
        Wrong::NotValidForName | Wrong::NotValidForNameContext { .. } => "it is for another name",
        Wrong::UnknownIssuer => "signed by nobody this system trusts (or by itself)",
        Wrong::BadSignature => "its signature is wrong",
        Wrong::BadEncoding => "it cannot be read",
        Wrong::InvalidPurpose | Wrong::InvalidPurposeContext { .. } => "it is not for web servers",
        other => return other.to_string(),
    };
    words.to_owned()
}
