//! Does the desktop offer file dialogs?
//!
//! Asked without one, the dialog crate answers as if the person had cancelled. So we look first:
//! a session bus that answers, a portal service on it, and a backend that can choose files.

use std::path::{Path, PathBuf};

#[must_use]
pub fn offers_file_dialogs() -> bool {
    if cfg!(not(all(unix, not(target_os = "macos")))) {
        return true;
    }
    let folders = data_folders();
    bus_answers()
        && folders.iter().any(|folder| {
            folder
                .join("dbus-1/services/org.freedesktop.portal.Desktop.service")
                .exists()
        })
        && folders
            .iter()
            .any(|folder| backend_chooses_files(&folder.join("xdg-desktop-portal/portals")))
}

fn data_folders() -> Vec<PathBuf> {
    let listed = std::env::var_os("XDG_DATA_DIRS")
        .filter(|list| !list.is_empty())
        .unwrap_or_else(|| "/usr/local/share:/usr/share".into());
    let home = std::env::var_os("XDG_DATA_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/share")));
    home.into_iter()
        .chain(std::env::split_paths(&listed))
        .collect()
}

fn backend_chooses_files(portals: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(portals) else {
        return false;
    };
    entries.flatten().any(|entry| {
        std::fs::read_to_string(entry.path())
            .is_ok_and(|text| text.contains("org.freedesktop.impl.portal.FileChooser"))
    })
}

#[cfg(unix)]
fn bus_answers() -> bool {
    let named = std::env::var("DBUS_SESSION_BUS_ADDRESS").ok();
    let path = match &named {
        // Several addresses are separated by `;`, the parts of one by `,`.
        Some(address) => address
            .split(';')
            .filter_map(|one| one.strip_prefix("unix:"))
            .flat_map(|parts| parts.split(','))
            .find_map(|part| part.strip_prefix("path="))
            .map(PathBuf::from),
        None => std::env::var_os("XDG_RUNTIME_DIR").map(|folder| PathBuf::from(folder).join("bus")),
    };
    match path {
        Some(path) => std::os::unix::net::UnixStream::connect(path).is_ok(),
        // An address of a kind that we do not read, such as an abstract socket.
        None => named.is_some_and(|address| !address.is_empty()),
    }
}

#[cfg(not(unix))]
fn bus_answers() -> bool {
    true
}
