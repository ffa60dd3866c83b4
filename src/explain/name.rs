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
        match self.called(wanted).as_slice() {
            [] => Err(Error::new(ErrorKind::Name, format!("there is no memory `{wanted}`")).at(&self.root)),
            [number] => Ok(*number),
            several => Err(Error::new(ErrorKind::Name, self.not_clear(wanted, several)).at(&self.root)),
        }
    }

    /// All memories that are called so, as [`Archive::find`] understands it.
    #[must_use]
    pub fn called(&self, wanted: &str) -> Vec<Number> {
        let name = wanted.trim();
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let name = name.strip_suffix(".md").unwrap_or(name);
        if name.is_empty() {
            return Vec::new();
        }
        let all: Vec<(Number, Entry)> =
            self.memories().into_iter().map(|number| (number, self.entry(number))).collect();
        let such = |is: &dyn Fn(&Entry) -> bool| -> Vec<Number> {
            all.iter().filter(|(_, entry)| is(entry)).map(|(number, _)| *number).collect()
        };
        let named = such(&|entry| is_called(entry, name));
        if named.is_empty() {
            return such(&|entry| entry.id.as_str().starts_with(name) || entry.id.suffix().starts_with(name));
        }
        let there = such(&|entry| is_called(entry, name) && entry.status == Status::Active);
        if there.len() == 1 { there } else { named }
    }

    fn not_clear(&self, wanted: &str, several: &[Number]) -> String {
        let named = several.iter().take(NAMED).map(|&number| self.entry(number));
        let named: Vec<String> = named.map(|entry| format!("{} ({})", entry.id, entry.status.word())).collect();
        let more = several.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("`{wanted}` could be {} memories: {}{more}", several.len(), named.join(", "))
    }
}

fn is_called(entry: &Entry, name: &str) -> bool {
    let stem = entry.file.as_deref().and_then(|file| file.rsplit('/').next()?.strip_suffix(".md"));
    [Some(entry.id.as_str()), Some(entry.id.suffix()), Some(entry.slug.as_str()), stem].contains(&Some(name))
}
