#include "recording/translation.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "http/message.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::recording {
namespace {

using value::Member;
using value::text_of;
using value::Value;

bool is_name_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '.';
}

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t out = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size())
    return std::nullopt;
  return out;
}

Result<value::Document> read(const Body& body) {
  if (body.form != Body::Form::kJson) return value::Document();
  value::ReadOptions options;
  options.numbers = value::NumberPolicy::kLiteral;
  options.limits.depth = 1000;
  return value::read_json_borrowed(body.text, options);
}

}  // namespace

void Translation::learn(const Body& recorded, const Body& now) {
  if (recorded.form == Body::Form::kDigest || now.form == Body::Form::kDigest) {
    // Of a long list its version is known all the same.
    return learn_version(recorded.version, now.version);
  }
  const auto a = read(recorded);
  const auto b = read(now);
  if (a && b) learn(a->root(), b->root());
}

void Translation::learn_version(std::string_view recorded, std::string_view now) {
  const auto a = number_of(recorded);
  const auto b = number_of(now);
  if (a && b && *a != 0) versions_.insert_or_assign(*a, *b);
}

void Translation::learn(const Value& recorded, const Value& now) {
  if (recorded.is_array() && now.is_array()) {
    for (std::size_t i = 0; i < std::min(recorded.size(), now.size()); ++i)
      learn(recorded.items()[i], now.items()[i]);
    return;
  }
  const bool is_generated = !text_of(recorded, "generateName").empty();
  for (const Member& one : recorded.members()) {
    const Value* other = now.find(one.key);
    if (other == nullptr) continue;
    if (!one.value.is_string() || !other->is_string()) {
      learn(one.value, *other);
      continue;
    }
    const std::string_view before = one.value.as_string();
    if (one.key == "resourceVersion") {
      learn_version(before, other->as_string());
    } else if (one.key == "uid" || one.key == "continue" || (one.key == "name" && is_generated)) {
      if (!before.empty()) texts_.insert_or_assign(std::string(before), other->as_string());
    }
  }
}

// One that no answer told, such as of a change that the server made itself, is as far behind the
// last known one as it was.
std::string Translation::version(std::string_view recorded) const {
  const auto number = number_of(recorded);
  if (!number || *number == 0) return std::string(recorded);
  const auto behind = versions_.upper_bound(*number);
  if (behind == versions_.begin()) return std::string(recorded);
  const auto& [before, now] = *std::prev(behind);
  return fmt::format("{}", now + (*number - before));
}

std::string Translation::text(std::string_view recorded) const {
  if (const auto whole = texts_.find(std::string(recorded)); whole != texts_.end())
    return whole->second;
  std::string out;
  while (!recorded.empty()) {
    std::size_t taken = 0;
    while (taken < recorded.size() && is_name_char(recorded[taken])) ++taken;
    if (taken == 0) {
      out += recorded.front();
      taken = 1;
    } else {
      const auto known = texts_.find(std::string(recorded.substr(0, taken)));
      out += known == texts_.end() ? recorded.substr(0, taken) : std::string_view(known->second);
    }
    recorded.remove_prefix(taken);
  }
  return out;
}

std::string Translation::path(std::string_view recorded) const { return text(recorded); }

std::string Translation::query(std::string_view recorded) const {
  const Result<http::Query> parsed = http::Query::parse(recorded);
  if (!parsed) return std::string(recorded);
  std::string out;
  for (const http::Header& one : parsed->all()) {
    if (!out.empty()) out += '&';
    out +=
        http::percent_encode(one.name) + "=" +
        http::percent_encode(one.name == "resourceVersion" ? version(one.value) : text(one.value));
  }
  return out;
}

void Translation::rewrite(Value& in, Arena& arena) const {
  const auto string = [&](const std::string& of) { return Value::string(arena.copy(of)); };
  if (in.is_string()) in = string(text(in.as_string()));
  for (Value& one : in.mutable_items()) rewrite(one, arena);
  for (Member& one : in.mutable_members()) {
    if (one.key == "resourceVersion" && one.value.is_string()) {
      one.value = string(version(one.value.as_string()));
    } else {
      rewrite(one.value, arena);
    }
  }
  // In a JSON patch, the member is named by a path.
  if (text_of(in, "path").ends_with("/resourceVersion") && text_of(in, "op") != "") {
    if (Value* value = in.find("value"); value != nullptr && value->is_string())
      *value = string(version(value->as_string()));
  }
}

std::string Translation::body(const Body& recorded) const {
  if (recorded.form != Body::Form::kJson) return recorded.text;
  auto document = read(recorded);
  if (!document) return recorded.text;
  rewrite(document->root(), document->arena());
  return value::to_json(document->root(), {.escape_html = false});
}

}  // namespace strake::recording
