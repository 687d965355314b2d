#include "kustomize/tree/content_hash.h"

#include "base/sha256.h"
#include "kustomize/tree/node_value.h"
#include "value/json_writer.h"

namespace strake::kustomize {
namespace {

using value::Value;

// A member of the object as the hash sees it: the empty string when there is none.
Result<Value> member_value(const Node& root, std::string_view key, Arena& arena) {
  const Node* found = root.find(key);
  if (found == nullptr) return Value::string("");
  if (found->is_scalar()) return Value::string(found->text);
  return to_value(*found, arena);
}

}  // namespace

// SHA-256 over JSON with sorted keys and no spaces. Names end up in clusters, so the bytes must be
// those of kustomize v5.5.0, the constant empty name included.
Result<std::string> content_hash(const Node& root) {
  Arena arena;
  Value hashed = Value::object({});
  const std::string_view kind = root.text_of("kind");
  if (kind == "ConfigMap" || kind == "Secret") {
    hashed.set("kind", Value::string(kind), arena);
    hashed.set("name", Value::string(""), arena);  // always empty in kustomize v5.5.0
    STRAKE_TRY(const Value data, member_value(root, "data", arena));
    hashed.set("data", data, arena);
    const std::string_view more = kind == "ConfigMap" ? "binaryData" : "stringData";
    STRAKE_TRY(const Value extra, member_value(root, more, arena));
    if (extra.is_object()) hashed.set(more, extra, arena);
    if (kind == "Secret") {
      STRAKE_TRY(const Value type, member_value(root, "type", arena));
      hashed.set("type", type, arena);
    }
  } else {
    // kustomize v5.5.0 hashes its own memory layout here; any stable form serves as well.
    STRAKE_TRY(hashed, to_value(root, arena));
  }
  std::string hash = sha256_hex(value::to_json(hashed)).substr(0, 10);
  // Vowels and the digits that look like them are replaced, so that no words arise in names.
  for (char& c : hash) {
    switch (c) {
      case '0': c = 'g'; break;
      case '1': c = 'h'; break;
      case '3': c = 'k'; break;
      case 'a': c = 'm'; break;
      case 'e': c = 't'; break;
      default: break;
    }
  }
  return hash;
}

}  // namespace strake::kustomize
