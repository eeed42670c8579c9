//! Who may ask: the token in the address, and the headers `Host`, `Origin` and `Sec-Fetch-Site`.
//!
//! Other pages in the same browser can send requests to this machine. They do not know the token. A page that makes a
//! name of its own resolve to this machine (DNS rebinding) sends that name as `Host`, so names are rejected.

use std::net::IpAddr;

use axum::http::{HeaderMap, Method, StatusCode, header};

/// The rules of a server.
pub(crate) struct Gate {
    token: String,
    listens_at: IpAddr,
}

/// A request that is refused: the status, and why.
pub(crate) type Refused = (StatusCode, &'static str);

const NO_TOKEN: Refused = (
    StatusCode::FORBIDDEN,
    "This address has no valid token. Open the address that `sweepline serve` printed.\n",
);
const FOREIGN_HOST: Refused = (
    StatusCode::FORBIDDEN,
    "The header `Host` names another server. Open the address that `sweepline serve` printed.\n",
);
const FOREIGN_ORIGIN: Refused = (StatusCode::FORBIDDEN, "The request comes from another page.\n");
const NO_ORIGIN: Refused =
    (StatusCode::FORBIDDEN, "The request does not say where it comes from.\n");
const NO_JSON: Refused = (StatusCode::UNSUPPORTED_MEDIA_TYPE, "The request is not JSON.\n");

impl Gate {
    pub(crate) fn new(token: String, listens_at: IpAddr) -> Self {
        Gate { token, listens_at }
    }

    /// Whether a request may be answered.
    pub(crate) fn check(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
    ) -> Result<(), Refused> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok()).ok_or(FOREIGN_HOST)?;
        if hosts.next().is_some() || !self.is_own(host) {
            return Err(FOREIGN_HOST);
        }
        let (token, rest) = path.trim_start_matches('/').split_once('/').unwrap_or((path, ""));
        if !same(token, &self.token) {
            return Err(NO_TOKEN);
        }
        match headers.get(header::ORIGIN) {
            Some(origin) if !is_origin(origin.as_bytes(), host) => return Err(FOREIGN_ORIGIN),
            None if method == Method::POST => return Err(NO_ORIGIN),
            _ => {}
        }
        // A link to the page may be anywhere; only the page itself asks for the rest.
        let site = headers.get("sec-fetch-site").map(|site| site.as_bytes());
        if !rest.is_empty() && !matches!(site, None | Some(b"same-origin" | b"none")) {
            return Err(FOREIGN_ORIGIN);
        }
        let media_type = headers.get(header::CONTENT_TYPE).map(|media| media.as_bytes());
        if method == Method::POST && media_type != Some(b"application/json") {
            return Err(NO_JSON);
        }
        Ok(())
    }

    /// The server has this address. The port may differ: it does behind a tunnel.
    fn is_own(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|c| c.is_ascii_digit()) => name,
            _ => host,
        };
        if name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        let Ok(address) = address.unwrap_or(name).parse::<IpAddr>() else { return false };
        address.is_loopback() || self.listens_at.is_unspecified() || address == self.listens_at
    }
}

/// Compares all bytes, so that the time does not tell where the first difference is.
fn same(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).map(|(a, b)| a ^ b);
    one.len() == other.len() && differences.fold(0, |all, one| all | one) == 0
}

fn is_origin(origin: &[u8], host: &str) -> bool {
    let rest = origin.strip_prefix(b"http://").or_else(|| origin.strip_prefix(b"https://"));
    rest.is_some_and(|rest| rest.eq_ignore_ascii_case(host.as_bytes()))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn status(at: &str, method: &Method, path: &str, headers: &[(&'static str, &str)]) -> u16 {
        let gate = Gate::new("secret".into(), at.parse().unwrap());
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_str(value).unwrap());
        }
        gate.check(method, path, &map).map_or_else(|(status, _)| status.as_u16(), |()| 200)
    }

    fn get(headers: &[(&'static str, &str)]) -> u16 {
        status("127.0.0.1", &Method::GET, "/secret/page.js", headers)
    }

    #[test]
    fn only_addresses_of_this_machine_are_hosts() {
        for host in ["127.0.0.1:80", "localhost:1234", "LOCALHOST", "[::1]:5", "127.0.0.2"] {
            assert_eq!(get(&[("host", host)]), 200, "{host}");
        }
        for host in
            ["evil.example:80", "localhost.evil.example", "10.0.0.1:80", "", "127.0.0.1:80:80"]
        {
            assert_eq!(get(&[("host", host)]), 403, "{host}");
        }
        assert_eq!(get(&[]), 403);
        assert_eq!(get(&[("host", "localhost"), ("host", "evil.example")]), 403);
        let listening = |at, host| status(at, &Method::GET, "/secret/", &[("host", host)]);
        assert_eq!(listening("0.0.0.0", "10.0.0.1:80"), 200);
        assert_eq!(listening("0.0.0.0", "evil.example"), 403);
        assert_eq!(listening("10.0.0.1", "10.0.0.1:80"), 200);
        assert_eq!(listening("10.0.0.1", "10.0.0.2:80"), 403);
    }

    #[test]
    fn the_token_is_compared_as_a_whole() {
        let path = |path| status("127.0.0.1", &Method::GET, path, &[("host", "localhost")]);
        assert_eq!(path("/secret/"), 200);
        for wrong in
            ["/", "", "/secre/", "/secrets/", "/SECRET/", "/wrong/../secret/", "/%73ecret/"]
        {
            assert_eq!(path(wrong), 403, "{wrong}");
        }
    }

    #[test]
    fn requests_of_other_pages_are_refused() {
        let host = ("host", "localhost:80");
        assert_eq!(get(&[host, ("origin", "http://localhost:80")]), 200);
        for origin in ["http://evil.example", "null", "http://localhost:81", "file://"] {
            assert_eq!(get(&[host, ("origin", origin)]), 403, "{origin}");
        }
        assert_eq!(get(&[host, ("sec-fetch-site", "same-origin")]), 200);
        assert_eq!(get(&[host, ("sec-fetch-site", "cross-site")]), 403);
        let post = |headers: &[_]| status("127.0.0.1", &Method::POST, "/secret/ask", headers);
        let own = ("origin", "http://localhost:80");
        assert_eq!(post(&[host, own, ("content-type", "application/json")]), 200);
        assert_eq!(post(&[host, ("content-type", "application/json")]), 403);
        // A form of another page can send this type without asking.
        assert_eq!(post(&[host, own, ("content-type", "text/plain")]), 415);
    }
}
