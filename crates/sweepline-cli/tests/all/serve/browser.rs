//! A headless Chromium, driven over its DevTools protocol through a pair of pipes.

use std::cell::{Cell, RefCell};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long the browser may take for anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser, until it is dropped.
pub(super) struct Browser {
    process: Child,
    commands: RefCell<File>,
    replies: Receiver<Value>,
    last: Cell<u64>,
    /// What pages reported: errors of scripts, and what their policy blocked.
    complaints: RefCell<Vec<String>>,
    _folder: tempfile::TempDir,
}

/// A page in it.
pub(super) struct Page<'a> {
    browser: &'a Browser,
    session: String,
}

impl Browser {
    /// Starts a browser; `None` where there is none.
    pub(super) fn start() -> Option<Self> {
        Command::new("chromium").arg("--version").output().ok()?;
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let made = Command::new("mkfifo").arg(at("in")).arg(at("out")).status();
        assert!(made.is_ok_and(|status| status.success()), "pipes can be made");
        // The protocol is spoken over the file descriptors 3 and 4, which a shell opens.
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(
            "exec chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
             --disable-background-networking --disable-component-update --disable-sync \
             --disable-dev-shm-usage --remote-debugging-pipe --user-data-dir=profile 3<in 4>out",
        );
        shell.current_dir(folder.path()).stdin(Stdio::null());
        let process = shell.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a shell");
        let commands = OpenOptions::new().write(true).open(at("in")).expect("a pipe");
        let replies = read(&at("out"));
        Some(Browser {
            process,
            commands: RefCell::new(commands),
            replies,
            last: Cell::new(0),
            complaints: RefCell::default(),
            _folder: folder,
        })
    }

    /// A new page of this width, which shows `url` once it is ready.
    pub(super) fn open(&self, url: &str, width: u32, is_dark: bool) -> Page<'_> {
        let target = self.call(None, "Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = self.call(None, "Target.attachToTarget", attach);
        let session = attached["sessionId"].as_str().expect("a session").to_owned();
        let page = Page { browser: self, session };
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            page.call(domain, json!({}));
        }
        let scheme = if is_dark { "dark" } else { "light" };
        let media = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        page.call("Emulation.setEmulatedMedia", media);
        let metrics = json!({
            "width": width, "height": 850, "deviceScaleFactor": 1, "mobile": width < 600,
        });
        page.call("Emulation.setDeviceMetricsOverride", metrics);
        page.call("Page.navigate", json!({"url": url}));
        page.wait("document.documentElement?.dataset.ready === 'yes'");
        page
    }

    /// What pages complained of.
    pub(super) fn complaints(&self) -> Vec<String> {
        self.complaints.borrow().clone()
    }

    fn call(&self, session: Option<&str>, method: &str, params: Value) -> Value {
        let id = self.last.get() + 1;
        self.last.set(id);
        let mut command = json!({"id": id, "method": method, "params": params});
        if let Some(session) = session {
            command["sessionId"] = session.into();
        }
        let mut text = command.to_string().into_bytes();
        text.push(0);
        self.commands.borrow_mut().write_all(&text).expect("the browser listens");
        loop {
            let reply = self.replies.recv_timeout(PATIENCE).unwrap_or_else(|_| {
                panic!("the browser did not answer {command}");
            });
            if reply["id"] == id {
                assert_eq!(reply["error"], Value::Null, "{command}");
                return reply["result"].clone();
            }
            self.note(&reply);
        }
    }

    fn note(&self, event: &Value) {
        let params = &event["params"];
        let text = match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => params["exceptionDetails"].to_string(),
            // The network fails when a test ends its server.
            Some("Log.entryAdded")
                if params["entry"]["level"] == "error"
                    && params["entry"]["source"] != "network" =>
            {
                params["entry"].to_string()
            }
            _ => return,
        };
        self.complaints.borrow_mut().push(text);
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The messages of the browser, each ended by a zero byte.
fn read(pipe: &Path) -> Receiver<Value> {
    let pipe = pipe.to_owned();
    let (send, receive) = channel();
    thread::spawn(move || {
        let mut messages = BufReader::new(File::open(pipe).expect("a pipe"));
        let mut message = Vec::new();
        while messages.read_until(0, &mut message).is_ok_and(|n| n > 0) {
            message.pop();
            if let Ok(message) = serde_json::from_slice(&message)
                && send.send(message).is_err()
            {
                return;
            }
            message.clear();
        }
    });
    receive
}

impl Page<'_> {
    fn call(&self, method: &str, params: Value) -> Value {
        self.browser.call(Some(&self.session), method, params)
    }

    /// The value of an expression in the page; promises are waited for.
    #[track_caller]
    pub(super) fn value(&self, expression: &str) -> Value {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let result = self.call("Runtime.evaluate", params);
        assert_eq!(result["exceptionDetails"], Value::Null, "{expression}");
        result["result"]["value"].clone()
    }

    /// The text of the element that a selector finds.
    #[track_caller]
    pub(super) fn text(&self, selector: &str) -> String {
        let text = self.value(&format!("document.querySelector({selector:?})?.textContent ?? ''"));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(super) fn wait(&self, expression: &str) {
        let started = Instant::now();
        while self.value(&format!("Boolean({expression})")) != true {
            assert!(
                started.elapsed() < PATIENCE,
                "never: {expression}; the page says {:?}, and {:?}",
                self.text("#message pre"),
                self.browser.complaints()
            );
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Clicks in the middle of the element that a selector finds, with the mouse.
    #[track_caller]
    pub(super) fn click(&self, selector: &str) {
        let place = self.value(&format!(
            "(() => {{ const one = document.querySelector({selector:?}); if (!one) return null; \
             one.scrollIntoView({{block: 'center', inline: 'center'}}); const box = one.getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        assert!(place.is_array(), "no element {selector}");
        for kind in ["mousePressed", "mouseReleased"] {
            let params = json!({
                "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1,
            });
            self.call("Input.dispatchMouseEvent", params);
        }
    }

    /// Presses a key; `code` is its place on the keyboard.
    pub(super) fn press(&self, key: &str, code: &str) {
        let text = if key.chars().count() == 1 { key } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let mut params = json!({"type": kind, "key": key, "code": code});
            if kind == "keyDown" && !text.is_empty() {
                params["text"] = text.into();
            }
            if key == "Enter" && kind == "keyDown" {
                params["text"] = "\r".into();
                params["windowsVirtualKeyCode"] = 13.into();
            }
            self.call("Input.dispatchKeyEvent", params);
        }
    }

    /// Writes into the element that a selector finds.
    #[track_caller]
    pub(super) fn write(&self, selector: &str, text: &str) {
        let found = self.value(&format!(
            "(() => {{ const one = document.querySelector({selector:?}); if (!one) return false; \
             one.focus(); one.select(); return true; }})()"
        ));
        assert_eq!(found, true, "no element {selector}");
        self.call("Input.insertText", json!({"text": text}));
    }

    /// Chooses an option of a select element.
    #[track_caller]
    pub(super) fn choose(&self, selector: &str, value: &str) {
        let chosen = self.value(&format!(
            "(() => {{ const one = document.querySelector({selector:?}); one.value = {value:?}; \
             one.dispatchEvent(new Event('change')); return one.value; }})()"
        ));
        assert_eq!(chosen, value);
    }

    /// Saves what the page looks like, where SWEEPLINE_SCREENSHOTS names a folder.
    pub(super) fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("SWEEPLINE_SCREENSHOTS") else { return };
        let picture = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let data = picture["data"].as_str().expect("a picture");
        let file = Path::new(&folder).join(format!("{name}.png"));
        std::fs::write(file, decoded(data)).expect("a picture can be saved");
    }
}

/// The bytes of a text in base 64.
fn decoded(text: &str) -> Vec<u8> {
    let (mut bytes, mut bits, mut n) = (Vec::new(), 0u32, 0);
    for c in text.bytes() {
        let six = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => break,
        };
        bits = bits << 6 | u32::from(six);
        n += 6;
        if n >= 8 {
            n -= 8;
            bytes.push((bits >> n) as u8);
        }
    }
    bytes
}
