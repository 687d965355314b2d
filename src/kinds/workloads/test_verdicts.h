#pragma once
// Recorded verdicts on what has pod templates, without the templates: what the kinds of this folder
// do by themselves.
#include <filesystem>
#include <string>
#include <string_view>

#include "kinds/test_requests.h"

namespace strake::kinds::testing {

// The resource of that version. Ends the test program when there is none.
const Resource& workload(std::string_view group, std::string_view version, std::string_view plural);
// What stands at a path (".spec.replicas") of an object as JSON; "none" when nothing does, and the
// text itself when it is no object.
std::string part(const std::string& answer, std::string_view path);

// What admission would have given to a new object: its uid, and its name where the server makes it.
void give_identity(value::Value& object, Arena& arena);

// As expect_recorded_verdicts(), but for pod templates and claim templates: they count as accepted
// and are not compared, and no faults in them are.
void expect_verdicts_but_templates(const std::filesystem::path& folder, std::string_view kind,
                                   const Resource& resource, std::size_t least);

}  // namespace strake::kinds::testing
