//! The formula files of the Model Checking Contest.

use std::path::Path;

use super::property::Property;
use super::property_reader::{Richer, read};
use crate::net::Net;
use crate::read::{Limits, ReadErrors, from_text, load};

/// Reads a formula file (`ReachabilityCardinality.xml`, `UpperBounds.xml`, ...) or a
/// `GenericPropertiesDefinition.xml`, which refer to places and transitions by id.
///
/// # Errors
/// All errors of the file; a formula beyond CTL and LTL is one of them.
pub fn read_properties(
    path: &Path,
    net: &Net,
    limits: &Limits,
) -> Result<Vec<Property>, ReadErrors> {
    read(&load(path, limits)?, net, limits, Richer::IsAnError)
}

/// As [`read_properties`], from text; `name` is the name of the file in messages.
///
/// # Errors
/// All errors of the text; a formula beyond CTL and LTL is one of them.
pub fn read_properties_str(name: &str, text: &str, net: &Net) -> Result<Vec<Property>, ReadErrors> {
    let limits = Limits::default();
    read(&from_text(name, text, &limits)?, net, &limits, Richer::IsAnError)
}

/// As [`read_properties`], but formulas beyond CTL and LTL are returned as
/// [`Question::Unsupported`](crate::Question::Unsupported), for files with formulas of several kinds.
///
/// # Errors
/// All other errors of the file.
pub fn read_supported_properties(
    path: &Path,
    net: &Net,
    limits: &Limits,
) -> Result<Vec<Property>, ReadErrors> {
    read(&load(path, limits)?, net, limits, Richer::IsUnsupported)
}

/// As [`read_supported_properties`], from text.
///
/// # Errors
/// All other errors of the text.
pub fn read_supported_properties_str(
    name: &str,
    text: &str,
    net: &Net,
) -> Result<Vec<Property>, ReadErrors> {
    let limits = Limits::default();
    read(&from_text(name, text, &limits)?, net, &limits, Richer::IsUnsupported)
}
