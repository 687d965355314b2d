#pragma once
// Requests to built-in kinds as the server would take them, for tests: decoded, defaulted, prepared
// and judged.
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "kinds/builtin_strategy.h"
#include "kinds/resource.h"

namespace strake::kinds::testing {

// The built-in resource of a group and plural. Ends the test program when there is none.
const Resource& builtin(std::string_view group, std::string_view plural);

// What mutating admission does to a decoded object, in place.
using Admit = std::function<void(value::Value& object, Arena& arena)>;

// The object as it would be stored, as JSON, or the error: "400: <text>" or the faults sorted by
// field, "422: a; b". metadata is judged too; a namespaced object without a namespace lies in "ns".
std::string create(const Resource& resource, std::string_view json, const Admit& admit = {});
std::string update(const Resource& resource, std::string_view stored_json, std::string_view json);
// Through a subresource.
std::string update_status(const Resource& resource, std::string_view subresource,
                          std::string_view stored_json, std::string_view json);
// Creates each recorded manifest of the kind ("core.service") and compares the answer, and the
// warnings about what is accepted. There must be at least so many of them in the recordings. Where
// the checks of a kind are not there yet, only the objects that were accepted can be compared.
enum class Compare { kAll, kAcceptedObjects };
void expect_recorded_verdicts(const std::filesystem::path& folder, std::string_view kind,
                              const Resource& resource, std::size_t least, const Admit& admit = {},
                              Compare compare = Compare::kAll);
// The cells of the object's row as a JSON array.
std::string row(const Resource& resource, std::string_view json, std::string_view now);

}  // namespace strake::kinds::testing
