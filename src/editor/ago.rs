//! How long ago something was, in words.

use std::time::SystemTime;

#[must_use]
pub fn ago(then: SystemTime, now: SystemTime) -> String {
    let seconds = now
        .duration_since(then)
        .map_or(0, |passed| passed.as_secs());
    let (count, unit) = match seconds {
        0..60 => return "just now".to_owned(),
        60..3600 => (seconds / 60, "minute"),
        3600..86_400 => (seconds / 3600, "hour"),
        86_400..172_800 => return "yesterday".to_owned(),
        172_800..2_592_000 => (seconds / 86_400, "day"),
        2_592_000..31_536_000 => (seconds / 2_592_000, "month"),
        _ => (seconds / 31_536_000, "year"),
    };
    format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_largest_whole_unit_is_named() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(2_000_000_000);
        for (seconds, text) in [
            (0, "just now"),
            (61, "1 minute ago"),
            (7200, "2 hours ago"),
            (90_000, "yesterday"),
            (400_000, "4 days ago"),
            (3_000_000, "1 month ago"),
            (70_000_000, "2 years ago"),
        ] {
            assert_eq!(ago(now - Duration::from_secs(seconds), now), text);
        }
        assert_eq!(ago(now + Duration::from_secs(5), now), "just now");
    }
}
