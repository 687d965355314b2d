#include "kustomize/config/json_decode.h"

#include <algorithm>

#include "value/go_type.h"
#include "value/json_writer.h"

namespace strake::kustomize {
using value::Value;

void JsonDecoder::fail_with(std::string message) {
  if (!first_) first_ = Error(Code::kInvalid, std::move(message));
}

void JsonDecoder::mismatch(const Value& v, std::string_view type) {
  std::string what(value::go_json_kind(v));
  // A number that is none of this type is shown.
  if (what == "number" && type.starts_with("int")) what += " " + value::to_json(v);
  fail_with(path_.empty()
                ? fmt::format("json: cannot unmarshal {} into Go value of type {}", what, type)
                : fmt::format("json: cannot unmarshal {} into Go struct field {}.{} of type {}",
                              what, struct_, fmt::join(path_, "."), type));
}

void JsonDecoder::structure(const Value& v, std::string_view name,
                            std::initializer_list<Field> fields) {
  if (!v.is_object()) return mismatch(v, fmt::format("types.{}", name));
  const std::string outer = std::exchange(struct_, std::string(name));
  for (const value::Member& member : v.members()) {
    const auto exact = std::ranges::find(fields, member.key, &Field::name);
    const auto* field =
        exact != fields.end() ? exact : std::ranges::find_if(fields, [&](const Field& one) {
          return value::go_json_key_matches(member.key, one.name);
        });
    if (field == fields.end()) {
      if (strict_) fail_with(fmt::format("json: unknown field \"{}\"", member.key));
      continue;
    }
    if (member.value.is_null()) continue;
    path_.emplace_back(field->name);
    struct_ = name;
    field->read(member.value);
    path_.pop_back();
  }
  struct_ = outer;
}

JsonDecoder::Read JsonDecoder::text(std::string& out, std::string_view type) {
  return [this, &out, type](const Value& v) {
    if (!v.is_string()) return mismatch(v, type);
    out = v.as_string();
  };
}

JsonDecoder::Read JsonDecoder::flag(bool& out) {
  return [this, &out](const Value& v) {
    if (!v.is_bool()) return mismatch(v, "bool");
    out = v.as_bool();
  };
}

JsonDecoder::Read JsonDecoder::whole(std::int64_t& out, std::string_view type) {
  return [this, &out, type](const Value& v) {
    if (v.type() != value::Type::kInt) return mismatch(v, type);
    out = v.as_int();
  };
}

JsonDecoder::Read JsonDecoder::texts(std::vector<std::string>& out) {
  return [this, &out](const Value& v) {
    if (!v.is_array()) return mismatch(v, "[]string");
    out.clear();
    for (const Value& item : v.items()) {
      out.emplace_back();
      if (item.is_null()) continue;
      if (item.is_string()) {
        out.back() = item.as_string();
      } else {
        mismatch(item, "string");
      }
    }
  };
}

JsonDecoder::Read JsonDecoder::text_map(std::map<std::string, std::string, std::less<>>& out) {
  return [this, &out](const Value& v) {
    if (!v.is_object()) return mismatch(v, "map[string]string");
    out.clear();
    for (const value::Member& member : v.members()) {
      std::string& text = out[std::string(member.key)];
      if (member.value.is_null()) continue;
      if (member.value.is_string()) {
        text = member.value.as_string();
      } else {
        mismatch(member.value, "string");
      }
    }
  };
}

JsonDecoder::Read JsonDecoder::flag_map(std::map<std::string, bool, std::less<>>& out) {
  return [this, &out](const Value& v) {
    if (!v.is_object()) return mismatch(v, "map[string]bool");
    out.clear();
    for (const value::Member& member : v.members()) {
      bool& flag = out[std::string(member.key)];
      if (member.value.is_null()) continue;
      if (member.value.is_bool()) {
        flag = member.value.as_bool();
      } else {
        mismatch(member.value, "bool");
      }
    }
  };
}

Result<> JsonDecoder::result() const {
  if (first_) return std::unexpected(*first_);
  return {};
}

}  // namespace strake::kustomize
