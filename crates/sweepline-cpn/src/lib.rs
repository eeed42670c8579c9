//! Coloured nets: reads CPN Tools files, checks and flattens them, and explores them.
//!
//! [`read_cpn`] reads a file, and [`Net::load`] turns it into a flat [`Net`]: page instances are numbered,
//! places that share a marking (by ports and sockets, or fusion sets) are merged, every inscription is
//! elaborated once for its page by [`sweepline_ml`], and for each transition it is determined how its
//! variables can be bound.
//!
//! ```
//! use sweepline_cpn::{Limits, Net, Options, read_cpn_bytes};
//!
//! let text = r#"<workspaceElements><cpnet>
//!   <globbox>
//!     <color id="c"><id>NO</id><int/></color>
//!     <var id="v"><type><id>NO</id></type><id>n</id></var>
//!     <ml id="m">val first = 1;</ml>
//!   </globbox>
//!   <page id="top"><pageattr name="Top"/>
//!     <place id="p"><text>Next</text><type><text>NO</text></type>
//!       <initmark><text>1`first</text></initmark></place>
//!     <trans id="t"><text>Count up</text><cond><text>[n &lt; 9]</text></cond></trans>
//!     <arc id="a" orientation="PtoT"><transend idref="t"/><placeend idref="p"/>
//!       <annot><text>n</text></annot></arc>
//!     <arc id="b" orientation="TtoP"><transend idref="t"/><placeend idref="p"/>
//!       <annot><text>n + 1</text></annot></arc>
//!   </page></cpnet></workspaceElements>"#;
//! let file = read_cpn_bytes("count.cpn", text.as_bytes(), &Limits::default())?;
//! let net = Net::load(&file, &Options::default())?;
//! assert_eq!(net.places[0].name, "Top'Next 1");
//! assert_eq!(net.transitions[0].name, "Top'Count_up 1");
//! let behaviour = net.behaviour(&net.transitions[0]);
//! assert_eq!(behaviour.inputs[0].terms.as_ref().unwrap()[0].binds.len(), 1);
//!
//! let broken = text.replace("n + 1", "n ^ \"1\"");
//! let file = read_cpn_bytes("count.cpn", broken.as_bytes(), &Limits::default())?;
//! let errors = Net::load(&file, &Options::default()).unwrap_err();
//! assert_eq!(
//!     errors.to_string(),
//!     "cannot load `count.cpn`: count.cpn:14:20: arc from `Count up` to `Next` on page `Top`: \
//!      `n` has type `int` but `string` is needed here"
//! );
//! # Ok::<(), sweepline_cpn::LoadErrors>(())
//! ```
//!
//! This crate prints nothing and does not trust files: sizes and depths are bounded, nothing is downloaded,
//! and files that a model uses are read only from its own folder.

#![forbid(unsafe_code)]

mod explore;
mod limits;
mod net;
mod problem;
mod query;
pub mod read;
mod script;
mod symmetric;
mod symmetry;
mod text;
mod write;

pub use explore::{
    Changing, CompileError, CpnModel, Marking, NoDependence, NoTimeEquivalence, Occurrence,
    PlaceChange, TimeClass, Worker,
};
pub use limits::Limits;
pub use net::{
    Behaviour, BehaviourId, Binder, Coefficient, Conjunct, Input, Member, Net, Options, Output,
    Page, PageId, PageInstance, Place, PlaceId, Role, Slot, Term, Transition, ValueSource,
    Variable,
};
pub use problem::{Finding, LoadErrors, Problem};
pub use query::{AllBounds, Expression, ExpressionError, MultiSet, PlaceBound, PlaceBounds, Scope};
pub use read::{File, read_cpn, read_cpn_bytes};
pub use script::{Draw, Outcome, Rejection, Script, ScriptError, ScriptOptions, WriteFiles};
pub use symmetric::{NotTranslated, symmetric_to_cpn};
pub use symmetry::{NoSymmetry, Symmetry};
pub use text::{format_cpnt, read_cpnt, read_cpnt_bytes, to_cpnt};
pub use write::to_cpn;
