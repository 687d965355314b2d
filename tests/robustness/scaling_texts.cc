// Cases of the scaling test for what has no schema to walk: readers and writers of text, selectors,
// and patches on their own.
#include <fmt/format.h>

#include "base/arena.h"
#include "meta/selectors.h"
#include "meta/status.h"
#include "patch/json_patch.h"
#include "patch/merge_patch.h"
#include "patch/strategic_merge.h"
#include "robustness/scaling_cases.h"
#include "value/field_error.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"
#include "value/yaml_writer.h"

namespace strake::testing {
namespace {

using value::Value;

using Text = std::string (*)(std::size_t n);

std::string numbered(std::size_t n, std::string_view format, std::string_view between = ",") {
  return repeat(n, [&](std::size_t i) { return fmt::format(fmt::runtime(format), i); }, between);
}

// Made before, used in the work, which tells whether it was understood.
template <typename Use>
void add(ScalingCases& cases, std::string name, Text text, Use use) {
  cases.push_back({std::move(name), false, [text, use](std::size_t n) {
                     return Work{.run = [made = text(n), use] { return use(made) ? 1 : 0; }};
                   }});
}

struct NamedText {
  std::string_view name;
  Text text;
};

constexpr NamedText kJson[] = {
    {"items", [](std::size_t n) { return "[" + numbered(n, R"({{"a":{}}})") + "]"; }},
    {"members", [](std::size_t n) { return "{" + numbered(n, R"("k{}":1)") + "}"; }},
    {"members in reverse",
     [](std::size_t n) {
       return "{" + repeat(n, [n](std::size_t i) { return fmt::format(R"("k{:06}":1)", n - i); }) +
              "}";
     }},
    {"duplicate keys", [](std::size_t n) { return "{" + numbered(n, R"("k":{})") + "}"; }},
    {"pairs of duplicate keys",
     [](std::size_t n) { return "{" + numbered(n, R"("k{0}":1,"k{0}":2)") + "}"; }},
    {"nested lists", [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); }},
    {"nested objects",
     [](std::size_t n) {
       return repeat(n, [](auto) { return R"({"a":)"; }, "") + "1" + std::string(n, '}');
     }},
    {"escapes",
     [](std::size_t n) { return "\"" + repeat(n, [](auto) { return R"(\u00e9\n)"; }, "") + "\""; }},
};

constexpr NamedText kYaml[] = {
    {"items", [](std::size_t n) { return numbered(n, "- a: {}\n", ""); }},
    {"keys", [](std::size_t n) { return numbered(n, "k{}: 1\n", ""); }},
    {"duplicate keys", [](std::size_t n) { return numbered(n, "k: {}\n", ""); }},
    {"flow items", [](std::size_t n) { return "[" + numbered(n, "{{a: {}}}") + "]\n"; }},
    {"nested",
     [](std::size_t n) {
       return repeat(
           n,
           [](std::size_t i) {
             return std::string(i % 200, ' ') + (i % 200 == 199 ? "a: 1\n---\n" : "a:\n");
           },
           "");
     }},
    {"anchors and aliases",
     [](std::size_t n) { return numbered(n, "a{0}: &x{0} [1]\nb{0}: *x{0}\n", ""); }},
    {"aliases of one anchor",
     [](std::size_t n) { return "a: &x [1]\n" + numbered(n, "b{}: *x\n", ""); }},
    {"merge keys",
     [](std::size_t n) {
       return "base: &b {x: 1}\n" + numbered(n, "k{}:\n  <<: *b\n  y: 1\n", "");
     }},
    {"comments", [](std::size_t n) { return numbered(n, "# comment {0}\nk{0}: 1 # end\n", ""); }},
    {"block text", [](std::size_t n) { return "a: |\n" + numbered(n, "  line {}\n", ""); }},
    {"folded text", [](std::size_t n) { return "a: >\n" + numbered(n, "  line {}\n\n", ""); }},
    {"quoted lines",
     [](std::size_t n) { return "a: \"" + numbered(n, "line {}\n  ", "") + "\"\n"; }},
    {"documents", [](std::size_t n) { return numbered(n, "---\na: {}\n", ""); }},
    {"tags", [](std::size_t n) { return numbered(n, "k{}: !!str 1\n", ""); }},
};

bool read_all_yaml(const std::string& text) {
  value::YamlReader reader(text, {});
  while (true) {
    auto next = reader.next();
    if (!next || !*next) return next.has_value();
    static_cast<void>(value::to_yaml((*next)->root()));
  }
}

void add_selectors(ScalingCases& cases) {
  const auto parse = [](const std::string& text) {
    const auto selector = meta::LabelSelector::parse(text);
    if (!selector) return false;
    static_cast<void>(selector->to_string());
    static_cast<void>(selector->matches(nullptr));
    return true;
  };
  add(
      cases, "label selector: requirements", [](std::size_t n) { return numbered(n, "k{0}=v{0}"); },
      parse);
  add(
      cases, "label selector: the same key", [](std::size_t n) { return numbered(n, "k!=v{}"); },
      parse);
  add(
      cases, "label selector: values",
      [](std::size_t n) { return "k in (" + numbered(n, "v{}") + ")"; }, parse);
  add(
      cases, "label selector: values on labels",
      [](std::size_t n) { return "k notin (" + numbered(n, "v{}") + ")"; },
      [](const std::string& text) {
        const auto selector = meta::LabelSelector::parse(text);
        const auto labels = value::read_json(R"({"k":"z"})");
        if (!selector || !labels) return false;
        for (int i = 0; i < 100; ++i) static_cast<void>(selector->matches(&labels->root()));
        return true;
      });
  add(cases, "label selector: wrong", [](std::size_t n) { return numbered(n, "k{} in"); }, parse);
  add(
      cases, "field selector: requirements",
      [](std::size_t n) { return numbered(n, "spec.f{0}=v{0}"); },
      [](const std::string& text) {
        const auto selector = meta::FieldSelector::parse(text);
        if (!selector) return false;
        static_cast<void>(selector->to_string());
        static_cast<void>(selector->required_value("metadata.name"));
        return true;
      });
  const auto from_value = [](const std::string& text) {
    const auto document = value::read_json(text);
    if (!document) return false;
    const auto selector = meta::LabelSelector::from_value(&document->root());
    if (selector) static_cast<void>(selector->to_string());
    return selector.has_value();
  };
  add(
      cases, "selector object: matchLabels",
      [](std::size_t n) { return R"({"matchLabels":{)" + numbered(n, R"("k{0}":"v{0}")") + "}}"; },
      from_value);
  add(
      cases, "selector object: matchExpressions",
      [](std::size_t n) {
        return R"({"matchExpressions":[)" +
               numbered(n, R"({{"key":"k{0}","operator":"In","values":["a","b"]}})") + "]}";
      },
      from_value);
  add(
      cases, "selector object: values",
      [](std::size_t n) {
        return R"({"matchExpressions":[{"key":"k","operator":"In","values":[)" +
               numbered(n, R"("v{}")") + "]}]}";
      },
      from_value);
}

// A document of n members and n items, and a patch of as many parts.
struct PatchText {
  std::string_view name;
  Text text;
};
std::string patched_document(std::size_t n) {
  return R"({"map":{)" + numbered(n, R"("k{}":{{"a":1}})") + R"(},"list":[)" +
         numbered(n, R"({{"uid":"u{0}","v":{0}}})") + R"(],"metadata":{"finalizers":[)" +
         numbered(n, R"("f{}")") + R"(],"ownerReferences":[)" +
         numbered(n, R"({{"uid":"u{0}","name":"n{0}"}})") + "]}}";
}
constexpr PatchText kJsonPatches[] = {
    {"add members",
     [](std::size_t n) { return numbered(n, R"({{"op":"add","path":"/map/n{}","value":1}})"); }},
    {"replace members",
     [](std::size_t n) {
       return numbered(n, R"({{"op":"replace","path":"/map/k{}","value":1}})");
     }},
    {"remove members",
     [](std::size_t n) { return numbered(n, R"({{"op":"remove","path":"/map/k{}"}})"); }},
    {"test members",
     [](std::size_t n) {
       return numbered(n, R"({{"op":"test","path":"/map/k{}","value":{{"a":1}}}})");
     }},
    {"move members",
     [](std::size_t n) {
       return numbered(n, R"({{"op":"move","from":"/map/k{0}","path":"/map/m{0}"}})");
     }},
    {"copy members",
     [](std::size_t n) {
       return numbered(n, R"({{"op":"copy","from":"/map/k{0}","path":"/map/c{0}"}})");
     }},
    {"append items",
     [](std::size_t n) { return numbered(n, R"({{"op":"add","path":"/list/-","value":{}}})"); }},
    {"replace items",
     [](std::size_t n) {
       return numbered(n, R"({{"op":"replace","path":"/list/{}","value":1}})");
     }},
    {"change inside items",
     [](std::size_t n) {
       return numbered(n, R"({{"op":"replace","path":"/list/{}/v","value":1}})");
     }},
    {"remove first items",
     [](std::size_t n) { return numbered(n, R"({{"op":"remove","path":"/list/0"}})"); }},
    {"insert first items",
     [](std::size_t n) { return numbered(n, R"({{"op":"add","path":"/list/0","value":{}}})"); }},
    {"move items",
     [](std::size_t n) {
       return numbered(n, R"({{"op":"move","from":"/list/0","path":"/list/-"}})");
     }},
    {"remove last items",
     [](std::size_t n) { return numbered(n, R"({{"op":"remove","path":"/list/-1"}})"); }},
};
constexpr PatchText kMergePatches[] = {
    {"members",
     [](std::size_t n) { return R"({"map":{)" + numbered(n, R"("n{}":{{"b":2}})") + "}}"; }},
    {"members that are there",
     [](std::size_t n) { return R"({"map":{)" + numbered(n, R"("k{}":{{"b":2}})") + "}}"; }},
    {"nulls", [](std::size_t n) { return R"({"map":{)" + numbered(n, R"("k{}":null)") + "}}"; }},
    {"a list",
     [](std::size_t n) { return R"({"list":[)" + numbered(n, R"({{"a":null,"b":{}}})") + "]}"; }},
};
constexpr PatchText kStrategicPatches[] = {
    {"items by key",
     [](std::size_t n) {
       return R"({"metadata":{"ownerReferences":[)" +
              numbered(n, R"({{"uid":"u{0}","kind":"K"}})") + "]}}";
     }},
    {"new items",
     [](std::size_t n) {
       return R"({"metadata":{"ownerReferences":[)" +
              numbered(n, R"({{"uid":"x{0}","kind":"K"}})") + "]}}";
     }},
    {"deleted items",
     [](std::size_t n) {
       return R"({"metadata":{"ownerReferences":[)" +
              numbered(n, R"({{"$patch":"delete","uid":"u{0}"}})") + "]}}";
     }},
    {"an order of items",
     [](std::size_t n) {
       return R"({"metadata":{"$setElementOrder/ownerReferences":[)" +
              repeat(n,
                     [n](std::size_t i) { return fmt::format(R"({{"uid":"u{}"}})", n - 1 - i); }) +
              R"(],"ownerReferences":[)" + numbered(n, R"({{"uid":"u{0}"}})") + "]}}";
     }},
    {"orders of many lists",
     [](std::size_t n) {
       return "{" + numbered(n, R"("$setElementOrder/l{0}":["a"],"l{0}":["a"])") + "}";
     }},
    {"set elements",
     [](std::size_t n) {
       return R"({"metadata":{"finalizers":[)" + numbered(n, R"("x{}")") + "]}}";
     }},
    {"set elements that are there",
     [](std::size_t n) {
       return R"({"metadata":{"finalizers":[)" + numbered(n, R"("f{}")") + "]}}";
     }},
    {"deleted set elements",
     [](std::size_t n) {
       return R"({"metadata":{"$deleteFromPrimitiveList/finalizers":[)" + numbered(n, R"("f{}")") +
              "]}}";
     }},
    {"an order of set elements",
     [](std::size_t n) {
       return R"({"metadata":{"$setElementOrder/finalizers":[)" +
              repeat(n, [n](std::size_t i) { return fmt::format("\"f{}\"", n - 1 - i); }) +
              R"(],"finalizers":[)" + numbered(n, R"("f{}")") + "]}}";
     }},
    {"retained keys",
     [](std::size_t n) {
       return R"({"map":{"$retainKeys":[)" + numbered(n, R"("k{}")") + "]," +
              numbered(n, R"("k{}":{{"b":1}})") + "}}";
     }},
    {"members",
     [](std::size_t n) { return R"({"map":{)" + numbered(n, R"("k{}":{{"b":2}})") + "}}"; }},
};

template <typename Apply>
void add_patch(ScalingCases& cases, std::string name, Text text, Apply apply) {
  cases.push_back({std::move(name), false, [text, apply](std::size_t n) {
                     const std::string document = patched_document(n);
                     return Work{.run = [document, made = text(n), apply] {
                       const auto current = value::read_json(document);
                       const auto patch = value::read_json(made);
                       Arena arena;
                       return current && patch && apply(current->root(), patch->root(), arena);
                     }};
                   }});
}

void add_patches(ScalingCases& cases) {
  for (const PatchText& one : kJsonPatches) {
    cases.push_back(
        {fmt::format("JSON patch: {}", one.name), false, [text = one.text](std::size_t n) {
           const std::string document = patched_document(n);
           return Work{.run = [document, made = "[" + text(n) + "]"] {
             const auto current = value::read_json(document);
             const auto patch = value::read_json(made);
             Arena arena;
             return current && patch &&
                    patch::apply_json_patch(current->root(), patch->root(), arena);
           }};
         }});
  }
  for (const PatchText& one : kMergePatches) {
    add_patch(cases, fmt::format("merge patch: {}", one.name), one.text,
              [](const Value& current, const Value& patch, Arena& arena) {
                const Value made = patch::apply_merge_patch(current, patch, arena);
                static_cast<void>(patch::make_merge_patch(current, made, arena));
                return true;
              });
  }
  for (const PatchText& one : kStrategicPatches) {
    add_patch(cases, fmt::format("strategic merge: {}", one.name), one.text,
              [](const Value& current, const Value& patch, Arena& arena) {
                static const patch::MergeFields fields{
                    {{.name = "metadata", .below = &patch::object_meta_merge_fields()}}};
                return patch::apply_strategic_merge(current, patch, fields, arena).has_value();
              });
  }
}

// Values that are built member by member, in an order that is not that of their keys.
void add_values(ScalingCases& cases) {
  cases.push_back({"field errors in a Status", false, [](std::size_t n) {
                     return Work{.run = [n] {
                       value::FieldErrors errors;
                       for (std::size_t i = 0; i < n; ++i) {
                         errors.push_back(value::FieldError::invalid(
                             FieldPath() / "spec" / i, Value::string("x"), "must not be x"));
                       }
                       static_cast<void>(meta::Status::invalid({"", "K"}, "n", errors).to_json());
                       return 0;
                     }};
                   }});
  cases.push_back({"field errors that are all alike", false, [](std::size_t n) {
                     return Work{.run = [n] {
                       value::FieldErrors errors;
                       for (std::size_t i = 0; i < n; ++i)
                         errors.push_back(value::FieldError::required(FieldPath() / "spec"));
                       static_cast<void>(meta::Status::invalid({"", "K"}, "n", errors).to_json());
                       return 0;
                     }};
                   }});
}

}  // namespace

void add_texts(ScalingCases& cases) {
  const std::size_t first = cases.size();
  for (const NamedText& one : kJson) {
    add(cases, fmt::format("JSON: {}", one.name), one.text, [](const std::string& text) {
      const auto document = value::read_json(text);
      if (document) static_cast<void>(value::to_json(document->root()));
      return document.has_value();
    });
  }
  for (const NamedText& one : kYaml) {
    add(cases, fmt::format("YAML: {}", one.name), one.text, read_all_yaml);
  }
  add_selectors(cases);
  add_patches(cases);
  add_values(cases);
  // Their elements take few instructions: it takes more of them to see what each adds.
  for (std::size_t i = first; i < cases.size(); ++i) {
    cases[i].prepare = [inner = std::move(cases[i].prepare)](std::size_t n) {
      return inner(4 * n);
    };
  }
}

}  // namespace strake::testing
