//! Which memory a person means: by its id, a beginning of it, its slug or its file.

use super::{Archive, Entry, Number, Status};
use crate::error::{Error, ErrorKind, Result};

/// So many memories are named when it is not clear which is meant.
const NAMED: usize = 5;

impl Archive {
    /// The memory that is called so: by its id, any beginning of the id (`prof_k3x`) or of its suffix (`k3x`) that no other
    /// has, its slug, or its file with or without folder and `.md`. Of several with one slug the one in the store is meant.
    ///
    /// # Errors
    /// If there is none, or more than one.
    pub fn find(&self, wanted: &str) -> Result<Number> {
        let name = wanted.trim();
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let name = name.strip_suffix(".md").unwrap_or(name);
        let all: Vec<(Number, Entry)> =
            self.memories().into_iter().map(|number| (number, self.entry(number))).collect();
        let such = |is: &dyn Fn(&Entry) -> bool| -> Vec<&(Number, Entry)> {
            all.iter().filter(|(_, entry)| !name.is_empty() && is(entry)).collect()
        };
        let mut found = such(&|entry| is_called(entry, name));
        if found.is_empty() {
            found = such(&|entry| entry.id.as_str().starts_with(name) || entry.id.suffix().starts_with(name));
        } else if found.len() > 1 {
            let there: Vec<_> = found.iter().copied().filter(|(_, entry)| entry.status == Status::Active).collect();
            found = if there.len() == 1 { there } else { found };
        }
        match found.as_slice() {
            [] => Err(Error::new(ErrorKind::Name, format!("there is no memory {wanted}")).at(&self.root)),
            [(number, _)] => Ok(*number),
            several => Err(Error::new(ErrorKind::Name, not_clear(wanted, several)).at(&self.root)),
        }
    }
}

fn is_called(entry: &Entry, name: &str) -> bool {
    let stem = entry.file.as_deref().and_then(|file| file.rsplit('/').next()?.strip_suffix(".md"));
    [Some(entry.id.as_str()), Some(entry.id.suffix()), Some(entry.slug.as_str()), stem].contains(&Some(name))
}

fn not_clear(wanted: &str, several: &[&(Number, Entry)]) -> String {
    let named = several.iter().take(NAMED).map(|(_, entry)| format!("{} ({})", entry.id, entry.status.word()));
    let named: Vec<String> = named.collect();
    let more = several.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("`{wanted}` could be {} memories: {}{more}", several.len(), named.join(", "))
}
