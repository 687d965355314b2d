// Random schemas and values: the evaluator against a plain recursive reading of the standard, and
// the stream against the tree.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "schema/loose/evaluate.h"
#include "schema/loose/import.h"
#include "schema/loose/stream.h"
#include "schema/pattern/pattern.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::schema::loose {
namespace {

using value::Value;

// What a schema looked at, when the value is valid.
struct Looked {
  std::set<std::string, std::less<>> members;
  std::set<std::size_t> items;
  void add(const Looked& other) {
    members.insert(other.members.begin(), other.members.end());
    items.insert(other.items.begin(), other.items.end());
  }
};
using Outcome = std::optional<Looked>;

// Follows the text of the standard, one keyword after the other, as slowly as it likes.
class PlainReader {
 public:
  explicit PlainReader(const Value& root) : root_(root) {}

  Outcome judge(const Value& schema, const Value& v) const {
    if (schema.is_bool()) return schema.as_bool() ? Outcome(Looked()) : std::nullopt;
    Looked looked;
    if (!scalar_keywords(schema, v) || !apply_in_place(schema, v, looked)) return std::nullopt;
    if (v.is_array() && !array_keywords(schema, v, looked)) return std::nullopt;
    if (v.is_object() && !object_keywords(schema, v, looked)) return std::nullopt;
    return looked;
  }

 private:
  static bool type_matches(std::string_view type, const Value& v) {
    if (type == "number") return v.is_number();
    if (type == "integer")
      return v.type() == value::Type::kInt ||
             (v.is_number() &&
              v.as_double() == static_cast<double>(static_cast<long long>(v.as_double())));
    if (type == "integer" || v.is_number()) return false;
    return type == to_string(v.type());
  }

  static bool scalar_keywords(const Value& schema, const Value& v) {
    if (const Value* type = schema.find("type")) {
      bool any = false;
      if (type->is_string()) any = type_matches(type->as_string(), v);
      if (type->is_array()) {
        for (const Value& name : type->items()) any = any || type_matches(name.as_string(), v);
      }
      if (!any) return false;
    }
    if (const Value* allowed = schema.find("enum")) {
      if (std::ranges::none_of(allowed->items(),
                               [&](const Value& each) { return value::equal(each, v); }))
        return false;
    }
    if (const Value* constant = schema.find("const");
        constant != nullptr && !value::equal(*constant, v))
      return false;
    if (v.is_number()) {
      const double number = v.as_double();
      if (const Value* bound = schema.find("minimum");
          bound != nullptr && number < bound->as_double())
        return false;
      if (const Value* bound = schema.find("exclusiveMaximum");
          bound != nullptr && number >= bound->as_double())
        return false;
      if (const Value* divisor = schema.find("multipleOf")) {
        const double ratio = number / divisor->as_double();
        if (ratio != static_cast<double>(static_cast<long long>(ratio))) return false;
      }
    }
    if (v.is_string()) {
      const auto length = static_cast<std::int64_t>(utf8::count(v.as_string()));
      if (const Value* bound = schema.find("minLength");
          bound != nullptr && length < bound->as_int())
        return false;
      if (const Value* bound = schema.find("maxLength");
          bound != nullptr && length > bound->as_int())
        return false;
      if (const Value* text = schema.find("pattern");
          text != nullptr && !Pattern(std::string(text->as_string())).search(v.as_string()))
        return false;
    }
    return true;
  }

  bool apply_in_place(const Value& schema, const Value& v, Looked& looked) const {
    if (const Value* ref = schema.find("$ref")) {
      const Value* target = root_.find("$defs")->find(ref->as_string().substr(8));
      const Outcome outcome = judge(*target, v);
      if (!outcome) return false;
      looked.add(*outcome);
    }
    if (const Value* all = schema.find("allOf")) {
      for (const Value& branch : all->items()) {
        const Outcome outcome = judge(branch, v);
        if (!outcome) return false;
        looked.add(*outcome);
      }
    }
    for (const char* keyword : {"anyOf", "oneOf"}) {
      const Value* branches = schema.find(keyword);
      if (branches == nullptr) continue;
      int matched = 0;
      for (const Value& branch : branches->items()) {
        if (const Outcome outcome = judge(branch, v)) {
          ++matched;
          looked.add(*outcome);
        }
      }
      if (matched == 0 || (matched > 1 && std::string_view(keyword) == "oneOf")) return false;
    }
    if (const Value* negated = schema.find("not"); negated != nullptr && judge(*negated, v))
      return false;
    if (const Value* condition = schema.find("if")) {
      const Outcome met = judge(*condition, v);
      if (met) looked.add(*met);
      if (const Value* branch = schema.find(met ? "then" : "else")) {
        const Outcome outcome = judge(*branch, v);
        if (!outcome) return false;
        looked.add(*outcome);
      }
    }
    const Value* dependent = schema.find("dependentSchemas");
    if (dependent != nullptr && v.is_object()) {
      for (const value::Member& member : dependent->members()) {
        if (v.find(member.key) == nullptr) continue;
        const Outcome outcome = judge(member.value, v);
        if (!outcome) return false;
        looked.add(*outcome);
      }
    }
    return true;
  }

  bool array_keywords(const Value& schema, const Value& v, Looked& looked) const {
    const auto count = static_cast<std::int64_t>(v.size());
    if (const Value* bound = schema.find("minItems"); bound != nullptr && count < bound->as_int())
      return false;
    if (const Value* bound = schema.find("maxItems"); bound != nullptr && count > bound->as_int())
      return false;
    if (schema.find("uniqueItems") != nullptr) {
      for (std::size_t i = 0; i < v.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          if (value::equal(v.items()[i], v.items()[j])) return false;
        }
      }
    }
    const Value* prefix = schema.find("prefixItems");
    const Value* items = schema.find("items");
    for (std::size_t i = 0; i < v.size(); ++i) {
      const Value* applied = prefix != nullptr && i < prefix->size() ? &prefix->items()[i] : items;
      if (applied == nullptr) continue;
      if (!judge(*applied, v.items()[i])) return false;
      looked.items.insert(i);
    }
    if (const Value* contains = schema.find("contains")) {
      std::int64_t matched = 0;
      for (std::size_t i = 0; i < v.size(); ++i) {
        if (!judge(*contains, v.items()[i])) continue;
        ++matched;
        looked.items.insert(i);
      }
      const Value* least = schema.find("minContains");
      const Value* most = schema.find("maxContains");
      if (matched < (least == nullptr ? 1 : least->as_int())) return false;
      if (most != nullptr && matched > most->as_int()) return false;
    }
    if (const Value* rest = schema.find("unevaluatedItems")) {
      for (std::size_t i = 0; i < v.size(); ++i) {
        if (!looked.items.contains(i) && !judge(*rest, v.items()[i])) return false;
        looked.items.insert(i);
      }
    }
    return true;
  }

  bool object_keywords(const Value& schema, const Value& v, Looked& looked) const {
    const auto count = static_cast<std::int64_t>(v.size());
    if (const Value* bound = schema.find("minProperties");
        bound != nullptr && count < bound->as_int())
      return false;
    if (const Value* bound = schema.find("maxProperties");
        bound != nullptr && count > bound->as_int())
      return false;
    if (const Value* required = schema.find("required")) {
      for (const Value& name : required->items()) {
        if (v.find(name.as_string()) == nullptr) return false;
      }
    }
    if (const Value* dependent = schema.find("dependentRequired")) {
      for (const value::Member& member : dependent->members()) {
        for (const Value& name : member.value.items()) {
          if (v.find(member.key) != nullptr && v.find(name.as_string()) == nullptr) return false;
        }
      }
    }
    const Value* properties = schema.find("properties");
    const Value* patterns = schema.find("patternProperties");
    const Value* additional = schema.find("additionalProperties");
    const Value* names = schema.find("propertyNames");
    const Value* rest = schema.find("unevaluatedProperties");
    for (const value::Member& member : v.members()) {
      if (names != nullptr && !judge(*names, Value::string(member.key))) return false;
      bool covered = false;
      if (const Value* property = properties == nullptr ? nullptr : properties->find(member.key)) {
        covered = true;
        if (!judge(*property, member.value)) return false;
      }
      if (patterns != nullptr) {
        for (const value::Member& pattern : patterns->members()) {
          if (!Pattern(std::string(pattern.key)).search(member.key)) continue;
          covered = true;
          if (!judge(pattern.value, member.value)) return false;
        }
      }
      if (!covered && additional != nullptr) {
        covered = true;
        if (!judge(*additional, member.value)) return false;
      }
      if (covered) looked.members.emplace(member.key);
      if (rest != nullptr && !looked.members.contains(member.key)) {
        if (!judge(*rest, member.value)) return false;
        looked.members.emplace(member.key);
      }
    }
    return true;
  }

  const Value& root_;
};

// Small words, so that schemas and values meet often.
class Maker {
 public:
  explicit Maker(std::uint32_t seed) : random_(seed) {}

  std::string value(int depth) {
    switch (pick(depth > 0 ? 9 : 6)) {
      case 0: return "null";
      case 1: return pick(2) == 0 ? "true" : "false";
      case 2:
      case 3: return std::to_string(pick(5));
      case 4: return pick(2) == 0 ? "1.5" : "2.0";
      case 5: return fmt::format("\"{}\"", word());
      case 6: {
        std::string out;
        for (int i = pick(4); i > 0; --i) out += (out.empty() ? "" : ",") + value(depth - 1);
        return "[" + out + "]";
      }
      default: {
        std::string out;
        for (const char* key : {"a", "b", "c", "ab"}) {
          if (pick(2) == 0)
            out += fmt::format("{}\"{}\":{}", out.empty() ? "" : ",", key, value(depth - 1));
        }
        return "{" + out + "}";
      }
    }
  }

  std::string schema(int depth) {
    if (pick(8) == 0) return pick(3) == 0 ? "false" : "true";
    std::set<std::string> seen;
    std::string out;
    for (int i = pick(3) + 1; i > 0; --i) {
      const std::string member = keyword(depth);
      if (seen.insert(member.substr(0, member.find(':'))).second)
        out += (out.empty() ? "" : ",") + member;
    }
    return "{" + out + "}";
  }

  // References only lead into items and members, so nothing goes round in circles.
  std::string root() {
    return fmt::format(
        R"({{"$defs":{{"x":{},"y":{{"items":{},"additionalProperties":{{"$ref":"#/$defs/y"}}}}}},"allOf":[{}]{}}})",
        schema(0), schema(1), schema(3), pick(2) == 0 ? "," + keyword(2) : "");
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string word() {
    static constexpr const char* kWords[] = {"", "a", "b", "ab", "\\u00e9", "abc"};
    return kWords[pick(6)];
  }
  std::string list(int depth) {
    std::string out = schema(depth - 1);
    for (int i = pick(3); i > 0; --i) out += "," + schema(depth - 1);
    return "[" + out + "]";
  }

  std::string keyword(int depth) {
    static constexpr const char* kTypes[] = {"null",   "boolean", "integer", "number",
                                             "string", "array",   "object"};
    switch (pick(depth > 0 ? 33 : 15)) {
      case 0: return fmt::format(R"("type":"{}")", kTypes[pick(7)]);
      case 1: return fmt::format(R"("type":["{}","{}"])", kTypes[pick(7)], kTypes[pick(7)]);
      case 2: return fmt::format(R"("enum":[{},{},{}])", value(1), value(1), value(2));
      case 3: return fmt::format(R"("const":{})", value(1));
      case 4: return fmt::format(R"("minimum":{})", pick(4));
      case 5: return fmt::format(R"("exclusiveMaximum":{}.5)", pick(4));
      case 6: return fmt::format(R"("multipleOf":{})", pick(2) == 0 ? "2" : "0.5");
      case 7: return fmt::format(R"("minLength":{})", pick(3));
      case 8: return fmt::format(R"("maxLength":{})", pick(3));
      case 9: return R"("pattern":"^a")";
      case 10: return fmt::format(R"("{}":{})", pick(2) == 0 ? "minItems" : "maxItems", pick(4));
      case 11: return R"("uniqueItems":true)";
      case 12:
        return fmt::format(R"("{}":{})", pick(2) == 0 ? "minProperties" : "maxProperties", pick(4));
      case 13: return fmt::format(R"("required":["{}"])", pick(2) == 0 ? "a" : "c");
      case 14: return R"("dependentRequired":{"a":["b"]})";
      case 15: return fmt::format(R"("items":{})", schema(depth - 1));
      case 16: return fmt::format(R"("prefixItems":{})", list(depth));
      case 17: return fmt::format(R"("contains":{})", schema(depth - 1));
      case 18:
        return fmt::format(R"("contains":{},"minContains":{},"maxContains":{})", schema(depth - 1),
                           pick(2), pick(3) + 1);
      case 19: return fmt::format(R"("unevaluatedItems":{})", schema(depth - 1));
      case 20:
      case 21:
        return fmt::format(R"("properties":{{"a":{},"b":{}}})", schema(depth - 1),
                           schema(depth - 1));
      case 22: return fmt::format(R"("patternProperties":{{"b":{}}})", schema(depth - 1));
      case 23: return fmt::format(R"("additionalProperties":{})", schema(depth - 1));
      case 24: return fmt::format(R"("propertyNames":{})", schema(depth - 1));
      case 25: return fmt::format(R"("unevaluatedProperties":{})", schema(depth - 1));
      case 26: return fmt::format(R"("dependentSchemas":{{"a":{}}})", schema(depth - 1));
      case 27: return fmt::format(R"("allOf":{})", list(depth));
      case 28: return fmt::format(R"("anyOf":{})", list(depth));
      case 29: return fmt::format(R"("oneOf":{})", list(depth));
      case 30: return fmt::format(R"("not":{})", schema(depth - 1));
      case 31:
        return fmt::format(R"("if":{},"then":{},"else":{})", schema(depth - 1), schema(depth - 1),
                           schema(depth - 1));
      default: return fmt::format(R"("$ref":"#/$defs/{}")", pick(2) == 0 ? "x" : "y");
    }
  }

  std::mt19937 random_;
};

// The maker may write a keyword twice.
Result<value::Document> read_last_wins(const std::string& text) {
  value::ReadOptions options;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  return value::read_json(std::string_view(text), options);
}

std::string all_of(const Report& report) {
  std::string out = fmt::format("{} of {}\n", static_cast<int>(report.verdict), report.total);
  for (const Issue& issue : report.issues) out += issue.to_json() + "\n";
  return out;
}

// Writes members in falling order, so that a stream meets them otherwise than a tree does.
void write_backwards(const Value& v, std::string& out) {
  if (v.is_array()) {
    out += '[';
    for (std::size_t i = 0; i < v.size(); ++i) {
      if (i > 0) out += ',';
      write_backwards(v.items()[i], out);
    }
    out += ']';
  } else if (v.is_object()) {
    out += '{';
    for (std::size_t i = v.size(); i-- > 0;) {
      value::write_json_string(v.members()[i].key, out);
      out += ':';
      write_backwards(v.members()[i].value, out);
      if (i > 0) out += ',';
    }
    out += '}';
  } else {
    value::write_json(v, out);
  }
}

Report stream_of(std::string_view text, const Schema& schema, const Options& options,
                 std::size_t chunk) {
  StreamEvaluator evaluator(schema, *schema.root(), options);
  value::JsonPushParser parser(evaluator, {});
  Result<> fed;
  for (std::size_t i = 0; i < text.size() && fed; i += chunk)
    fed = parser.feed(text.substr(i, chunk));
  if (fed) fed = parser.finish();
  return evaluator.take();
}

TEST(LooseProperty, AgreesWithAPlainReadingOfTheStandardAndWithItselfOverAStream) {
  int valid = 0;
  int judged = 0;
  for (std::uint32_t seed = 1; seed <= 1500; ++seed) {
    Maker maker(seed);
    const auto schema = read_last_wins(maker.root());
    ASSERT_TRUE(schema.has_value()) << "seed " << seed;
    const auto imported = import_schema(schema->root());
    ASSERT_TRUE(imported.has_value()) << "seed " << seed << ": " << imported.error().to_string();
    const PlainReader plain(schema->root());
    for (int i = 0; i < 12; ++i) {
      const auto instance = value::read_json(maker.value(3));
      const Report tree = evaluate(instance->root(), *imported->schema);
      const bool wanted = plain.judge(schema->root(), instance->root()).has_value();
      ASSERT_EQ(tree.verdict == Verdict::kValid, wanted) << "seed " << seed << "\n"
                                                         << value::to_json(schema->root()) << "\n"
                                                         << value::to_json(instance->root()) << "\n"
                                                         << all_of(tree);
      valid += wanted ? 1 : 0;
      ++judged;
      std::string backwards;
      write_backwards(instance->root(), backwards);
      ASSERT_EQ(all_of(stream_of(backwards, *imported->schema, {}, 3)), all_of(tree))
          << "seed " << seed << "\n"
          << value::to_json(schema->root()) << "\n"
          << backwards;
    }
  }
  // Both verdicts must be common for this to mean anything.
  EXPECT_GT(valid, judged / 10);
  EXPECT_LT(valid, judged * 9 / 10);
}

TEST(LooseProperty, HoldsForEveryAmbiguityAndUnknownMode) {
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    Maker maker(seed);
    const auto schema = read_last_wins(maker.root());
    const auto imported = import_schema(schema->root());
    ASSERT_TRUE(imported.has_value())
        << imported.error().to_string() << value::to_json(schema->root());
    Options options;
    options.ambiguity = seed % 2 == 0 ? Ambiguity::kFirstMatch : Ambiguity::kScoreBest;
    options.unknown = UnknownMode::kStrict;
    options.max_issues = 4;
    for (int i = 0; i < 6; ++i) {
      const auto instance = value::read_json(maker.value(3));
      std::string backwards;
      write_backwards(instance->root(), backwards);
      ASSERT_EQ(all_of(stream_of(backwards, *imported->schema, options, 5)),
                all_of(evaluate(instance->root(), *imported->schema, options)))
          << "seed " << seed << "\n"
          << value::to_json(schema->root()) << "\n"
          << backwards;
    }
  }
}

}  // namespace
}  // namespace strake::schema::loose
