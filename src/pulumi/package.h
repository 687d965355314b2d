#pragma once
// A Pulumi package schema as a document: its components, and what its local references name. Owns
// the document; everything returned points into it. Move-only.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/document.h"

namespace strake::pulumi {

inline constexpr std::size_t kMaxSchemaBytes = std::size_t{64} << 20;

// What `#/types/T` or `#/resources/T` names.
struct LocalRef {
  bool resource = false;  // else a type
  std::string_view token;
  const value::Value* target = nullptr;  // null when there is no such thing
};

class Package {
 public:
  // JSON, or YAML when the text does not start as a JSON collection. Code::kParse when it is
  // neither, repeats a key, or a part that every package has is of another shape.
  static Result<Package> read(std::string text);

  std::string_view name() const { return name_; }        // empty when absent
  std::string_view version() const { return version_; }  // empty when absent
  // Tokens of the resources with isComponent, sorted by bytes.
  const std::vector<std::string_view>& components() const { return components_; }
  // The wanted component, or the only one when the text is empty. Code::kInvalid, with the tokens
  // there are.
  Result<std::string_view> select(std::string_view wanted) const;

  const value::Value* resource(std::string_view token) const;
  const value::Value* type(std::string_view token) const;
  // Nothing when the text points out of the package, to the provider, or to anything else that is
  // neither a type nor a resource. The token may be percent-encoded.
  std::optional<LocalRef> local(std::string_view ref) const;

 private:
  explicit Package(value::Document document) : document_(std::move(document)) {}
  Result<> index();

  value::Document document_;
  const value::Value* types_ = nullptr;
  const value::Value* resources_ = nullptr;
  std::string_view name_;
  std::string_view version_;
  std::vector<std::string_view> components_;
};

// What the path of a problem is called when it is told: `"a:b:C"` with Go's escapes.
std::string component_words(std::string_view token);

}  // namespace strake::pulumi
