#pragma once
// The schemas of a document, gathered from many sources and written once each, sorted by name.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "publish/json_text.h"
#include "value/document.h"

namespace strake::publish {

class Definitions {
 public:
  // All members, or those of that name; the first of a name stays. Points into `schemas`, which
  // must live as long.
  void add(const value::Value& schemas);
  void add(const value::Value& schemas, std::string_view name);
  // Takes the document over.
  void adopt(value::Document schemas);
  // Adds what those so far refer to, and so on, as far as it is among `schemas`.
  void add_referenced(const value::Value& schemas);

  void write(JsonText& json) const;

 private:
  std::map<std::string_view, const value::Value*> all_;
  std::vector<value::Document> owned_;
};

// Schemas of built-in types, published in v3, as v2 has them: no defaults, references bare and with
// the description beside them, alternatives reduced to text.
value::Document to_v2(const value::Value& v3_schemas);

}  // namespace strake::publish
