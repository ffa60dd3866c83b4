//! Made-up keys for the examples in the rules.
//!
//! A rule file with whole keys in it would set off every scanner that looks at the repository, so an example
//! names the shape (`ghp_{b62:36}`) and the key is made here, always the same one.

/// The characters of a shape, or `None` if `name` is no shape.
fn alphabet(name: &str) -> Option<&'static [u8]> {
    Some(match name {
        "dec" => b"0123456789",
        "hex" => b"0123456789abcdef",
        "b32" => b"abcdefghijklmnopqrstuvwxyz234567",
        "up" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        "b62" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        "b64" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        _ => return None,
    })
}

/// Fills in the shapes of an example: `{hex:32}`, `{b62:40}`, `{uuid}`, `{=text}`; other braces stay.
pub(super) fn fill(example: &str) -> String {
    let mut out = String::with_capacity(example.len());
    let mut rest = example;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        match after.split_once('}') {
            Some((shape, behind)) if let Some(made) = make(shape) => {
                out.push_str(&made);
                rest = behind;
            }
            _ => {
                out.push('{');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

fn make(shape: &str) -> Option<String> {
    if let Some(text) = shape.strip_prefix('=') {
        return Some(text.to_owned());
    }
    if shape == "uuid" {
        let parts = [8, 4, 4, 4, 12].map(|length| draw(b"0123456789abcdef", length));
        return Some(parts.join("-"));
    }
    let (name, length) = shape.split_once(':')?;
    Some(draw(alphabet(name)?, length.parse().ok()?))
}

/// `length` characters that look thrown, and are the same each time.
fn draw(alphabet: &[u8], length: usize) -> String {
    // Knuth's MMIX generator; the seed was picked so that short draws mix letters and digits.
    let mut state = 0x9e37_79b9_u64.wrapping_add(length as u64);
    std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let index = usize::try_from(state >> 40).unwrap_or_default() % alphabet.len();
        alphabet.get(index).map_or('0', |&byte| char::from(byte))
    })
    .take(length)
    .collect()
}
