//! A virtual screen, a window on it, and hands to work it with.

use std::cell::Cell;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Software rendering on a busy machine takes its time.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Screen {
    server: Child,
    display: String,
    root: PathBuf,
}

impl Screen {
    /// Starts an X server on a free display.
    pub fn start() -> Result<Self, String> {
        for tool in ["Xvfb", "xdotool"] {
            Command::new(tool)
                .arg("-help")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .map_err(|_| format!("{tool} is not installed"))?;
        }
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x720x24"])
            .args([
                "+extension",
                "GLX",
                "+extension",
                "RANDR",
                "-nolisten",
                "tcp",
                "-noreset",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("Xvfb does not start: {error}"))?;
        // The server writes its number when it is ready.
        let mut number = String::new();
        let mut out = server.stdout.take().expect("piped");
        let mut byte = [0];
        while out.read(&mut byte).unwrap_or(0) == 1 && byte[0] != b'\n' {
            number.push(char::from(byte[0]));
        }
        if number.is_empty() {
            return Err("Xvfb ended at once".to_owned());
        }
        let root = std::env::temp_dir().join(format!("wayloom-app-{}", server.id()));
        for part in ["levels", "home", "run"] {
            std::fs::create_dir_all(root.join(part))
                .expect("the temporary folder can be written to");
        }
        Ok(Self {
            server,
            display: format!(":{number}"),
            root,
        })
    }

    /// Where the levels of this test lie.
    pub fn folder(&self) -> PathBuf {
        self.root.join("levels")
    }

    /// Names of everything beside the levels, hidden files too, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.folder())
            .expect("exists")
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Starts the program and waits until its window is there and drawn.
    pub fn open(&self, file: Option<&Path>) -> Window<'_> {
        let program = Command::new(env!("CARGO_BIN_EXE_wayloom"))
            .args(file)
            .env("DISPLAY", &self.display)
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .env("HOME", self.root.join("home"))
            .env("XDG_RUNTIME_DIR", self.root.join("run"))
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("XDG_STATE_HOME")
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .stdout(Stdio::null())
            .spawn()
            .expect("starts");
        let mut window = Window {
            screen: self,
            program,
            id: String::new(),
            closed: Cell::new(false),
        };
        window.id = self.wait("the window opens", || {
            let found = self.xdotool(&["search", "--onlyvisible", "--name", "Wayloom"]);
            found.lines().next().map(str::to_owned)
        });
        // There is no window manager here: place and focus are ours to give.
        self.xdotool(&["windowmove", &window.id, "0", "0"]);
        self.xdotool(&["windowsize", &window.id, "1280", "720"]);
        self.xdotool(&["windowfocus", &window.id]);
        window.settle();
        window
    }

    /// Waits until `look` finds something.
    pub fn wait<T>(&self, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(found) = look() {
                return found;
            }
            assert!(began.elapsed() < PATIENCE, "waited in vain until {what}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &self.display)
            .output()
            .expect("xdotool runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

pub struct Window<'a> {
    screen: &'a Screen,
    program: Child,
    id: String,
    closed: Cell<bool>,
}

impl Window<'_> {
    /// Processor time used so far. Unit: seconds.
    pub fn processor_time(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.program.id()))
            .expect("the program runs");
        let after_name = stat.rsplit(')').next().expect("has fields");
        let ticks: u64 = after_name
            .split_whitespace()
            .skip(11)
            .take(2)
            .map(|field| field.parse::<u64>().expect("a number"))
            .sum();
        // Linux counts hundredths of a second here, on every machine we know.
        ticks as f64 / 100.0
    }

    /// Waits until the program has nothing left to do.
    pub fn settle(&self) {
        let began = Instant::now();
        let mut last = self.processor_time();
        let mut quiet = 0;
        while quiet < 3 && began.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(100));
            let now = self.processor_time();
            quiet = if now - last < 0.011 { quiet + 1 } else { 0 };
            last = now;
        }
    }

    pub fn key(&self, key: &str) {
        self.screen.xdotool(&["key", key]);
        self.settle();
    }

    fn move_to(&self, (x, y): (i32, i32)) {
        let (x, y) = (x.to_string(), y.to_string());
        self.screen.xdotool(&["mousemove", &x, &y]);
        std::thread::sleep(Duration::from_millis(60));
    }

    fn button(&self, what: &str) {
        self.screen.xdotool(&[what, "1"]);
        std::thread::sleep(Duration::from_millis(60));
    }

    pub fn click(&self, x: i32, y: i32) {
        self.move_to((x, y));
        self.button("mousedown");
        self.button("mouseup");
        // Two clicks in quick succession would be a double click.
        std::thread::sleep(Duration::from_millis(400));
        self.settle();
    }

    pub fn drag(&self, from: (i32, i32), to: (i32, i32)) {
        self.move_to(from);
        self.button("mousedown");
        for step in 1..=5 {
            self.move_to((
                from.0 + (to.0 - from.0) * step / 5,
                from.1 + (to.1 - from.1) * step / 5,
            ));
        }
        self.button("mouseup");
        self.settle();
    }

    /// Closes it as a person would, and expects a clean end.
    pub fn close(mut self) {
        self.key("ctrl+q");
        let screen = self.screen;
        let status = screen.wait("the program ends", || {
            self.program.try_wait().ok().flatten()
        });
        self.closed.set(true);
        assert!(status.success(), "{status}");
    }

    /// `kill -9`.
    pub fn kill(mut self) {
        self.program.kill().expect("running");
        self.program.wait().expect("ended");
        self.closed.set(true);
    }
}

impl Drop for Window<'_> {
    fn drop(&mut self) {
        if !self.closed.get() {
            // A failed test: show what the screen looked like.
            let picture = std::env::temp_dir().join("wayloom-app-failure.png");
            let _ = Command::new("import")
                .args(["-window", "root"])
                .arg(&picture)
                .env("DISPLAY", &self.screen.display)
                .status();
            eprintln!("the screen at the failure: {}", picture.display());
            let _ = self.program.kill();
            let _ = self.program.wait();
        }
    }
}
