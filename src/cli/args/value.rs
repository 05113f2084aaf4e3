//! Values that several commands take.

pub(super) fn side(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|n: &f64| n.is_finite() && *n >= 0.001)
        .ok_or_else(|| "a side is a number of metres from 0.001 on, for example 0.25".to_owned())
}

pub(in crate::cli) fn seconds(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok();
    number
        .filter(|secs| secs.is_finite() && *secs >= 0.0)
        .ok_or_else(|| "write it as a number of seconds, for example 12.5".to_owned())
}
