//! Keys that are none, put together here so that no scanner takes a test for a leak.

/// Keys that tell by their shape.
pub(crate) fn secrets() -> Vec<String> {
    vec![
        ["gh", "p_", "Tide5Harbour", "9Quay2Wharf7", "x4Mooring8Q1"].concat(),
        ["AK", "IA", "QY4HARBOR7TIDE2Z"].concat(),
        ["xo", "xb-", "2418503317", "-2418503318-", "Wharf7x4Mooring8Q1Tide5Ha"].concat(),
    ]
}
