//! Encryption: rustls with the root certificates of the system (or those that `SSL_CERT_FILE` names), and its
//! errors in plain words.

use std::sync::Arc;

use rustls::{CertificateError, ClientConfig, RootCertStore};

use crate::error::FetchError;

/// The settings of all connections: TLS 1.2 and 1.3, HTTP/1.1. HTTP/2 has no advantage for one request at a
/// time per host, and it has a larger attack surface.
pub(crate) fn client_config(additional_roots: &[Vec<u8>]) -> Result<ClientConfig, FetchError> {
    let mut roots = RootCertStore::empty();
    // Root certificates that cannot be parsed are skipped. Without any, every certificate is refused.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots.add_parsable_certificates(additional_roots.iter().map(|der| der.clone().into()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| FetchError::Setup { reason: error.to_string() })?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

/// Converts an error of rustls into one that tells users what is wrong.
pub(crate) fn tls_error(host: &str, error: &rustls::Error) -> FetchError {
    let host = host.to_owned();
    match error {
        rustls::Error::InvalidCertificate(error) => {
            FetchError::Certificate { host, reason: certificate_problem(error) }
        }
        rustls::Error::NoCertificatesPresented => {
            FetchError::Certificate { host, reason: "the server sent none".to_owned() }
        }
        other => FetchError::Tls { host, reason: other.to_string() },
    }
}

fn certificate_problem(error: &CertificateError) -> String {
    use CertificateError as Problem;
    let words = match error {
        Problem::Expired | Problem::ExpiredContext { .. } => "it has expired",
        Problem::NotValidYet | Problem::NotValidYetContext { .. } => {
            "it is not valid yet, or the clock of this machine is wrong"
        }
        Problem::Revoked => "it was revoked",
        Problem::NotValidForName | Problem::NotValidForNameContext { .. } => "it was issued for another host",
        Problem::UnknownIssuer => "it is self-signed or its issuer is not trusted by this system",
        Problem::BadSignature => "its signature is wrong",
        Problem::BadEncoding => "it cannot be parsed",
        Problem::InvalidPurpose | Problem::InvalidPurposeContext { .. } => "it is not meant for web servers",
        other => return other.to_string(),
    };
    words.to_owned()
}
