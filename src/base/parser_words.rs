//! What parsers of others say, in words that a person can act on.

/// A piece of text as it can be shown: no control characters, and not without end.
#[must_use]
pub fn printable(text: &str) -> String {
    /// Longer quotations do not help. Unit: characters.
    const MOST: usize = 400;
    let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut all = text.chars();
    let mut line: String = all.by_ref().take(MOST).map(shown).collect();
    if all.next().is_some() {
        line.push('…');
    }
    line
}

/// What is wrong with a text that should be JSON, without the place.
#[must_use]
pub fn json_words(error: &serde_json::Error) -> String {
    use serde_json::error::Category;
    let text = error.to_string();
    let said = text.rfind(" at line ").map_or(&*text, |at| &text[..at]);
    match error.classify() {
        Category::Eof => "the text ends unexpectedly; the file seems to be truncated".to_owned(),
        Category::Io => "the file cannot be read".to_owned(),
        Category::Syntax => match said {
            "expected value" => "this is not JSON: a value is missing here".to_owned(),
            "trailing comma" => "this is not JSON: there is one comma too many".to_owned(),
            "trailing characters" => "this is not JSON: more text follows after its end".to_owned(),
            "key must be a string" => {
                "this is not JSON: a name in quotation marks is missing".to_owned()
            }
            "invalid number" => "this is not a number".to_owned(),
            "number out of range" => "this number is too large".to_owned(),
            "recursion limit exceeded" => "the text is nested too deeply".to_owned(),
            other => match other.strip_prefix("expected ") {
                Some("ident") => "this is not JSON: a word is not known".to_owned(),
                Some(what) => format!("this is not JSON: {what} is missing here"),
                None => "this is not JSON: text in quotation marks is damaged here".to_owned(),
            },
        },
        Category::Data => data_words(said),
    }
}

/// Values of another kind than they should be, in the words of serde.
#[must_use]
pub fn data_words(said: &str) -> String {
    let kinds = |words: &str| -> String {
        let plain = words
            .replace("a sequence", "a list")
            .replace("sequence", "a list")
            .replace("a map", "an object")
            .replace("map", "an object")
            .replace("a borrowed string", "text")
            .replace("a string", "text")
            .replace("string", "the text")
            .replace("floating point", "the number")
            .replace("integer", "the number")
            .replace("boolean", "the value")
            .replace("unit value", "nothing")
            .replace("null", "nothing");
        match plain.split(' ').next() {
            Some("struct") => "an object".to_owned(),
            Some("tuple") => "a list of values".to_owned(),
            Some("enum" | "newtype" | "unit") => "a value that is possible here".to_owned(),
            _ => numbers_words(&plain).to_owned(),
        }
    };
    for begin in ["invalid type: ", "invalid value: "] {
        if let Some((found, expected)) = said
            .strip_prefix(begin)
            .and_then(|rest| rest.split_once(", expected "))
        {
            return format!("{} is not {}", kinds(found), kinds(expected));
        }
    }
    let field = |begin: &str| Some(said.strip_prefix(begin)?.split_once('`')?.0.to_owned());
    if let Some(field) = field("missing field `") {
        return format!("the field `{field}` is missing");
    }
    if let Some(field) = field("duplicate field `") {
        return format!("the field `{field}` appears twice");
    }
    if let Some(rest) = said.strip_prefix("invalid length ") {
        let (found, expected) = rest.split_once(", expected ").unwrap_or((rest, ""));
        let words: Vec<&str> = expected.split(' ').collect();
        let number = words.iter().rev().find(|word| word.parse::<u32>().is_ok());
        let number = number.map_or("another number", |number| *number);
        return format!("there must be {number} values here, not {found}");
    }
    for (begin, name) in [("unknown variant ", "value"), ("unknown field ", "field")] {
        if let Some(rest) = said.strip_prefix(begin) {
            let rest = rest.replace("expected", "there is");
            return format!("unknown {name} {rest}");
        }
    }
    said.to_owned()
}

/// Types of numbers as their meaning.
fn numbers_words(type_name: &str) -> &str {
    match type_name {
        "f32" | "f64" => "a number",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number that fits, from 0 on",
        "i8" | "i16" | "i32" | "i64" => "a whole number that fits",
        other => other,
    }
}

/// Why a sentence is none that a person should see; for tests, which collect what is said to files
/// of all sorts.
///
/// # Errors
/// What is wrong with it.
pub fn check_form(sentence: &str) -> Result<(), String> {
    /// Words of parsers and of the compiler.
    const RAW: [&str; 24] = [
        "os error",
        "xpected comma",
        "xpected value",
        "xpected ident",
        "xpected opening",
        "xpected closing",
        "xpected struct",
        "xpected option",
        "xpected string",
        "xpected integer",
        "xpected float",
        "xpected unit",
        "nvalid type",
        "nvalid value",
        "EOF",
        "RON",
        "at line ",
        "Some(",
        "Err(",
        "panicked",
        "unwrap",
        "::",
        " { ",
        "a sequence",
    ];
    if sentence.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    if let Some(c) = sentence.chars().find(|c| c.is_control()) {
        return Err(format!("it has the control character {c:?}"));
    }
    if let Some(raw) = RAW.iter().find(|raw| sentence.contains(**raw)) {
        return Err(format!("it has `{raw}`"));
    }
    if sentence.chars().count() > 700 {
        return Err("it is longer than people read".to_owned());
    }
    // «32 MB large; at most 32 MB»: the same number of the same thing.
    if let Some((before, after)) = sentence.split_once("at most ") {
        let words = |text: &str| -> Vec<String> {
            let words = text.split(|c: char| !c.is_alphanumeric());
            words
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let (before, limit) = (words(before), words(after));
        let is_number = |word: &String| word.chars().all(|c| c.is_ascii_digit());
        if let Some(limit) = limit.get(..2).filter(|limit| is_number(&limit[0]))
            && before.windows(2).any(|pair| pair == limit)
        {
            return Err("it refuses a number that it allows".to_owned());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_json_is_told_in_plain_words() {
        let texts = [
            "",
            "{",
            "[1,",
            "[1 2]",
            "{\"a\" 1}",
            "{1:2}",
            "nul",
            "[1,]",
            "1 2",
            "\"\\q\"",
            "\"a",
            "1e999",
            "-",
            "\"\u{1}\"",
            "{\"a\":1,}",
            "[tru]",
            "\"\\ud800\"",
        ];
        for text in texts {
            let error = serde_json::from_str::<serde_json::Value>(text).expect_err("broken");
            let words = json_words(&error);
            assert_eq!(check_form(&words), Ok(()), "{text}: {words}");
        }
        let error = serde_json::from_str::<Vec<u32>>("{\"a\": 1}").expect_err("no list");
        assert_eq!(json_words(&error), "an object is not a list");
        let error = serde_json::from_str::<Vec<u32>>("[\"x\"]").expect_err("no number");
        assert_eq!(
            json_words(&error),
            "the text \"x\" is not a whole number that fits, from 0 on"
        );
    }

    #[test]
    fn sentences_with_raw_fragments_are_noticed() {
        for bad in [
            "",
            "a\u{7}b",
            "expected comma",
            "Permission denied (os error 13)",
            "ChunkType { type: 3 }",
            "the file is 32 MB large; at most 32 MB are read",
        ] {
            assert!(check_form(bad).is_err(), "{bad}");
        }
        assert_eq!(check_form("it has 40 corners; at most 32 are read"), Ok(()));
        assert_eq!(printable("a\nb\u{0}"), "a\u{fffd}b\u{fffd}");
        assert!(printable(&"x".repeat(900)).ends_with('…'));
    }
}
