// The language's own test suite: every test is run. Those that are expected to fail stand in
// testdata/conformance_exceptions.txt with a reason; one that passes nevertheless is a failure here
// too.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <set>

#include "base/base64.h"
#include "cel/compile.h"
#include "cel/lib/k8s_libraries.h"
#include "cel/lib/library.h"
#include "cel/syntax/macro.h"
#include "cel/test_messages.h"
#include "cel/value/containers.h"
#include "cel/value/format_value.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::cel {
namespace {

namespace fs = std::filesystem;
using Json = value::Value;

bool flag(const Json& json, std::string_view key) {
  const Json* found = json.find(key);
  return found != nullptr && found->as_bool();
}

// proto.getExt(msg, full.name) and proto.hasExt: extensions are fields under their full names.
std::string dotted_name(const Expr* e) {
  if (e->kind == ExprKind::kIdent) return std::string(e->name);
  if (e->kind != ExprKind::kSelect) return {};
  return dotted_name(e->target) + "." + std::string(e->name);
}

template <bool Test>
Expr* expand_extension(MacroContext& m, Expr* target, std::span<Expr* const> args) {
  if (target->kind != ExprKind::kIdent || target->name != "proto") return nullptr;
  return m.select(args[0], m.arena().copy(dotted_name(args[1])), Test);
}

const Library& extensions_library() {
  static const Library* const library = [] {
    auto* out = new Library("proto extensions");
    out->macro({"getExt", true, 2, expand_extension<false>});
    out->macro({"hasExt", true, 2, expand_extension<true>});
    return out;
  }();
  return *library;
}

class Suite {
 public:
  explicit Suite(const Messages& messages) : messages_(messages) {}

  // Nothing when the test passes, else what went wrong.
  std::optional<std::string> run(const Json& test) const {
    Arena arena;
    TypeFactory types(arena);
    Library declared("declared by the test");
    std::vector<Variable> variables;
    for (const Json& decl : test.find("type_env")->items()) {
      const std::string_view name = text_of(decl, "name");
      if (const Json* ident = decl.find("ident")) {
        variables.push_back({name, to_type(*ident->find("type"), types)});
      } else {
        declare(declared, name, *decl.find("function"));
      }
    }
    std::vector<Value> bound(variables.size(), Value::error("no such attribute", arena));
    for (const value::Member& m : test.find("bindings")->members()) {
      const auto it = std::ranges::find(variables, m.key, &Variable::name);
      const std::size_t index = static_cast<std::size_t>(it - variables.begin());
      if (it == variables.end()) {
        variables.push_back({m.key});
        bound.emplace_back();
      }
      bound[index] = to_value(*m.value.find("value"), arena);
    }
    const Library* libraries[] = {&standard_library(),
                                  &optionals_library(),
                                  &latest_strings_library(),

                                  &lists_library(),
                                  &sets_library(),
                                  &math_library(),
                                  &encoders_library(),
                                  &bindings_library(),
                                  &block_library(),
                                  &two_variable_library(),
                                  &extensions_library(),
                                  &k8s_ip_library(),
                                  &k8s_cidr_library(),
                                  &declared};
    EnvironmentOptions options;
    options.macros = !flag(test, "disable_macros");
    const Environment environment(libraries, options);
    const Scope scope{.environment = &environment,
                      .container = text_of(test, "container"),
                      .variables = variables,
                      .types = &messages_};
    return judge(test, scope, bound, arena);
  }

 private:
  std::optional<std::string> judge(const Json& test, const Scope& scope,
                                   std::span<const Value> bound, Arena& arena) const {
    const Json& expect = *test.find("expect");
    const bool wants_error = text_of(expect, "kind") == "eval_error";
    auto ast = parse(text_of(test, "expr"), *scope.environment);
    if (!ast) {
      if (wants_error) return std::nullopt;
      return "does not parse: " + ast.error().to_string();
    }
    if (!flag(test, "disable_check")) {
      if (auto checked = check(*ast, scope); !checked) {
        if (wants_error) return std::nullopt;
        return "does not check: " + checked.error().to_string(ast->source);
      }
    }
    const Json* typed = expect.find("typed_result");
    if (typed != nullptr) {
      TypeFactory types(arena);
      const Type* deduced = to_type(*typed->find("deduced_type"), types);
      if (!same_type(*deduced, *ast->root->type)) {
        return fmt::format("type {}, wanted {}", to_string(*ast->root->type), to_string(*deduced));
      }
    }
    if (flag(test, "check_only")) return std::nullopt;
    const Program program = plan(*ast, scope);
    const Value result = program.evaluate({.variables = bound}, arena);
    if (wants_error) {
      if (result.is_error()) return std::nullopt;
      return "gives " + to_literal(result, arena) + ", wanted an error";
    }
    const Json* wanted = typed != nullptr ? typed->find("result") : expect.find("value");
    if (wanted == nullptr) return std::nullopt;
    const Value expected = to_value(*wanted, arena);
    if (matches(result, expected, arena)) return std::nullopt;
    return fmt::format("gives {}, wanted {}", to_literal(result, arena),
                       to_literal(expected, arena));
  }

  // The same kinds all the way; NaN matches NaN; maps in any order.
  bool matches(const Value& a, const Value& b, Arena& arena) const {
    if (a.kind() != b.kind()) return false;
    switch (a.kind()) {
      case Kind::kDouble:
        if (std::isnan(a.as_double()) || std::isnan(b.as_double())) {
          return std::isnan(a.as_double()) && std::isnan(b.as_double());
        }
        return a.as_double() == b.as_double();
      case Kind::kList: {
        if (list_size(a) != list_size(b)) return false;
        Cursor left(a, arena);
        Cursor right(b, arena);
        for (; !left.done(); left.next(), right.next()) {
          if (!matches(left.item(), right.item(), arena)) return false;
        }
        return true;
      }
      case Kind::kMap:
        if (map_size(a) != map_size(b)) return false;
        for (Cursor c(a, arena); !c.done(); c.next()) {
          const auto other = map_find(b, c.item(), arena);
          if (!other || !matches(c.value(), *other, arena)) return false;
        }
        return true;
      case Kind::kObject: {
        if (type_name(a) != type_name(b)) return false;
        const auto left = static_cast<const Message*>(a.as_object())->set();
        const auto* right = static_cast<const Message*>(b.as_object());
        if (left.size() != right->set().size()) return false;
        return std::ranges::all_of(left, [&](const Message::Set& s) {
          const Value* other = right->find_set(s.field);
          return other != nullptr && matches(s.value, *other, arena);
        });
      }
      default: return equal(a, b, arena);
    }
  }

  Value to_value(const Json& json, Arena& arena) const {
    const std::string_view kind = json.members()[0].key;
    const Json& v = json.members()[0].value;
    if (kind == "null_value") return Value::null();
    if (kind == "bool_value") return Value::boolean(v.as_bool());
    if (kind == "int64_value") return Value::integer(std::stoll(std::string(v.as_string())));
    if (kind == "uint64_value") return Value::uinteger(std::stoull(std::string(v.as_string())));
    if (kind == "double_value") {
      return Value::number(v.is_string() ? std::stod(std::string(v.as_string())) : v.as_double());
    }
    if (kind == "string_value") return Value::string(v.as_string());
    if (kind == "bytes_value")
      return Value::bytes(arena.copy(base64_decode(v.as_string()).value()));
    if (kind == "type_value") return Value::type(TypeFactory(arena).object(v.as_string()));
    if (kind == "list_value") {
      Value out = Value::list(new_list(0, arena), 0);
      if (const Json* values = v.find("values")) {
        for (const Json& item : values->items())
          out = list_append(out, to_value(item, arena), arena);
      }
      return out;
    }
    if (kind == "map_value") {
      Value out = new_map(4, arena);
      if (const Json* entries = v.find("entries")) {
        for (const Json& e : entries->items()) {
          out = map_insert(out, to_value(*e.find("key"), arena), to_value(*e.find("value"), arena),
                           arena)
                    .value_or(out);
        }
      }
      return out;
    }
    if (kind == "object_value") return messages_.from_json("google.protobuf.Any", v, arena);
    // Enums as types of their own, which nothing here produces.
    return Value::error("unknown kind of value", arena);
  }

  const Type* to_type(const Json& json, TypeFactory& make) const {
    const std::string_view kind = json.members()[0].key;
    const Json& v = json.members()[0].value;
    static const std::map<std::string_view, std::pair<const Type*, const Type*>> kPrimitives = {
        {"BOOL", {&types::boolean, &types::wrapped_bool}},
        {"INT64", {&types::integer, &types::wrapped_int}},
        {"UINT64", {&types::uinteger, &types::wrapped_uint}},
        {"DOUBLE", {&types::number, &types::wrapped_double}},
        {"STRING", {&types::string, &types::wrapped_string}},
        {"BYTES", {&types::bytes, &types::wrapped_bytes}}};
    if (kind == "primitive") return kPrimitives.at(v.as_string()).first;
    if (kind == "wrapper") return kPrimitives.at(v.as_string()).second;
    if (kind == "null") return &types::null;
    if (kind == "well_known") {
      if (v.as_string() == "ANY") return &types::any;
      return v.as_string() == "DURATION" ? &types::duration : &types::timestamp;
    }
    if (kind == "list_type") {
      return make.list(v.find("elem_type") ? to_type(*v.find("elem_type"), make) : &types::dyn);
    }
    if (kind == "map_type") {
      return make.map(to_type(*v.find("key_type"), make), to_type(*v.find("value_type"), make));
    }
    if (kind == "message_type") {
      const Type* found = messages_.find_type(v.as_string());
      return found != nullptr ? found : make.object(v.as_string());
    }
    if (kind == "type_param") return make.param(v.as_string());
    if (kind == "type") {
      return v.is_object() && !v.members().empty() ? make.type_of(to_type(v, make)) : &types::type;
    }
    if (kind == "abstract_type") {
      std::vector<const Type*> params;
      if (const Json* list = v.find("parameter_types")) {
        for (const Json& p : list->items()) params.push_back(to_type(p, make));
      }
      return make.opaque(text_of(v, "name"), params);
    }
    return &types::dyn;
  }

  void declare(Library& library, std::string_view name, const Json& function) const {
    auto builder = library.function(name);
    for (const Json& overload : function.find("overloads")->items()) {
      std::vector<const Type*> params;
      for (const Json& p : overload.find("params")->items()) {
        params.push_back(to_type(p, library.types()));
      }
      const Type* result = to_type(*overload.find("result_type"), library.types());
      const std::string_view id = text_of(overload, "overload_id");
      switch (params.size()) {
        case 1: builder.global(id, {params[0]}, result, nullptr); break;
        case 2: builder.global(id, {params[0], params[1]}, result, nullptr); break;
        case 3: builder.global(id, {params[0], params[1], params[2]}, result, nullptr); break;
        default: FAIL() << "an overload of " << params.size() << " parameters";
      }
    }
  }

  const Messages& messages_;
};

// "file/section/name", a tab, the reason.
struct Exceptions {
  std::map<std::string, std::string> reasons;
  std::set<std::string> used;

  explicit Exceptions(const fs::path& path) {
    std::ifstream in(path);
    EXPECT_TRUE(in.good()) << path;
    for (std::string line; std::getline(in, line);) {
      if (line.empty() || line.starts_with('#')) continue;
      const std::size_t tab = line.find('\t');
      EXPECT_NE(tab, std::string::npos) << line;
      if (tab == std::string::npos) continue;
      reasons.emplace(line.substr(0, tab), line.substr(tab + 1));
    }
  }
  bool covers(const std::string& file, const std::string& section, const std::string& name) {
    const std::string key = file + "/" + section + "/" + name;
    if (!reasons.contains(key)) return false;
    used.insert(key);
    return true;
  }
};

TEST(CelConformance, EveryTestPassesButTheListedOnes) {
  STRAKE_REQUIRE_VECTORS(folder, "cel");
  const Messages messages(folder / "message-types.json");
  const Suite suite(messages);
  Exceptions exceptions(fs::path(STRAKE_TESTDATA_DIR) / "conformance_exceptions.txt");
  const std::string text = testing::read_file(folder / "simple.jsonl");
  value::ReadOptions options;
  options.numbers = value::NumberPolicy::kWide;
  value::JsonReader reader(text, options);
  std::size_t passed = 0, failed = 0, excepted = 0;
  std::map<std::string, std::size_t> excepted_by_file;
  for (;;) {
    auto next = reader.next();
    ASSERT_TRUE(next) << next.error().to_string();
    if (!*next) break;
    const Json& test = (*next)->root();
    const std::string file(text_of(test, "file"));
    const std::string section(text_of(test, "section"));
    const std::string name(text_of(test, "name"));
    const std::optional<std::string> fault = suite.run(test);
    const bool listed = exceptions.covers(file, section, name);
    if (listed && fault) {
      ++excepted;
      ++excepted_by_file[file];
    } else if (listed) {
      ++failed;
      ADD_FAILURE() << file << "/" << section << "/" << name
                    << " passes, though it is listed as an exception";
    } else if (fault) {
      ++failed;
      ADD_FAILURE() << file << "/" << section << "/" << name << ": " << text_of(test, "expr")
                    << "\n  " << *fault;
    } else {
      ++passed;
    }
  }
  for (const auto& [key, reason] : exceptions.reasons) {
    if (testing::is_corpus(folder)) break;  // the exceptions are those of the whole suite
    EXPECT_TRUE(exceptions.used.contains(key)) << key << " is listed but is no test";
  }
  fmt::print("CEL conformance: {} passed, {} failed, {} listed as exceptions\n", passed, failed,
             excepted);
  for (const auto& [file, count] : excepted_by_file)
    fmt::print("  exceptions in {}: {}\n", file, count);
  EXPECT_EQ(passed + failed + excepted, testing::count_in(folder, 2456u, 29u));
}

}  // namespace
}  // namespace strake::cel
