#pragma once
// Values into plain structs with the rules and words of Go's encoding/json: names match whatever
// their case, null is as if not there, nothing is converted, and the first thing that does not fit
// is the error. Reading goes on behind it.
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/value.h"

namespace strake::kustomize {

class JsonDecoder {
 public:
  using Read = std::function<void(const value::Value&)>;
  struct Field {
    std::string_view name;
    Read read;
  };

  // Strict: fields that are not known are errors.
  explicit JsonDecoder(bool strict) : strict_(strict) {}

  // A struct of kustomize v5.5.0: "Selector". At the top of a document its type stands in messages.
  void structure(const value::Value& v, std::string_view name, std::initializer_list<Field> fields);

  Read text(std::string& out, std::string_view type = "string");
  Read flag(bool& out);
  Read whole(std::int64_t& out, std::string_view type = "int64");
  Read texts(std::vector<std::string>& out);
  Read text_map(std::map<std::string, std::string, std::less<>>& out);
  Read flag_map(std::map<std::string, bool, std::less<>>& out);
  Read ignore() {
    return [](const value::Value&) {};
  }
  template <typename T>
  Read optional(std::optional<T>& out, void (*read)(JsonDecoder&, const value::Value&, T&)) {
    return [this, &out, read](const value::Value& v) { read(*this, v, out.emplace()); };
  }
  template <typename T>
  Read plain(T& out, void (*read)(JsonDecoder&, const value::Value&, T&)) {
    return [this, &out, read](const value::Value& v) { read(*this, v, out); };
  }
  template <typename T>
  Read list(std::vector<T>& out, std::string_view type,
            void (*read)(JsonDecoder&, const value::Value&, T&)) {
    return [this, &out, type, read](const value::Value& v) {
      if (!v.is_array()) return mismatch(v, type);
      out.clear();
      for (const value::Value& item : v.items()) {
        out.emplace_back();
        if (!item.is_null()) read(*this, item, out.back());
      }
    };
  }

  void mismatch(const value::Value& v, std::string_view type);
  // What was wrong first, if anything was.
  Result<> result() const;

 private:
  void fail_with(std::string message);

  bool strict_;
  std::string struct_;
  std::vector<std::string> path_;
  std::optional<Error> first_;
};

}  // namespace strake::kustomize
