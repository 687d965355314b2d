#pragma once
// What a person may want to do about a fault: the word that was meant, the place of the first of
// two.
#include <string>
#include <string_view>

#include "schema/node.h"
#include "validate/finding.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::validate {

// The fault of a field that no schema covers; `text` is its path as the server prints it.
Fault unknown_field(std::string_view text, const value::Value& as_sent, const schema::Node* schema,
                    Severity severity);

// Fills in the hint, the schema's place, and the params that a fault found by the schema has
// besides those of its own words.
void add_hint(Fault& fault, const value::FieldError& error, const schema::Node& schema);

}  // namespace strake::validate
