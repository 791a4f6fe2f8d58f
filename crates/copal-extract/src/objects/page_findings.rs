//! Everything that was read from a page before its fields are chosen. All later stages work on it.

use super::data_area::DataArea;
use super::declared_fields::DeclaredField;
use super::detail_page::DetailPage;
use super::labelled_values::LabelledValue;
use super::object_image::ObjectImage;

/// A page with everything that was found on it.
pub(super) struct PageFindings<'p> {
    pub(super) page: DetailPage<'p>,
    /// The line that names the object.
    pub(super) headline: Option<usize>,
    /// The name of the object: the headline without what the site adds to it.
    pub(super) name: Option<String>,
    pub(super) area: Option<DataArea>,
    pub(super) labelled: Vec<LabelledValue>,
    pub(super) declared: Vec<DeclaredField>,
    pub(super) image: Option<ObjectImage>,
}
