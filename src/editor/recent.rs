//! Recently opened files, newest first.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Recent {
    files: Vec<PathBuf>,
    /// Where the file dialog starts.
    pub folder: Option<PathBuf>,
}

impl Recent {
    const MOST: usize = 12;

    pub fn remember(&mut self, path: &Path) {
        self.forget(path);
        self.files.insert(0, path.to_owned());
        self.files.truncate(Self::MOST);
        self.folder = path.parent().map(ToOwned::to_owned);
    }

    pub fn forget(&mut self, path: &Path) {
        self.files.retain(|known| known != path);
    }

    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_comes_first_and_only_once() {
        let mut recent = Recent::default();
        for name in ["/a/x.ron", "/b/y.ron", "/a/x.ron"] {
            recent.remember(Path::new(name));
        }
        assert_eq!(
            recent.files(),
            [PathBuf::from("/a/x.ron"), PathBuf::from("/b/y.ron")]
        );
        assert_eq!(recent.folder.as_deref(), Some(Path::new("/a")));
        for number in 0..40 {
            recent.remember(Path::new(&format!("/{number}.ron")));
        }
        assert_eq!(recent.files().len(), Recent::MOST);
    }
}
