#pragma once
// The first half of every write: an object as it was sent becomes the object that is judged.
// Metadata is read and put back in canonical form, unknown fields and nulls are dropped, defaults
// are filled in.
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "resource/kind.h"
#include "value/document.h"
#include "value/value.h"

namespace strake::resource {

struct SettleOptions {
  bool apply_defaults = true;
  bool drop_malformed_metadata = false;  // when reading from the store
  bool keep_unknown = false;             // fields that no schema covers stay; nulls go all the same
};

// Works in place. `unknown`, when given, gets the fields that were dropped, in the server's order:
// of the metadata, of the object sorted by path, of embedded metadata sorted by path. Fails with
// kBadRequest and the server's words (without the "cannot be handled as" in front, see
// decode_failure).
Result<> settle(value::Value& object, const Kind& kind, Arena& arena,
                std::vector<std::string>* unknown, const SettleOptions& options = {});

// The strict decoding errors of an object: its duplicate keys, then its unknown fields, as one text
// without repetitions
// ("duplicate field "spec.a", unknown field "spec.b""); empty when there are none.
std::vector<std::string> strict_errors(const std::vector<value::DuplicateKey>& duplicates,
                                       const std::vector<std::string>& unknown);

// "Widget in version "v1" cannot be handled as a Widget: <why>"
std::string decode_failure(const meta::GroupVersionKind& kind, std::string_view why);
// "strict decoding error: duplicate field "spec.a", unknown field "spec.b""
std::string strict_failure(const std::vector<std::string>& errors);

}  // namespace strake::resource
