#pragma once
// Judges declared documents by their definitions, in words that name the field. What a schema
// cannot say (Resource IDs, parents, what stands in other documents) is not judged here.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/field_path.h"
#include "value/value.h"

namespace strake::ops {

struct KomFault {
  FieldPath path;       // in the document
  bool at_key = false;  // the key is meant, not the value
  std::string field;    // "spec.volumes[0].name"; empty when the words stand for themselves
  std::string words;    // cut when they are very long, as is the field

  std::string to_string() const;  // "spec.volumes[0].name: volume name must not be empty"
};

// Immutable: any number of threads may ask.
class KomSchemas {
 public:
  // Compiles the definitions on the first call.
  static const KomSchemas& get();
  ~KomSchemas();

  // Whether documents of that kind are read from files.
  static bool is_declared(std::string_view kind);
  // All of them, in the order of fields. The kind is one of the definitions.
  std::vector<KomFault> check(std::string_view kind, const value::Value& document) const;

 private:
  KomSchemas();
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Text of a scalar in a map of texts: numbers as JSON writes them, "true", "false"; null is empty.
// Lists and mappings have none.
bool is_scalar(const value::Value& v);
std::string scalar_text(const value::Value& v);

}  // namespace strake::ops
