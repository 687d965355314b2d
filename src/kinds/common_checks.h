#pragma once
// Checks that several built-in kinds share.
#include <initializer_list>
#include <span>
#include <string_view>

#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

struct SelectorOptions {
  bool allow_invalid_values = false;     // what was stored before the rule came
  bool allow_unknown_operators = false;  // of a newer client
};
// A map of labels: all that is wrong is said of the map itself.
void check_labels(std::span<const value::Member> labels, const FieldPath& at,
                  value::FieldErrors& errors);
// {matchLabels, matchExpressions}
void check_label_selector(const value::Value& selector, const SelectorOptions& options,
                          const FieldPath& at, value::FieldErrors& errors);
// {key, operator, values} of labels.
void check_label_requirement(const value::Value& requirement, const SelectorOptions& options,
                             const FieldPath& at, value::FieldErrors& errors);
bool has_invalid_label_value(const value::Value& selector);

// Finalizers without a domain that the server knows.
bool is_standard_finalizer(std::string_view name);
// metadata.finalizers: others must have a domain.
void check_finalizer_names(const value::Value& object, value::FieldErrors& errors);

// metav1.Condition
void check_conditions(std::span<const value::Value> conditions, const FieldPath& at,
                      value::FieldErrors& errors);

// A number or a name of a port.
void check_port_or_name(const value::Value& port, const FieldPath& at, value::FieldErrors& errors);
// "TCP", "UDP" or "SCTP".
void check_protocol(const value::Value& port, const FieldPath& at, value::FieldErrors& errors);

// The member, where it is given, must be one of these.
void check_one_of(const value::Value& object, std::string_view key,
                  std::initializer_list<std::string_view> supported, const FieldPath& at,
                  value::FieldErrors& errors);
void check_text_is_one_of(std::string_view text, std::initializer_list<std::string_view> supported,
                          const FieldPath& at, value::FieldErrors& errors);
value::FieldError not_supported(FieldPath at, std::string_view text,
                                std::initializer_list<std::string_view> supported);

void add_messages(const std::vector<std::string>& messages, std::string_view text,
                  const FieldPath& at, value::FieldErrors& errors);

}  // namespace strake::kinds
