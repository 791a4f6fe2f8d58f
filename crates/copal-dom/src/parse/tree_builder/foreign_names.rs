//! The names of SVG and `MathML` that are not in lower case ("adjust SVG tag names", "adjust SVG attributes" and "adjust
//! `MathML` attributes" in 13.2.6.1).
//!
//! In: names in lower case. Out: how they are written. O(log names). "Adjust foreign attributes" only changes
//! namespaces, of which a finished tree knows nothing.

/// Sorted, ignoring case.
static SVG_ELEMENTS: &[&str] = &[
    "altGlyph",
    "altGlyphDef",
    "altGlyphItem",
    "animateColor",
    "animateMotion",
    "animateTransform",
    "clipPath",
    "feBlend",
    "feColorMatrix",
    "feComponentTransfer",
    "feComposite",
    "feConvolveMatrix",
    "feDiffuseLighting",
    "feDisplacementMap",
    "feDistantLight",
    "feDropShadow",
    "feFlood",
    "feFuncA",
    "feFuncB",
    "feFuncG",
    "feFuncR",
    "feGaussianBlur",
    "feImage",
    "feMerge",
    "feMergeNode",
    "feMorphology",
    "feOffset",
    "fePointLight",
    "feSpecularLighting",
    "feSpotLight",
    "feTile",
    "feTurbulence",
    "foreignObject",
    "glyphRef",
    "linearGradient",
    "radialGradient",
    "textPath",
];

/// Sorted, ignoring case.
static SVG_ATTRIBUTES: &[&str] = &[
    "attributeName",
    "attributeType",
    "baseFrequency",
    "baseProfile",
    "calcMode",
    "clipPathUnits",
    "diffuseConstant",
    "edgeMode",
    "filterUnits",
    "glyphRef",
    "gradientTransform",
    "gradientUnits",
    "kernelMatrix",
    "kernelUnitLength",
    "keyPoints",
    "keySplines",
    "keyTimes",
    "lengthAdjust",
    "limitingConeAngle",
    "markerHeight",
    "markerUnits",
    "markerWidth",
    "maskContentUnits",
    "maskUnits",
    "numOctaves",
    "pathLength",
    "patternContentUnits",
    "patternTransform",
    "patternUnits",
    "pointsAtX",
    "pointsAtY",
    "pointsAtZ",
    "preserveAlpha",
    "preserveAspectRatio",
    "primitiveUnits",
    "refX",
    "refY",
    "repeatCount",
    "repeatDur",
    "requiredExtensions",
    "requiredFeatures",
    "specularConstant",
    "specularExponent",
    "spreadMethod",
    "startOffset",
    "stdDeviation",
    "stitchTiles",
    "surfaceScale",
    "systemLanguage",
    "tableValues",
    "targetX",
    "targetY",
    "textLength",
    "viewBox",
    "viewTarget",
    "xChannelSelector",
    "yChannelSelector",
    "zoomAndPan",
];

pub(super) fn svg_element(name: &str) -> Option<&'static str> {
    written(SVG_ELEMENTS, name)
}

pub(super) fn svg_attribute(name: &str) -> Option<&'static str> {
    written(SVG_ATTRIBUTES, name)
}

pub(super) fn mathml_attribute(name: &str) -> Option<&'static str> {
    (name == "definitionurl").then_some("definitionURL")
}

fn written(names: &[&'static str], name: &str) -> Option<&'static str> {
    let order = |known: &&str| known.bytes().map(|byte| byte.to_ascii_lowercase()).cmp(name.bytes());
    names.binary_search_by(order).ok().map(|at| names[at])
}

#[cfg(test)]
mod tests {
    use super::{SVG_ATTRIBUTES, SVG_ELEMENTS, svg_attribute, svg_element};

    #[test]
    fn all_names_are_found() {
        for (names, find) in [(SVG_ELEMENTS, svg_element as fn(&str) -> _), (SVG_ATTRIBUTES, svg_attribute)] {
            assert!(names.iter().all(|name| find(&name.to_ascii_lowercase()) == Some(*name)));
            assert!(
                ["", "a", "g", "path", "viewboxes", "zzz", "viewBox"].iter().all(|name| find(name).is_none())
            );
        }
    }
}
