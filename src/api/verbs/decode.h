#pragma once
// Request bodies become objects of the endpoint's kind: JSON, YAML or (for built-in kinds) protobuf
// is read, unknown and repeated fields are told or refused, defaults are filled in.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/request/answer.h"
#include "api/request/call.h"
#include "api/request/options.h"
#include "value/document.h"

namespace strake::api {

// The body of a create or update. Warnings go to the call.
Answer<value::Document> decode_body(Call& call, FieldValidation validation);

// How clients are told of an object that a patch made and that cannot be read: see patched_text.h.
struct PatchedObject {
  std::function<std::string()> quote;
  std::vector<std::string> strict_errors;  // of the text of the patch
  bool converted = false;                  // by apimachinery's converter rather than its decoder
};
// An object that a patch made: the same, from a document.
Answer<> settle_patched(Call& call, value::Document& document, FieldValidation validation,
                        const PatchedObject& patched);

// Refuses a JSON or merge patch of a typed object that made another kind or version of it. As in
// kube-apiserver 1.36, the kind may be left out and the version may not.
Answer<> check_patched_type(const Call& call, const value::Document& document,
                            const PatchedObject& object);

// A typed object is what its endpoint serves, whatever a patch wrote there.
void restore_type(const Call& call, value::Document& document);

// A body in protobuf, whatever its kind.
Answer<value::Document> read_protobuf(const Call& call);

// The object of the cache in the call's version, parsed; `bytes` must outlive the document.
Answer<value::Document> parse_current(std::string_view bytes);

// "{"a": ...", "<empty>" or hexadecimal: how messages show a body that could not be read.
std::string summarize_body(std::string_view body);

}  // namespace strake::api
