//! Errors of the file system in words, without the system's numbers.

use std::io::{Error, ErrorKind};

/// What went wrong, as the end of a sentence: `… could not be read: the disk is full`.
#[must_use]
pub fn io_words(error: &Error) -> String {
    let words = match error.kind() {
        ErrorKind::NotFound => "there is no such file or folder",
        ErrorKind::PermissionDenied => "permission denied",
        ErrorKind::ReadOnlyFilesystem => "the disk is read-only",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "the disk is full",
        ErrorKind::AlreadyExists => "it exists already",
        ErrorKind::IsADirectory => "it is a folder",
        ErrorKind::NotADirectory => "part of its path is a file, not a folder",
        ErrorKind::DirectoryNotEmpty => "the folder is not empty",
        ErrorKind::FileTooLarge => "it is larger than files may be here",
        ErrorKind::InvalidFilename => "this name is not possible here",
        ErrorKind::CrossesDevices => "it lies on another disk",
        ErrorKind::ResourceBusy => "another program is using it",
        ErrorKind::OutOfMemory => "there is not enough memory",
        ErrorKind::UnexpectedEof => "it ends too early",
        ErrorKind::InvalidData => "it is not valid text",
        ErrorKind::BrokenPipe => "the program that reads it has ended",
        ErrorKind::TimedOut => "it took too long",
        _ => {
            let text = error.to_string();
            let said = text.split(" (os error").next().unwrap_or(&text);
            let mut letters = said.chars();
            let first = letters.next().into_iter().flat_map(char::to_lowercase);
            return first.chain(letters).collect();
        }
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_of_the_system_is_told() {
        for number in 1..134 {
            let words = io_words(&Error::from_raw_os_error(number));
            assert!(!words.contains("os error"), "{words}");
            assert!(!words.is_empty() && !words.ends_with('.'), "{words}");
            assert!(!words.starts_with(char::is_uppercase), "{words}");
        }
    }
}
