//! Who is answered.
use crate::client::Lab;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, UdpSocket};
use std::time::Duration;

/// Addresses of every kind; the last ones change something.
const READ: [&str; 6] = ["", "assets/lab.js", "law/lugre", "api/start", "api/scenarios/a7", "api/jobs/1"];
const CHANGE: [&str; 5] = ["api/check", "api/files/x.csv", "api/series", "api/jobs", "api/jobs/1/stop"];

#[test]
fn without_the_token_nothing_is_answered() {
    let lab = Lab::start("token", &[]);
    assert_eq!(lab.token.len(), 32);
    let wrong = format!("{}{}", &lab.token[..31], if lab.token.ends_with('0') { '1' } else { '0' });
    for path in READ.iter().chain(&CHANGE) {
        for token in ["", "x", &wrong, &lab.token[..31], &lab.token.to_uppercase().replace(char::is_numeric, "A")] {
            let host = format!("Host: {}\r\nOrigin: {}", lab.host, lab.origin());
            let asked = lab.raw(&format!("GET /{token}/{path} HTTP/1.1\r\n{host}"), b"");
            assert_eq!(asked.status, 403, "{token} {path}");
            let asked = lab.raw(&format!("POST /{token}/{path} HTTP/1.1\r\n{host}\r\nContent-Length: 2"), b"{}");
            assert_eq!(asked.status, 403, "{token} {path}");
        }
    }
    assert_eq!(lab.get("").status, 200);
    // as an address without the slash, and as one that does not exist
    assert_eq!(lab.raw(&format!("GET /{} HTTP/1.1\r\nHost: {}", lab.token, lab.host), b"").status, 308);
    assert_eq!((lab.get("nothing").status, lab.get("assets/../lab.css").status), (404, 404));
}

#[test]
fn other_names_of_this_address_are_refused() {
    let lab = Lab::start("host", &[]);
    let port = lab.host.split(':').nth(1).unwrap();
    let ask = |host: &str| lab.raw(&format!("GET /{}/ HTTP/1.1\r\n{host}", lab.token), b"").status;
    assert_eq!(ask(&format!("Host: localhost:{port}")), 200);
    for host in ["evil.example", "127.0.0.1", "127.0.0.1:1", "0.0.0.0", "localhost.evil.example", ""] {
        assert_ne!(ask(&format!("Host: {host}")), 200, "{host}");
    }
    assert_ne!(ask(&format!("Host: evil.example:{port}")), 200);
    assert_ne!(ask("X: y"), 200, "no host");
    assert_ne!(ask(&format!("Host: {0}\r\nHost: {0}", lab.host)), 200, "two hosts");
}

#[test]
fn a_page_of_another_origin_can_neither_read_nor_start() {
    let lab = Lab::start("origin", &[]);
    let own = format!("Host: {}", lab.host);
    let others =
        ["Origin: http://evil.example", "Origin: null", "Origin: http://127.0.0.1:1", "Origin: https://127.0.0.1"];
    let sites = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site"];
    for header in others.into_iter().chain(sites) {
        for path in READ {
            assert_eq!(lab.raw(&format!("GET /{}/{path} HTTP/1.1\r\n{own}\r\n{header}", lab.token), b"").status, 403);
        }
        let post = format!("POST /{}/api/check HTTP/1.1\r\n{own}\r\n{header}\r\nContent-Length: 2", lab.token);
        assert_eq!(lab.raw(&post, b"{}").status, 403, "{header}");
    }
    // without any origin something can be read, by the address bar, but nothing started
    let post = format!("POST /{}/api/check HTTP/1.1\r\n{own}\r\nContent-Length: 2", lab.token);
    assert_eq!((lab.get("api/start").status, lab.raw(&post, b"{}").status), (200, 403));
}

#[test]
fn pages_run_their_own_scripts_only() {
    let lab = Lab::start("policy", &[]);
    for path in READ {
        let head = lab.get(path).head;
        for said in
            ["nosniff", "no-referrer", "no-store", "cross-origin-resource-policy: same-origin", "default-src 'none'"]
        {
            assert!(head.contains(said), "{path}: {said}: {head}");
        }
        assert!(!head.contains("access-control"), "{head}");
        // only the page in a frame, which has no origin and a policy of its own in its text, has a script in it
        assert_eq!(head.contains("unsafe-inline"), path.starts_with("law/"), "{path}: {head}");
        assert_eq!(head.contains("sandbox allow-scripts;"), path.starts_with("law/"), "{path}: {head}");
    }
    let page = lab.get("").text();
    assert!(!page.contains("<script>") && !page.contains(" onclick") && !page.contains(" style="), "{page}");
    assert!(lab.get("law/lugre").text().contains("script-src 'sha256-"));
    assert_eq!(lab.get("law/nothing").status, 404);
}

/// The socket listens on one address: neither on the others of the loopback network, nor on that by which other machines know this one.
#[test]
#[cfg(target_os = "linux")]
fn only_the_loopback_address_is_listened_on() {
    let lab = Lab::start("loopback", &[]);
    let port: u16 = lab.host.split(':').nth(1).unwrap().parse().unwrap();
    let connects = |address: IpAddr| {
        TcpStream::connect_timeout(&SocketAddr::from((address, port)), Duration::from_secs(2)).is_ok()
    };
    assert!(connects(Ipv4Addr::LOCALHOST.into()));
    // a server on 0.0.0.0 or [::] answers on these, too
    let mut others = vec![IpAddr::from([127, 0, 0, 2]), Ipv6Addr::LOCALHOST.into()];
    // the address by which this machine would ask another; nothing is sent
    let outward = UdpSocket::bind(("0.0.0.0", 0)).and_then(|socket| {
        socket.connect(("192.0.2.1", 9))?;
        socket.local_addr()
    });
    others.extend(outward.ok().map(|address| address.ip()).filter(|address| !address.is_loopback()));
    for address in others {
        assert!(!connects(address), "{address}");
    }
}

#[test]
fn fifty_clients_are_answered_at_once() {
    let lab = Lab::start("many", &[]);
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..50).map(|k| scope.spawn(move || k)).collect();
        let lab = &lab;
        let asked: Vec<_> = clients
            .into_iter()
            .map(|k| {
                let k = k.join().unwrap();
                scope.spawn(move || [lab.get(["api/scenarios/a7", "assets/plot.js"][k % 2]).status, lab.get("").status])
            })
            .collect();
        assert!(asked.into_iter().all(|answer| answer.join().unwrap() == [200, 200]));
    });
}
