//! Everything that can be done to a store: by the program, by hands and other programs, and by the clock.

use proptest::prelude::*;
use proptest::sample::Index;

use crate::memory::Kind;

/// Something that was said: what, how many minutes ago (a clock that is wrong puts it ahead), and how.
pub(super) type Said = (&'static str, i64, Shade);

/// Something that is done to a store. What it is done to is picked among what is there.
#[derive(Debug, Clone)]
pub(super) enum Deed {
    /// Sessions are read.
    Extract(Vec<Said>),
    /// A session that grows is read again, so many turns far.
    Read(u32, &'static str),
    /// A person or an agent hands a memory in, in the place of another maybe.
    Write(&'static str, Hands, Option<Index>),
    Forget(Index),
    Undo(Index),
    UndoLast,
    UndoRun(Index),
    Sweep,
    Consolidate,
    Accept(Index),
    Reject(Index),
    /// The archive of another store is taken in, with a memory of another program in it.
    Import(Vec<Said>, &'static str),
    /// The store moves: an archive of it is restored elsewhere.
    Move,
    /// A hand edits a file.
    Edit(Index, Edit),
    Delete(Index),
    Rename(Index),
    /// Another program writes a memory.
    Add(Kind, &'static str, Front),
    /// The clock jumps, by hours.
    Clock(i64),
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Shade {
    Keep,
    Short,
    Playbook,
    Pending,
    Forget,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Hands {
    Person,
    Agent,
}

/// What a hand does to a file's text.
#[derive(Debug, Clone, Copy)]
pub(super) enum Edit {
    /// One sentence more.
    Append,
    /// Other words.
    Say(&'static str),
    /// A field of the front matter says otherwise.
    Expires(&'static str),
    Created(&'static str),
    /// A field of the person's own.
    Mood,
    /// The front matter cannot be read any more.
    Break,
    LineEnds,
    /// The text as the program wrote it.
    Back,
}

/// The front matter of another program's file.
#[derive(Debug, Clone, Copy)]
pub(super) enum Front {
    Plain,
    Expired,
    /// It says that it took the place of the first memory that is there.
    Supersedes,
}

fn body() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "Use npm.",
        "Use pnpm.",
        "Use yarn.",
        "Use pnpm, not npm.",
        "User likes tea.",
        "User doesn't like tea.",
        "User really likes green tea.",
        "User likes tea. User has a dog.",
        "用户喜欢猫。",
        "用户不喜欢猫。",
        "User's timezone is CET.",
        "User's timezone is UTC.",
        "User's name is Ann.",
        "User's name is Bob.",
        "Use tabs.",
    ])
}

fn said() -> impl Strategy<Value = Said> {
    let shade = prop_oneof![
        5 => Just(Shade::Keep),
        2 => Just(Shade::Short),
        1 => Just(Shade::Playbook),
        1 => Just(Shade::Pending),
        1 => Just(Shade::Forget),
    ];
    (body(), -30_i64..2000, shade)
}

/// What the program does, and the clock.
pub(super) fn program() -> impl Strategy<Value = Deed> {
    let hands = prop_oneof![Just(Hands::Person), Just(Hands::Agent)];
    prop_oneof![
        6 => prop::collection::vec(said(), 1..5).prop_map(Deed::Extract),
        2 => (1_u32..6, body()).prop_map(|(turns, body)| Deed::Read(turns, body)),
        2 => (body(), hands, prop::option::weighted(0.3, any::<Index>())).prop_map(|(body, by, of)| Deed::Write(body, by, of)),
        2 => any::<Index>().prop_map(Deed::Forget),
        3 => any::<Index>().prop_map(Deed::Undo),
        2 => Just(Deed::UndoLast),
        2 => any::<Index>().prop_map(Deed::UndoRun),
        1 => Just(Deed::Sweep),
        1 => Just(Deed::Consolidate),
        1 => any::<Index>().prop_map(Deed::Accept),
        1 => any::<Index>().prop_map(Deed::Reject),
        1 => (prop::collection::vec(said(), 1..4), body()).prop_map(|(said, body)| Deed::Import(said, body)),
        1 => Just(Deed::Move),
        2 => prop_oneof![4 => 1_i64..60, 1 => -90_i64..0].prop_map(Deed::Clock),
    ]
}

/// What hands do, and all else.
pub(super) fn any_deed() -> impl Strategy<Value = Deed> {
    let edit = prop_oneof![
        3 => Just(Edit::Append),
        3 => body().prop_map(Edit::Say),
        1 => prop::sample::select(vec!["2026-02-01", "2026-03-02", "never"]).prop_map(Edit::Expires),
        1 => prop::sample::select(vec!["2025-12-31", "2026-04-01T12:00:00Z"]).prop_map(Edit::Created),
        1 => Just(Edit::Mood),
        1 => Just(Edit::Break),
        1 => Just(Edit::LineEnds),
        2 => Just(Edit::Back),
    ];
    let front = prop_oneof![3 => Just(Front::Plain), 1 => Just(Front::Expired), 1 => Just(Front::Supersedes)];
    let kind = prop_oneof![3 => Just(Kind::Profile), 1 => Just(Kind::Playbook)];
    prop_oneof![
        16 => program(),
        3 => (any::<Index>(), edit).prop_map(|(index, edit)| Deed::Edit(index, edit)),
        2 => any::<Index>().prop_map(Deed::Delete),
        1 => any::<Index>().prop_map(Deed::Rename),
        2 => (kind, body(), front).prop_map(|(kind, body, front)| Deed::Add(kind, body, front)),
    ]
}

impl Deed {
    /// Whether the program does it, as a run of its own, and an undo of that run leaves no trace.
    pub(super) fn is_plain(&self) -> bool {
        matches!(
            self,
            Self::Extract(_) | Self::Write(..) | Self::Forget(_) | Self::Undo(_) | Self::Sweep | Self::Consolidate
        )
    }
}
