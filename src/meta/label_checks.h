#pragma once
// The rules for labels and annotations alone, for who checks nothing else of the metadata.
#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::meta {

// Values are strings. Errors name the field of the metadata as it is given.
value::FieldErrors validate_labels(const value::Value& labels, const FieldPath& metadata,
                                   std::string_view field);
value::FieldErrors validate_annotations(const value::Value& annotations, const FieldPath& metadata,
                                        std::string_view field);

}  // namespace strake::meta
