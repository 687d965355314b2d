#include <algorithm>
#include <unordered_map>

#include "schema/list_key.h"
#include "schema/path_trail.h"
#include "schema/validate.h"
#include "value/json_writer.h"

namespace strake::schema {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

bool same_key(const Value* a, const Value* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return value::identical(*a, *b);
}

class ListChecker {
 public:
  void walk(const Value& v, const Node& schema, const PathTrail& at) {
    if (!schema.has_lists_below) return;
    if (v.is_array()) {
      if (schema.list_type == ListType::kSet) check_set(v, at);
      if (schema.list_type == ListType::kMap) check_map(v, schema, at);
      if (!schema.items) return;
      for (std::size_t i = 0; i < v.size(); ++i)
        walk(v.items()[i], *schema.items, PathTrail::index(at, i));
    } else if (v.is_object()) {
      if (schema.additional_schema) {
        for (const Member& m : v.members())
          walk(m.value, *schema.additional_schema, PathTrail::key(at, m.key));
      }
      for (const Member& m : v.members()) {
        if (const Node* property = schema.property(m.key))
          walk(m.value, *property, PathTrail::field(at, m.key));
      }
    }
  }

  FieldErrors errors;

 private:
  // Each repeated value is reported once, at its second place.
  void check_set(const Value& list, const PathTrail& at) {
    std::unordered_map<std::string, int> seen;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Value& item = list.items()[i];
      if (++seen[element_identity(item)] == 2)
        errors.push_back(FieldError::duplicate(PathTrail::index(at, i).path(), item));
    }
  }

  void check_map(const Value& list, const Node& schema, const PathTrail& at) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Value& item = list.items()[i];
      if (item.is_object() || item.is_null()) continue;
      errors.push_back(FieldError::invalid(PathTrail::index(at, i).path(), item,
                                           "must be an object for an array of list-type map"));
      return;
    }
    std::unordered_map<std::string, int> seen;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Value& item = list.items()[i];
      if (++seen[element_identity(item, schema.map_keys)] != 2) continue;
      Arena arena;
      errors.push_back(FieldError::duplicate(PathTrail::index(at, i).path(),
                                             key_fields(item, schema.map_keys, arena)));
    }
  }
};

}  // namespace

std::string element_identity(const Value& item) {
  std::string out;
  if (!item.is_array() && !item.is_object())
    out += static_cast<char>('a' + static_cast<int>(item.type()));
  value::write_json(item, out);
  return out;
}

std::string element_identity(const Value& item, const std::vector<std::string>& keys) {
  std::string out;
  for (const std::string& key : keys) {
    const Value* field = item.find(key);
    out += field != nullptr ? element_identity(*field) : std::string("-");
    out += '\n';
  }
  return out;
}

Value key_fields(const Value& item, const std::vector<std::string>& keys, Arena& arena) {
  Value out = Value::object({});
  for (const std::string& key : keys) {
    if (const Value* field = item.find(key)) out.set(key, *field, arena);
  }
  return out;
}

const Value* find_by_keys(const Value& list, const Value& item,
                          const std::vector<std::string>& keys) {
  if (!item.is_object()) return nullptr;
  for (const Value& candidate : list.items()) {
    if (!candidate.is_object()) continue;
    const bool same = std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
      return same_key(candidate.find(key), item.find(key));
    });
    if (same) return &candidate;
  }
  return nullptr;
}

FieldErrors validate_list_types(const Value& v, const Node& schema, const FieldPath& at) {
  ListChecker checker;
  checker.walk(v, schema, PathTrail(at));
  return std::move(checker.errors);
}

}  // namespace strake::schema
