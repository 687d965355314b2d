#pragma once
// Pod templates where they stand in the kinds of this folder: their part of the checks, of the
// warnings and of the tables.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/field_path.h"
#include "kinds/strategy.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// The labels of a template, or null.
const value::Value* template_labels(const value::Value& pod_template);

// The selector in `spec` must select the pods of the template in it. True when the selector makes
// sense; otherwise nothing is said.
bool check_template_is_selected(const value::Value& spec, const FieldPath& at,
                                value::FieldErrors& errors);
// The template of an object that keeps pods running: "ReplicaSet". `old_spec` is the spec of the
// object before, or null.
void check_running_template(const value::Value& spec, const value::Value* old_spec,
                            std::string_view owner, const FieldPath& at,
                            value::FieldErrors& errors);
// Only what such an object asks of the template beside what makes any template good.
void check_template_keeps_running(const value::Value& pod_template, std::string_view owner,
                                  const FieldPath& at, value::FieldErrors& errors);
// spec.selector as apps/v1 has it: there, good, and selecting something less than everything.
// `owner` is whom the message about an empty one names.
void check_required_selector(const value::Value& spec, std::string_view owner, const FieldPath& at,
                             value::FieldErrors& errors);

// All of this for a spec that becomes one of a ReplicaSet: that of a Deployment, or its own.
void check_replicated_pods(const value::Value& spec, const value::Value* old_spec,
                           const FieldPath& at, value::FieldErrors& errors);

// About the name of an object from which its pods get theirs.
void add_name_warning(const value::Value& object, std::vector<std::string>& out);
// About the template in `spec`. `old_spec` may be null.
void add_template_warnings(const value::Value& spec, const value::Value* old_spec,
                           const FieldPath& at, std::vector<std::string>& out);

// Containers and Images, which wide tables have.
void add_container_columns(std::vector<Column>& columns);
Column selector_column();
// One cell for each of them.
void add_container_cells(const value::Value& pod_template, std::vector<value::Value>& out,
                         Arena& arena);
value::Value text_cell(std::string_view text, Arena& arena);
value::Value number_cell(const value::Value& holder, std::string_view key);
// The selector of `spec`, or <none>.
value::Value selector_cell(const value::Value& spec, Arena& arena);

}  // namespace strake::kinds
