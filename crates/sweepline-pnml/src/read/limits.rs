//! The limits of a reader.

use sweepline_source::{Invalid, Rules, xml};

use crate::symmetric::UnfoldLimits;

/// The limits of a reader, so that no input can exhaust the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The maximal file size in bytes (`--max-input`).
    pub max_bytes: u64,
    /// The maximal length of a single name, number or attribute, in bytes.
    pub max_value_bytes: usize,
    /// The maximal nesting of elements.
    pub max_depth: usize,
    /// The maximal size of an unfolded symmetric net.
    pub unfold: UnfoldLimits,
}

impl Default for Limits {
    /// 128 MiB, 64 KiB, 256 levels.
    fn default() -> Self {
        let unfold = UnfoldLimits::default();
        Self { max_bytes: 128 << 20, max_value_bytes: 64 << 10, max_depth: 256, unfold }
    }
}

impl Limits {
    pub(super) fn rules(&self) -> Rules {
        Rules::new(self.max_bytes, "text", Invalid::Refused)
    }

    /// A cursor over XML.
    pub(crate) fn xml<'s>(&self, text: &'s str) -> xml::Xml<'s> {
        let Limits { max_depth, max_value_bytes, .. } = *self;
        xml::Xml::new(text, &xml::Rules { max_depth, max_value_bytes, lenient: false })
    }
}
