#pragma once
// Pods for tests of what is refused and warned of: complete ones, with a few members changed.
#include <string>
#include <string_view>

#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds::testing {

// {"metadata":{"name":"p"},"spec":{...}} that nothing is wrong with. `members` are members of the
// spec as JSON without braces; they replace those that are there.
std::string pod_with(std::string_view members, std::string_view metadata = R"("name":"p")");
// The same with members of its one container, which is named "c".
std::string container_with(std::string_view members);
// The same with one volume, named "v".
std::string volume_with(std::string_view members);

// What is wrong with a new pod, "a; b" in the order in which it is found; empty when nothing is.
std::string errors_of_pod(std::string_view json);
// The same of a template at "t".
std::string errors_of_template(std::string_view json);
// The same of a write of a template over another.
std::string errors_of_change(std::string_view old_json, std::string_view json);
// Of a pod, each on a line.
std::string warnings_of_pod(std::string_view json);
std::string warnings_of_template(std::string_view json);

// Fills in what every stored pod has.
void complete_pod_spec(value::Value& spec, Arena& arena);

}  // namespace strake::kinds::testing
