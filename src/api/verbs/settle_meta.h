#pragma once
// The rules for metadata that clients may send but the server decides, and for the parts that an
// endpoint does not change.
#include "api/request/answer.h"
#include "api/request/call.h"
#include "api/request/options.h"
#include "value/document.h"

namespace strake::api {

// The namespace of the body against that of the URL, which is filled in when the body has none. An
// object outside of namespaces loses one that it names.
Answer<> check_namespace(const Call& call, value::Document& document);
// Name and namespace of the body against those of the URL.
Answer<> check_name_on_update(const Call& call, const value::Document& document);

// Owner references that repeat an earlier one go, with a warning.
void drop_repeated_owners(Call& call, value::Document& document, bool after_admission);

// What a new object starts with: uid, creation time, generation.
void fill_new(const Call& call, value::Document& document);

}  // namespace strake::api
