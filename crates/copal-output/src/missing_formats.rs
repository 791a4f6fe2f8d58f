//! Stand-ins for the formats whose cargo feature is off. They fail with an error that names the feature.

use crate::error::OutputError;
use crate::format::Format;
use crate::rows::RowOptions;
use copal_model::Answer;
use std::io::Write;

/// Defines a format that always fails; `new` takes the same arguments as the real one.
macro_rules! missing_format {
    ($name:ident, $format:literal, $feature:literal, $($argument:ty),+) => {
        #[doc = concat!("A format that always fails: this build has no ", $format, " support.")]
        #[derive(Debug, Default)]
        pub struct $name;

        impl $name {
            /// Takes the same options as the real writer, and ignores them.
            pub fn new($(_: $argument),+) -> $name {
                $name
            }
        }

        impl Format for $name {
            // The first page fails, before a user has waited for all of them.
            fn page(&mut self, _: &mut (dyn Write + Send), _: &str, _: &Answer) -> Result<(), OutputError> {
                self.finish(&mut std::io::sink())
            }

            fn finish(&mut self, _: &mut (dyn Write + Send)) -> Result<(), OutputError> {
                Err(OutputError::MissingFeature { format: $format, feature: $feature })
            }
        }
    };
}

#[cfg(not(feature = "parquet"))]
missing_format!(Parquet, "Parquet", "parquet", RowOptions);
#[cfg(not(feature = "parquet"))]
missing_format!(Arrow, "Arrow", "parquet", RowOptions);

#[cfg(not(feature = "parquet"))]
impl Parquet {
    /// Takes the same options as the real writer, and ignores them.
    pub fn nested(_: RowOptions) -> Parquet {
        Parquet
    }
}

#[cfg(not(feature = "parquet"))]
impl Arrow {
    /// Takes the same options as the real writer, and ignores them.
    pub fn nested(_: RowOptions) -> Arrow {
        Arrow
    }
}
#[cfg(not(feature = "xlsx"))]
missing_format!(Xlsx, "Excel", "xlsx", RowOptions, bool);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(not(feature = "parquet"))]
    fn the_error_names_the_feature() {
        let error = Parquet::new(RowOptions::default()).finish(&mut Vec::new()).unwrap_err().to_string();
        assert_eq!(error, "this build has no Parquet support: rebuild with --features parquet");
        let error = Arrow::new(RowOptions::default()).finish(&mut Vec::new()).unwrap_err().to_string();
        assert_eq!(error, "this build has no Arrow support: rebuild with --features parquet");
    }

    #[test]
    #[cfg(not(feature = "xlsx"))]
    fn the_error_names_the_feature_of_excel() {
        let error = Xlsx::new(RowOptions::default(), false).finish(&mut Vec::new()).unwrap_err().to_string();
        assert_eq!(error, "this build has no Excel support: rebuild with --features xlsx");
    }
}
