#pragma once
// The JSONPaths of printer columns: kubectl's template language (client-go's util/jsonpath), of
// which a path is one action without its braces. Compiled once; evaluating is safe from many
// threads and allocates nothing while at most one value is matched at each step.
//
//   STRAKE_TRY(JsonPath path, JsonPath::compile(".spec.hosts[0].name"));
//   std::optional<Value> name = path.first(object);
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/value.h"

namespace strake::publish {

class JsonPath {
 public:
  static constexpr std::size_t kMaxBytes = 4096;      // of a path
  static constexpr std::size_t kMaxVisits = 100'000;  // of values, in one evaluation

  // `.a.b`, `['a']`, `[0]`, `[-1]`, `[0:4:2]`, `[*]`, `.*`, `..a`, `['a','b']`, `[?(@.a=="b")]`,
  // `a\.b` for a name with a dot. Fails with kParse, worded as client-go 1.36 words it, or kLimit.
  static Result<JsonPath> compile(std::string_view path);

  JsonPath(JsonPath&&) noexcept;
  JsonPath& operator=(JsonPath&&) noexcept;
  ~JsonPath();

  // The first match, which may be null; nothing when there is none or the path cannot be followed
  // (an index out of range, a comparison of unlike types, a limit passed). Members are visited in
  // order of their keys. Valid as long as both the root and this.
  std::optional<value::Value> first(const value::Value& root) const;

 private:
  struct Program;
  explicit JsonPath(std::unique_ptr<const Program> program);
  std::unique_ptr<const Program> program_;
};

// A match as client-go 1.36 prints it: text as it is, objects and arrays as JSON, numbers as Go's
// %v, null as "<no value>".
void append_printed(std::string& out, const value::Value& match);

}  // namespace strake::publish
