//! Snapshots: `snapshots/<stage>/<name>.snap`.

use std::path::Path;

/// Compares `text` with the snapshot `name` of a stage.
#[track_caller]
pub(crate) fn snapshot(stage: &str, name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots").join(stage));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}
