#pragma once
// Where in a document something is: a list of steps, each a field name, a map key or a list index.
//
//   FieldPath at = FieldPath() / "spec" / "containers" / 0 / "image";
//   at.to_k8s()      spec.containers[0].image      as the API server prints paths
//   at.to_dotted()   .spec.containers[0].image     as people type them
//   at.to_pointer()  /spec/containers/0/image      RFC 6901
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace strake {

class FieldPath {
 public:
  enum class Kind : std::uint8_t {
    kField,  // a property the schema names: printed .name
    kKey,    // an entry of a map: printed [name]
    kIndex,  // an element of a list: printed [0]
  };
  struct Step {
    Kind kind;
    std::size_t index = 0;  // for kIndex
    std::string name;       // for the others
    friend bool operator==(const Step&, const Step&) = default;
  };

  FieldPath() = default;

  bool empty() const { return steps_.empty(); }
  const std::vector<Step>& steps() const { return steps_; }

  FieldPath operator/(std::string_view field) const;
  FieldPath operator/(std::size_t index) const;
  FieldPath key(std::string_view name) const;

  void push_field(std::string_view name) { steps_.push_back({Kind::kField, 0, std::string(name)}); }
  void push_key(std::string_view name) { steps_.push_back({Kind::kKey, 0, std::string(name)}); }
  void push_index(std::size_t index) { steps_.push_back({Kind::kIndex, index, {}}); }
  void pop() { steps_.pop_back(); }

  std::string to_k8s() const;
  std::string to_dotted()
      const;  // "." for the whole document; names that need it are quoted: .data["a.b"]
  std::string to_pointer() const;

  // Reads what to_dotted() writes, and the same without the leading dot. False when the text is not
  // a path.
  static bool parse_dotted(std::string_view text, FieldPath& out);
  // Reads an RFC 6901 pointer. A step of digits is both a name and an index until it meets a
  // document; it is kept as kIndex with its text as the name.
  static bool parse_pointer(std::string_view text, FieldPath& out);

  friend bool operator==(const FieldPath&, const FieldPath&) = default;

 private:
  std::vector<Step> steps_;
};

}  // namespace strake
