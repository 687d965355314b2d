#pragma once
// From the API server's faults to findings: which issue a fault is, and what of it machines may
// want to know.
#include <span>
#include <string>
#include <vector>

#include "validate/finding.h"
#include "value/document.h"
#include "value/field_error.h"

namespace strake::validate {

// The server says in words which keyword was broken; its words are fixed, so they tell the issue.
Fault fault_from(const value::FieldError& error);

// A fault found by a rule of x-kubernetes-validations, which may use any words.
Fault rule_fault_from(const value::FieldError& error);

// For errors past the limits of their list: the one fault that stands for them.
void add_omitted(const value::FieldErrors& errors, std::vector<Fault>& faults);

// The failure of a rule that ratcheting forgave, as the server warns of it: field and message in
// one text.
Fault rule_warning_from(std::string_view text, const value::Value& as_sent);

// A key that stands twice; `path` is where in the object.
Fault duplicate_key_fault(const value::DuplicateKey& duplicate, FieldPath path, Severity severity);
// A document larger than the server takes.
Fault too_large_fault(std::uint64_t limit);

// JSON text of a string.
std::string json_text(std::string_view text);

}  // namespace strake::validate
