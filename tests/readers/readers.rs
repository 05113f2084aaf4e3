//! Where the readers are, and how they are asked.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program of `tests/readers/programs`.
pub fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/readers/programs")
        .join(name)
}

/// The folder of a reader; `None`, said in a line, where it has not been fetched.
pub fn folder(name: &str) -> Option<PathBuf> {
    let cache = std::env::var_os("WAYLOOM_READERS_DIR")
        .map(PathBuf::from)
        .or_else(|| {
            let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
            let cache =
                cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
            Some(cache?.join("wayloom/readers"))
        });
    let folder = cache.map(|cache| cache.join(name));
    if let Some(folder) = folder.filter(|folder| folder.join("ready").exists()) {
        return Some(folder);
    }
    let sentence = format!("{name} has not been fetched: run scripts/readers {name}");
    let required = std::env::var("WAYLOOM_READER_TESTS").is_ok_and(|value| value == "required");
    assert!(!required, "{sentence}");
    eprintln!("skipped: {sentence}");
    None
}

/// Runs a program, gives it some input, and returns what it printed.
pub fn run(command: &mut Command, input: &str) -> String {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let mut stdin = child.stdin.take().expect("piped");
    let text = input.to_owned();
    let writer = std::thread::spawn(move || {
        // A program that ends early does not read all of it.
        let _ = stdin.write_all(text.as_bytes());
    });
    let output = child.wait_with_output().expect("runs");
    writer.join().expect("written");
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {out}{err}");
    out
}

/// `node` in the folder of the npm packages.
pub fn node(npm: &Path, script: &str) -> Command {
    let mut command = Command::new("node");
    command.arg(program(script)).current_dir(npm);
    command
}

/// Godot without a window, in an exported project, with a script of ours; what comes after are words for
/// the script.
pub fn godot(folder: &Path, desk: &Path, project: &Path, script: &str) -> Command {
    // A script that fails never ends by itself.
    let mut command = Command::new("timeout");
    command
        .arg("120")
        .arg(folder.join("godot"))
        .args(["--headless", "--path"])
        .arg(project)
        .arg("--script")
        .arg(program(script))
        .arg("--")
        .env("GODOT_HOME", desk.join("home"));
    command
}
