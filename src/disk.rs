//! Touching files outside the stores (the hosts' own, the experience home, the state folder): reading, and writing that
//! leaves the old file or the new one.

use std::fs::{self, Metadata};
use std::io::{ErrorKind as Cause, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, Result};

/// What a file in the making is called; a crash may leave one behind.
const IN_THE_MAKING: &str = ".afterword-";

/// Who may read a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Privacy {
    /// As the person's other new files.
    Usual,
    /// The person alone: copies of configurations hold keys.
    Own,
}

/// The bytes of a file, none if it is not there. A link that leads nowhere is an error: nobody can tell what it is for.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == Cause::NotFound && !path.is_symlink() => Ok(None),
        Err(error) if error.kind() == Cause::NotFound => {
            Err(Error::new(ErrorKind::Host, "it is a link that leads nowhere").at(path))
        }
        Err(error) => Err(Error::io("read", path, error)),
    }
}

/// Refuses a file that its owner has protected.
pub(crate) fn check_writable(path: &Path) -> Result<()> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(Error::new(ErrorKind::Host, "it is no plain file").at(path)),
        Ok(found) if found.permissions().readonly() => Err(Error::new(ErrorKind::Host, "it is read-only").at(path)),
        _ => Ok(()),
    }
}

/// The folders above a file that are not there yet, outermost first.
pub(crate) fn missing_folders(path: &Path) -> Vec<PathBuf> {
    let mut missing: Vec<PathBuf> = path
        .ancestors()
        .skip(1)
        .take_while(|above| !above.as_os_str().is_empty() && !above.exists())
        .map(Path::to_path_buf)
        .collect();
    missing.reverse();
    missing
}

/// Makes a folder and those above it.
pub(crate) fn make_folder(folder: &Path, privacy: Privacy) -> Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    if privacy == Privacy::Own {
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    }
    #[cfg(not(unix))]
    let _ = privacy;
    builder.create(folder).map_err(|e| Error::io("make the folder", folder, e))
}

/// Writes a file in one step, with the permissions of the one it takes the place of. A link stays, and what it leads
/// to is written.
pub(crate) fn write(path: &Path, bytes: &[u8], privacy: Privacy) -> Result<()> {
    put(path, bytes, privacy, || Ok(true)).map(drop)
}

/// [`write`]s a file that holds what it `was` to the last moment, and says whether it did: between that look and the new
/// file in its place nothing is waited for, so that what a person saves meanwhile is not written over.
pub(crate) fn replace(path: &Path, was: Option<&[u8]>, bytes: &[u8], privacy: Privacy) -> Result<bool> {
    put(path, bytes, privacy, || Ok(read(path)?.as_deref() == was))
}

fn put(path: &Path, bytes: &[u8], privacy: Privacy, may: impl FnOnce() -> Result<bool>) -> Result<bool> {
    let failed = |e| Error::io("write", path, e);
    let target = if path.is_symlink() { fs::canonicalize(path).map_err(failed)? } else { path.to_path_buf() };
    let old = fs::metadata(&target).ok();
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(IN_THE_MAKING).suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(match privacy {
        Privacy::Usual if old.is_none() => 0o666,
        // Its own permissions are taken over once all is written; until then nobody else reads it.
        Privacy::Usual | Privacy::Own => 0o600,
    }));
    #[cfg(not(unix))]
    let _ = privacy;
    let mut making = builder.tempfile_in(folder).map_err(failed)?;
    making.write_all(bytes).map_err(failed)?;
    if let Some(old) = &old {
        take_over(making.as_file(), old).map_err(failed)?;
    }
    making.as_file().sync_all().map_err(failed)?;
    if !may()? {
        return Ok(false);
    }
    making.persist(&target).map_err(|e| failed(e.error))?;
    sync_folder(folder)?;
    Ok(true)
}

/// Gives a file the permissions of another, and its owner where that is allowed.
fn take_over(file: &fs::File, old: &Metadata) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // Only root may give files away; a person edits their own.
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
    file.set_permissions(old.permissions())
}

/// Removes a file; one that is gone already is no error.
pub(crate) fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != Cause::NotFound => Err(Error::io("remove", path, error)),
        _ => Ok(()),
    }
}

/// Removes a folder if nothing is in it.
pub(crate) fn remove_if_empty(folder: &Path) {
    // A folder that is not empty stays; so does one that may not be removed, which harms nobody.
    let _ = fs::remove_dir(folder);
}

/// Makes the names in a folder last. Windows cannot open folders, and needs no such sync.
fn sync_folder(folder: &Path) -> Result<()> {
    if cfg!(windows) {
        return Ok(());
    }
    fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(|e| Error::io("sync the folder", folder, e))
}

/// Waits until no other process holds the lock file, and holds it until it is dropped. The file is made if need be.
pub(crate) fn lock(path: &Path) -> Result<fs::File> {
    let open = fs::OpenOptions::new().create(true).truncate(false).write(true).open(path);
    let file = open.map_err(|e| Error::io("open the lock", path, e))?;
    file.lock().map_err(|e| Error::io("take the lock", path, e))?;
    Ok(file)
}

/// Refuses a file that has other names: to put a new file in the place of one name would part it from the others.
pub(crate) fn check_single(path: &Path) -> Result<()> {
    #[cfg(unix)]
    if fs::metadata(path).is_ok_and(|found| std::os::unix::fs::MetadataExt::nlink(&found) > 1) {
        let what = "it has another name (a hard link), and would be parted from it; use a symbolic link instead";
        return Err(Error::new(ErrorKind::Host, what).at(path));
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}
