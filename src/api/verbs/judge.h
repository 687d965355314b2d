#pragma once
// Judges an object that is about to be written, by the strategy of its kind, and keeps account of
// who set which field.
#include <cstddef>
#include <string_view>
#include <vector>

#include "api/request/answer.h"
#include "api/request/call.h"
#include "api/request/options.h"
#include "patch/other_versions.h"
#include "value/document.h"

namespace strake::api {

// metadata.managedFields of the new object. `old` is null on a create. Without other versions,
// what is owned in them stays as it is.
void own_fields(const Call& call, value::Document& document, const value::Value* old,
                std::string_view subresource, std::string_view manager,
                const patch::OtherVersions* others = nullptr);
// Members that the endpoint resets: no write there owns them.
std::vector<std::string_view> resets_of(const Call& call, std::string_view subresource);
// fieldManager, or the User-Agent.
std::string manager_of(const Call& call, const WriteOptions& options);

// By the strategy of its kind. `old` is null on a create, `bytes` is about the size of the object.
// Warnings go to the call.
Answer<> judge(Call& call, const value::Document& document, const value::Value* old,
               std::string_view subresource, std::size_t bytes);

// Whether work on an object of so many bytes is a worker's. A definition is compiled when it is
// judged, so it counts as large whatever its size.
bool is_large(const Call& call, std::size_t bytes);
// Whether judging it is. Other work on it may be done at once.
bool is_slow_to_judge(const Call& call, std::size_t bytes);

// Nothing is made of a definition that is going away.
Answer<> check_definition(const Call& call, std::string_view name);

}  // namespace strake::api
