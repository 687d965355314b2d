// Cases of the scaling test that are requests to a server: objects of every kind, in which each
// list and map that their shape has is long, created, replaced, patched, applied and shown.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "api/test_server.h"
#include "crd/crd.h"
#include "crd/crd_shape.h"
#include "http/server.h"
#include "kinds/builtin_strategy.h"
#include "kinds/resource.h"
#include "meta/object_meta.h"
#include "robustness/scaling_cases.h"
#include "schema/node.h"
#include "support/vectors.h"
#include "value/yaml_reader.h"

namespace strake::testing {
namespace {

using api::testing::TestServer;
using meta::Shape;
using meta::ShapeField;

// One for all cases: each makes objects of its own and deletes them.
TestServer& server() {
  static TestServer one;
  return one;
}

// What stands n times.
enum class Elements {
  kDistinct,  // of plain values, each another
  kSame,      // all alike
  kEmpty,     // "" and {}: most validators have something to say of each
};
constexpr Elements kAllElements[] = {Elements::kDistinct, Elements::kSame, Elements::kEmpty};

std::string_view name_of(Elements elements) {
  switch (elements) {
    case Elements::kDistinct: return "distinct";
    case Elements::kSame: return "same";
    case Elements::kEmpty: return "empty";
  }
  return "";
}

// A place in an object that takes any number of elements: the object's text up to there and behind
// it.
struct Place {
  std::string name;     // "spec.versions[].schema", for people
  std::string pointer;  // RFC 6901, of the list or map; always through the first items
  std::string before;   // up to the first element, without the bracket
  std::string after;
  std::string inside = {};  // members that a map has besides
  bool map = false;
  std::function<std::string(std::size_t i, Elements)> element;  // the value of an entry, of a map

  std::string key(std::size_t i, Elements elements) const {
    return fmt::format(
        "\"{}\"", elements == Elements::kEmpty ? fmt::format("-{}", i) : fmt::format("key-{}", i));
  }
  std::string text(std::size_t from, std::size_t count, Elements elements) const {
    const std::string all = repeat(count, [&](std::size_t i) {
      const std::string one = element(from + i, elements);
      return map ? key(from + i, elements) + ":" + one : one;
    });
    const std::string_view between = inside.empty() || all.empty() ? "" : ",";
    return fmt::format("{}{}{}{}{}{}{}", before, map ? "{" : "[", inside, between, all,
                       map ? "}" : "]", after);
  }
};

// --- places of a shape ---

bool is_scalar(const Shape& shape) {
  return shape.kind != Shape::Kind::kStruct && shape.kind != Shape::Kind::kList &&
         shape.kind != Shape::Kind::kMap && shape.element == nullptr;
}

std::string sample(const Shape& shape, std::size_t i, Elements elements, int depth);

std::string scalar(const Shape& shape, std::string_view field, std::size_t i, Elements elements) {
  const bool empty = elements == Elements::kEmpty;
  if (elements == Elements::kSame) i = 0;
  switch (shape.kind) {
    case Shape::Kind::kBool: return empty ? "false" : "true";
    case Shape::Kind::kInt64:
    case Shape::Kind::kInt32: return empty ? "0" : fmt::format("{}", i % 1000);
    case Shape::Kind::kFloat: return empty ? "0" : fmt::format("{}.5", i);
    case Shape::Kind::kBytes: return empty ? "\"\"" : R"("aGVsbG8=")";
    case Shape::Kind::kTime: return R"("2024-01-01T00:00:00Z")";
    case Shape::Kind::kMicroTime: return R"("2024-01-01T00:00:00.000000Z")";
    case Shape::Kind::kAny: return fmt::format(R"({{"f:a{}":{{}}}})", i);
    default: break;
  }
  if (empty) return "\"\"";
  if (field == "apiVersion") return R"("v1")";
  if (field == "type" || field == "openAPIV3Schema") return R"("string")";
  return fmt::format("\"item-{}\"", i);
}

// The members of a struct but for one, each with its comma behind it.
std::string members(const Shape& shape, std::string_view but, std::size_t i, Elements elements,
                    int depth) {
  std::string out;
  for (const ShapeField& field : shape.fields) {
    if (field.name == but || field.name == "fieldsType" || field.name.starts_with('$')) continue;
    std::string text;
    if (is_scalar(*field.shape)) {
      text = scalar(*field.shape, field.name, i, elements);
    } else if (depth > 0 && field.shape->kind != Shape::Kind::kMap) {
      text = sample(*field.shape, i, elements, depth - 1);
    } else {
      continue;
    }
    out += fmt::format("\"{}\":{},", field.name, text);
  }
  return out;
}

std::string sample(const Shape& shape, std::size_t i, Elements elements, int depth) {
  switch (shape.kind) {
    case Shape::Kind::kList:
      return depth > 0 ? "[" + sample(*shape.element, i, elements, depth - 1) + "]" : "[]";
    case Shape::Kind::kMap: return "{}";
    case Shape::Kind::kStruct: {
      if (elements == Elements::kEmpty) return "{}";
      std::string out = members(shape, "", i, elements, depth);
      if (!out.empty()) out.pop_back();
      return "{" + out + "}";
    }
    default:
      return shape.element != nullptr ? sample(*shape.element, i, elements, depth)
                                      : scalar(shape, "", i, elements);
  }
}

// What an object of a kind must have to be taken in, besides a name: without it, every request
// about one is refused, and only the refusal is measured.
struct Needed {
  std::string_view member;
  std::string_view text;
};

std::vector<Needed> needed_by(std::string_view kind) {
  constexpr std::string_view kRole =
      R"({"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"r"})";
  if (kind == "RoleBinding" || kind == "ClusterRoleBinding") return {{"roleRef", kRole}};
  if (kind == "ValidatingAdmissionPolicy") {
    return {{"spec", R"({"matchConstraints":{"resourceRules":[{"apiGroups":["x.example"],)"
                     R"("apiVersions":["v1"],"operations":["CREATE"],"resources":["xs"]}]},)"
                     R"("validations":[{"expression":"true"}]})"}};
  }
  if (kind == "MutatingAdmissionPolicy") {
    return {{"spec",
             R"({"matchConstraints":{"resourceRules":[{"apiGroups":["x.example"],)"
             R"("apiVersions":["v1"],"operations":["CREATE"],"resources":["xs"]}]},)"
             R"("reinvocationPolicy":"Never","mutations":[{"patchType":"ApplyConfiguration",)"
             R"("applyConfiguration":{"expression":"Object{}"}}]})"}};
  }
  if (kind == "ValidatingAdmissionPolicyBinding")
    return {{"spec", R"({"policyName":"p","validationActions":["Deny"]})"}};
  if (kind == "MutatingAdmissionPolicyBinding") return {{"spec", R"({"policyName":"p"})"}};
  if (kind == "Event") return {{"involvedObject", R"({"namespace":"default"})"}};
  if (kind == "Event.events.k8s.io") {
    return {{"regarding", R"({"namespace":"default"})"},
            {"eventTime", R"("2024-01-01T00:00:00.000000Z")"},
            {"reportingController", R"("c")"},
            {"reportingInstance", R"("i")"},
            {"action", R"("A")"},
            {"reason", R"("R")"},
            {"type", R"("Normal")"}};
  }
  if (kind == "Certificate") return {{"spec", R"({"secretName":"s","issuerRef":{"name":"i"}})"}};
  if (kind == "CustomResourceDefinition") {
    return {{"spec",
             R"({"group":"probe.example","scope":"Namespaced","names":{"plural":"$PLURAL",)"
             R"("singular":"$PLURAL","kind":"K$PLURAL","listKind":"K$PLURALList"},)"
             R"("versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":)"
             R"({"type":"object","properties":{"a":{"type":"string"}}}}}]})"}};
  }
  return {};
}

// Each with a comma behind it, but for one member.
std::string text_of(const std::vector<Needed>& needed, std::string_view but) {
  std::string out;
  for (const Needed& one : needed) {
    if (one.member != but) out += fmt::format("\"{}\":{},", one.member, one.text);
  }
  return out;
}

class ShapeWalk {
 public:
  std::vector<Place> places;

  // `known` stands in the object's outermost struct before everything else, and then what it needs.
  void walk(const Shape& shape, std::string known, std::vector<Needed> needed) {
    root_ = std::move(known);
    needed_ = std::move(needed);
    visit(shape, {.before = "", .after = ""});
  }

 private:
  void visit(const Shape& shape, Place at) {
    switch (shape.kind) {
      case Shape::Kind::kStruct: return structure(shape, at);
      case Shape::Kind::kList:
      case Shape::Kind::kMap: {
        at.map = shape.kind == Shape::Kind::kMap;
        const Shape* element = shape.element;
        at.element = [element](std::size_t i, Elements elements) {
          return sample(*element, i, elements, 2);
        };
        places.push_back(at);
        Place below = at;
        below.name += at.map ? "{}" : "[]";
        below.pointer += at.map ? "/key-0" : "/0";
        below.before += at.map ? R"({"key-0":)" : "[";
        below.after = (at.map ? "}" : "]") + below.after;
        return visit(*element, below);
      }
      default:
        if (shape.element != nullptr && shape.element->kind == Shape::Kind::kStruct)
          visit(*shape.element, at);
    }
  }

  void structure(const Shape& shape, const Place& at) {
    if (std::ranges::count(open_, &shape) != 0) return;  // a schema inside a schema
    open_.push_back(&shape);
    const bool root = open_.size() == 1;
    for (const ShapeField& field : shape.fields) {
      Place below = at;
      below.name += (below.name.empty() ? "" : ".") + std::string(field.name);
      below.pointer += "/" + std::string(field.name);
      std::string others;
      if (!root) {
        others = members(shape, field.name, 0, Elements::kDistinct, 1);
      } else if (field.name != "metadata") {
        others = root_ + text_of(needed_, field.name) + R"("metadata":{"name":"$NAME"},)";
      } else {
        others = root_ + text_of(needed_, "");
      }
      if (at.name == "metadata") others = R"("name":"$NAME",)";
      below.before += "{" + others + "\"" + std::string(field.name) + "\":";
      below.after = "}" + below.after;
      visit(*field.shape, below);
    }
    if (open_.size() <= 2) {
      Place unknown = at;
      unknown.name += (at.name.empty() ? "" : ".") + std::string("<unknown>");
      unknown.map = true;
      if (root) unknown.inside = root_ + text_of(needed_, "") + R"("metadata":{"name":"$NAME"})";
      unknown.element = [](std::size_t i, Elements) { return fmt::format("{}", i); };
      places.push_back(unknown);
    }
    open_.pop_back();
  }

  std::string root_;
  std::vector<Needed> needed_;
  std::vector<const Shape*> open_;
};

// --- requests ---

struct Endpoint {
  std::string kind;
  std::string collection;       // the path
  std::string least;            // the smallest object that is taken in
  std::string_view group = "";  // ends the names of definitions
  bool stored = true;           // reviews are asked, and nothing is kept
  bool strategic = true;
  bool protobuf = false;
};

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at))
    text.replace(at, what.size(), by);
}

// A definition is called by its plural and its group.
std::string named(std::string text, std::string_view name) {
  replace_all(text, "$NAME", name);
  replace_all(text, "$PLURAL", name.substr(0, name.find('.')));
  return text;
}

std::string fresh_name() {
  static std::size_t last = 0;
  return fmt::format("o{}", ++last);
}

TestServer::Got ask(std::string_view method, const std::string& target, const std::string& body,
                    std::string_view type) {
  if (body.size() > http::ServerOptions().max_body) return {.code = kNotTaken};
  std::vector<http::Header> headers{{"Accept", "application/json"}, {"User-Agent", "probe/1"}};
  if (!type.empty()) headers.push_back({"Content-Type", std::string(type)});
  return server().call(method, target, body, std::move(headers));
}

int send(std::string_view method, const std::string& target, const std::string& body,
         std::string_view type) {
  return ask(method, target, body, type).code;
}

void remove(const std::string& target) {
  // Where finalizers keep it, it is still there and says since when it is to go.
  if (!ask("DELETE", target, "", "").body.contains("\"deletionTimestamp\"")) return;
  send("PATCH", target, R"({"metadata":{"finalizers":null}})", "application/merge-patch+json");
  send("DELETE", target, "", "");
}

constexpr std::string_view kJson = "application/json";

struct Operation {
  std::string_view name;
  std::string_view method;
  std::string_view type;
  std::string_view query = "";
};
constexpr Operation kOperations[] = {
    {"create", "POST", kJson},
    {"replace", "PUT", kJson},
    {"merge", "PATCH", "application/merge-patch+json"},
    {"strategic", "PATCH", "application/strategic-merge-patch+json"},
    {"json-patch", "PATCH", "application/json-patch+json"},
    {"apply", "PATCH", "application/apply-patch+yaml", "?fieldManager=probe&force=true"},
};

std::string json_patch(const Place& place, std::size_t n, Elements elements) {
  return "[" +
         repeat(n,
                [&](std::size_t i) {
                  const std::string key =
                      place.map ? fmt::format("key-{}", n + i) : std::string("-");
                  return fmt::format(R"({{"op":"add","path":"{}/{}","value":{}}})", place.pointer,
                                     key, place.element(n + i, elements));
                }) +
         "]";
}

void add_operation(ScalingCases& cases, const Endpoint& endpoint, const Place& place,
                   const Operation& operation, Elements elements, bool quick) {
  const std::string name =
      fmt::format("{} {}: {}, {}", operation.name, endpoint.kind, place.name, name_of(elements));
  cases.push_back(
      {name, quick, [=](std::size_t n) {
         const std::string object = fresh_name() + std::string(endpoint.group);
         const std::string target = endpoint.collection + "/" + object;
         const bool creates = operation.method == "POST";
         if (!creates) {
           // Half of the elements stay; where so many are refused, there is one.
           const auto made = [&](std::size_t from, std::size_t count) {
             return send("POST", endpoint.collection,
                         named(place.text(from, count, elements), object), kJson) == 201;
           };
           if (!made(n / 2, n) && !made(0, 1) && !made(0, 0))
             send("POST", endpoint.collection, named(endpoint.least, object), kJson);
         }
         const std::string body = operation.name == "json-patch"
                                      ? json_patch(place, n, elements)
                                      : named(place.text(0, n, elements), object);
         const std::string where =
             (creates ? endpoint.collection : target) + std::string(operation.query);
         return Work{.run = [=] { return send(operation.method, where, body, operation.type); },
                     .clean_up =
                         [=] {
                           if (endpoint.stored) remove(target);
                         }};
       }});
}

// An object that is there, read in the other forms.
void add_reads(ScalingCases& cases, const Endpoint& endpoint, const Place& place) {
  constexpr std::pair<std::string_view, std::string_view> kForms[] = {
      {"as YAML", "application/yaml"},
      {"as table", "application/json;as=Table;v=v1;g=meta.k8s.io"},
      {"as metadata", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"}};
  for (const auto& [name, accept] : kForms) {
    cases.push_back(
        {fmt::format("read {} {}: {}", endpoint.kind, name, place.name), false, [=](std::size_t n) {
           const std::string object = fresh_name() + std::string(endpoint.group);
           send("POST", endpoint.collection, named(place.text(0, n, Elements::kDistinct), object),
                kJson);
           const std::string target = endpoint.collection + "/" + object;
           return Work{.run =
                           [=] {
                             return server()
                                 .call("GET", target, "", {{"Accept", std::string(accept)}})
                                 .code;
                           },
                       .clean_up = [=] { remove(target); }};
         }});
  }
}

// What `make test` tries of a kind.
enum class Quick {
  kNothing,
  kOnePlace,   // in one way; place and way differ from kind to kind
  kEachPlace,  // in one way, which differs from place to place
  kEveryWay,   // each place, with distinct elements
};

void add_places(ScalingCases& cases, const Endpoint& endpoint, const std::vector<Place>& places,
                Quick quick) {
  struct Turn {
    std::string_view operation;
    Elements elements;
  };
  constexpr Turn kTurns[] = {
      {"create", Elements::kDistinct},  {"create", Elements::kEmpty},
      {"apply", Elements::kDistinct},   {"strategic", Elements::kDistinct},
      {"replace", Elements::kDistinct}, {"create", Elements::kSame},
      {"merge", Elements::kDistinct},   {"json-patch", Elements::kDistinct},
  };
  static std::size_t turns = 0;
  // What all kinds have in common is tried with the others of `make soak`.
  std::vector<const Place*> own;
  for (const Place& place : places) {
    if (!place.name.starts_with("metadata") && !place.name.ends_with("<unknown>"))
      own.push_back(&place);
  }
  const Place* one_place = own.empty() ? nullptr : own[turns++ % own.size()];
  const auto is_quick = [&](const Place& place, const Operation& operation, Elements elements,
                            const Turn& turn) {
    const bool in_turn = operation.name == turn.operation && elements == turn.elements;
    switch (quick) {
      case Quick::kNothing: return false;
      case Quick::kOnePlace: return in_turn && &place == one_place;
      case Quick::kEachPlace: return in_turn;
      case Quick::kEveryWay:
        return elements == Elements::kDistinct && std::ranges::count(own, &place) != 0;
    }
    return false;
  };
  for (const Place& place : places) {
    const std::size_t usable = !endpoint.stored || place.name.contains("<unknown>") ? 2
                               : endpoint.strategic                                 ? 8
                                                                                    : 3;
    const Turn turn = kTurns[(quick == Quick::kEachPlace ? turns++ : turns) % usable];
    for (const Operation& operation : kOperations) {
      if (!endpoint.stored && operation.name != "create") continue;
      if (!endpoint.strategic && operation.name == "strategic") continue;
      if (operation.name == "json-patch" && place.name.contains("<unknown>")) continue;
      for (const Elements elements : kAllElements) {
        add_operation(cases, endpoint, place, operation, elements,
                      is_quick(place, operation, elements, turn));
      }
    }
    if (endpoint.stored) add_reads(cases, endpoint, place);
  }
}

std::string type_of(std::string_view group, std::string_view version, std::string_view kind) {
  const std::string slash = group.empty() ? "" : "/";
  return fmt::format(R"("apiVersion":"{}{}{}","kind":"{}",)", group, slash, version, kind);
}

// `type` as type_of gives it.
std::string least_object(const std::string& type, std::string_view kind) {
  return "{" + type + text_of(needed_by(kind), "") + R"("metadata":{"name":"$NAME"}})";
}

std::string collection_of(const kinds::Resource& resource) {
  return fmt::format("{}{}/{}/{}{}", resource.group.empty() ? "/api" : "/apis/", resource.group,
                     resource.versions[0].name, resource.namespaced ? "namespaces/default/" : "",
                     resource.plural);
}

// --- definitions and custom resources ---

std::string definition(std::string_view plural, std::string_view versions,
                       std::string_view more = "") {
  return fmt::format(
      R"({{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",)"
      R"("metadata":{{"name":"{0}.probe.example"}},"spec":{{"group":"probe.example",)"
      R"("scope":"Namespaced","names":{{"plural":"{0}","singular":"{0}1","kind":"K{0}",)"
      R"("listKind":"K{0}List"{2}}},"versions":[{1}]}}}})",
      plural, versions, more);
}

std::string version(std::string_view name, bool storage, std::string_view schema,
                    std::string_view more = "") {
  return fmt::format(
      R"({{"name":"{}","served":true,"storage":{},"schema":{{"openAPIV3Schema":{}}}{}}})", name,
      storage, schema, more);
}

struct DefinitionCase {
  std::string_view name;
  std::string (*text)(std::string_view plural, std::size_t n);
};

std::string with_properties(std::string_view plural, std::size_t n, std::string_view node) {
  return definition(
      plural,
      version("v1", true,
              R"({"type":"object","properties":{"spec":{"type":"object","properties":{)" +
                  repeat(n, [&](std::size_t i) { return fmt::format(R"("p{}":{})", i, node); }) +
                  "}}}}"));
}

std::string with_spec(std::string_view plural, const std::string& spec) {
  return definition(plural,
                    version("v1", true, R"({"type":"object","properties":{"spec":)" + spec + "}}"));
}

const DefinitionCase kDefinitions[] = {
    {"versions",
     [](std::string_view plural, std::size_t n) {
       return definition(plural, repeat(n, [](std::size_t i) {
                           return version(
                               fmt::format("v{}", i + 1), i == 0,
                               R"({"type":"object","properties":{"a":{"type":"string"}}})");
                         }));
     }},
    {"short names",
     [](std::string_view plural, std::size_t n) {
       return definition(plural, version("v1", true, R"({"type":"object"})"),
                         R"(,"shortNames":[)" + repeat(n, [&](std::size_t i) {
                           return fmt::format("\"{}s{}\"", plural, i);
                         }) + "]");
     }},
    {"categories",
     [](std::string_view plural, std::size_t n) {
       return definition(plural, version("v1", true, R"({"type":"object"})"),
                         R"(,"categories":[)" + repeat(n, [](std::size_t i) {
                           return fmt::format("\"c{}\"", i);
                         }) + "]");
     }},
    {"properties",
     [](std::string_view plural, std::size_t n) {
       return with_properties(plural, n, R"({"type":"string","default":"x","maxLength":9})");
     }},
    {"properties of lists",
     [](std::string_view plural, std::size_t n) {
       return with_properties(
           plural, n,
           R"({"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],)"
           R"("items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"}}}})");
     }},
    {"properties that are wrong",
     [](std::string_view plural, std::size_t n) {
       return with_properties(plural, n, R"({"default":1,"type":"string","items":{}})");
     }},
    {"rules",
     [](std::string_view plural, std::size_t n) {
       return with_spec(plural, R"({"type":"object","properties":{"a":{"type":"integer"}},)"
                                R"("x-kubernetes-validations":[)" +
                                    repeat(n,
                                           [](std::size_t i) {
                                             return fmt::format(R"({{"rule":"self.a != {}"}})", i);
                                           }) +
                                    "]}");
     }},
    {"enumerations",
     [](std::string_view plural, std::size_t n) {
       return with_spec(plural, R"({"type":"string","enum":[)" + repeat(n, [](std::size_t i) {
                                  return fmt::format("\"e{}\"", i);
                                }) + "]}");
     }},
    {"required fields",
     [](std::string_view plural, std::size_t n) {
       return with_spec(plural, R"({"type":"object","required":[)" + repeat(n, [](std::size_t i) {
                                  return fmt::format("\"r{}\"", i);
                                }) + "]}");
     }},
    {"columns",
     [](std::string_view plural, std::size_t n) {
       return definition(
           plural, version("v1", true, R"({"type":"object"})",
                           R"(,"additionalPrinterColumns":[)" + repeat(n, [](std::size_t i) {
                             return fmt::format(
                                 R"({{"name":"c{0}","type":"string","jsonPath":".spec.a{0}"}})", i);
                           }) + "]"));
     }},
    {"selectable fields",
     [](std::string_view plural, std::size_t n) {
       return definition(
           plural,
           version("v1", true,
                   R"({"type":"object","properties":{"spec":{"type":"object","properties":{)" +
                       repeat(n,
                              [](std::size_t i) {
                                return fmt::format(R"("p{}":{{"type":"string"}})", i);
                              }) +
                       "}}}}",
                   R"(,"selectableFields":[)" + repeat(n, [](std::size_t i) {
                     return fmt::format(R"({{"jsonPath":".spec.p{}"}})", i);
                   }) + "]"));
     }},
    {"alternatives",
     [](std::string_view plural, std::size_t n) {
       return with_spec(plural, R"({"type":"object","anyOf":[)" + repeat(n, [](std::size_t i) {
                                  return fmt::format(R"({{"required":["a{}"]}})", i);
                                }) + "]}");
     }},
};

constexpr std::string_view kOwnSchema =
    R"({"type":"object","properties":{"spec":{"type":"object","properties":{
  "set":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},
  "map":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name","port"],
    "items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"port":{"type":"integer","default":1,"minimum":0},
      "tags":{"type":"object","additionalProperties":{"type":"string"}}}}},
  "atomic":{"type":"array","x-kubernetes-list-type":"atomic","items":{"type":"object","properties":{"a":{"type":"string","enum":["item-0","x"]}}}},
  "plain":{"type":"array","items":{"type":"integer","maximum":100}},
  "labels":{"type":"object","additionalProperties":{"type":"string","pattern":"^[a-z0-9-]*$","minLength":1}},
  "loose":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
  "either":{"type":"array","items":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]}},
  "one":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"oneOf":[{"required":["a"]},{"required":["b"]}]}},
  "objects":{"type":"array","items":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}},
  "ruled":{"type":"array","maxItems":100000,"items":{"type":"integer","x-kubernetes-validations":[{"rule":"self >= 0 && self != 7"}]}},
  "grid":{"type":"array","items":{"type":"array","items":{"type":"string"}}}}}}})";

std::string sample(const schema::Node& node, std::size_t i, Elements elements, int depth) {
  const bool empty = elements == Elements::kEmpty;
  if (elements == Elements::kSame) i = 0;
  if (node.embedded_resource) {
    return empty ? "{}"
                 : fmt::format(R"({{"apiVersion":"v1","kind":"Any","metadata":{{"name":"e-{}"}}}})",
                               i);
  }
  if (node.int_or_string) return i % 2 == 0 ? fmt::format("{}", i) : fmt::format("\"{}\"", i);
  switch (node.type) {
    case schema::JsonType::kInteger: return empty ? "-1" : fmt::format("{}", i % 100);
    case schema::JsonType::kNumber: return empty ? "-1.5" : fmt::format("{}.5", i);
    case schema::JsonType::kBoolean: return "true";
    case schema::JsonType::kArray:
      return depth > 0 && node.items != nullptr && !empty
                 ? "[" + sample(*node.items, i, elements, depth - 1) + "]"
                 : "[]";
    case schema::JsonType::kObject:
    case schema::JsonType::kNone: break;
    case schema::JsonType::kString: {
      if (node.enumeration)
        return "\"" + std::string(node.enumeration->root().items()[0].as_string()) + "\"";
      return empty ? "\"\"" : fmt::format("\"item-{}\"", i);
    }
  }
  if (empty || depth == 0) return "{}";
  std::string out;
  for (const schema::Property& property : node.properties) {
    out += out.empty() ? "" : ",";
    out += fmt::format("\"{}\":{}", property.name, sample(*property.node, i, elements, depth - 1));
  }
  return "{" + out + "}";
}

void walk_schema(const schema::Node& node, Place at, std::vector<Place>& out) {
  const bool list = node.items != nullptr;
  if (list || node.additional_schema != nullptr || node.preserve_unknown) {
    const schema::NodePtr element = list ? node.items : node.additional_schema;
    at.map = !list;
    at.element = [element](std::size_t i, Elements elements) {
      return element == nullptr ? std::string("{\"a\":1}") : sample(*element, i, elements, 2);
    };
    out.push_back(at);
    if (element == nullptr) return;
    at.name += list ? "[]" : "{}";
    at.pointer += list ? "/0" : "/key-0";
    at.before += list ? "[" : R"({"key-0":)";
    at.after = (list ? "]" : "}") + at.after;
    return walk_schema(*element, at, out);
  }
  for (const schema::Property& property : node.properties) {
    Place below = at;
    below.name += (at.name.empty() ? "" : ".") + property.name;
    below.pointer += "/" + property.name;
    std::string others;
    for (const std::string& name : node.required) {
      if (name == property.name || node.property(name) == nullptr) continue;
      others +=
          fmt::format("\"{}\":{},", name, sample(*node.property(name), 0, Elements::kDistinct, 1));
    }
    below.before += "{" + others + "\"" + property.name + "\":";
    below.after = "}" + below.after;
    walk_schema(*property.node, below, out);
  }
  if (at.pointer == "/spec" || at.pointer.ends_with("/0")) {
    // Side by side; the braces of a map are the object's own.
    at.name += ".<unknown>";
    at.map = true;
    at.element = [](std::size_t i, Elements) { return fmt::format("{}", i); };
    out.push_back(at);
  }
}

// Serves the definition, and adds the places of its storage version.
void add_served(ScalingCases& cases, const std::string& text, Quick quick) {
  const auto document = value::read_yaml(text);
  if (!document) return;
  auto crd = crd::Crd::read(document->fork());
  if (!crd) return;
  const crd::Version* storage = crd->storage_version();
  const auto node = storage != nullptr ? storage->compiled() : Result<schema::NodePtr>(nullptr);
  if (!node || *node == nullptr) return;
  const std::string group(crd->group());
  const std::string kind(crd->names().kind);
  Endpoint endpoint{.kind = kind,
                    .collection = fmt::format("/apis/{}/{}/{}{}", group, storage->name(),
                                              crd->namespaced() ? "namespaces/default/" : "",
                                              crd->names().plural),
                    .least = least_object(type_of(group, storage->name(), kind), kind),
                    .stored = true,
                    .strategic = false};
  std::vector<Place> places;
  for (const schema::Property& property : (*node)->properties) {
    if (schema::is_type_meta(property.name)) continue;
    walk_schema(*property.node,
                {.name = property.name,
                 .pointer = "/" + property.name,
                 .before = "{" + type_of(group, storage->name(), kind) +
                           R"("metadata":{"name":"$NAME"},")" + property.name + "\":",
                 .after = "}",
                 .element = {}},
                places);
  }
  ScalingCases added;
  add_places(added, endpoint, places, quick);
  // Served when the first of its cases is run.
  const auto served = std::make_shared<bool>(false);
  for (ScalingCase& one : added) {
    one.prepare = [served, text, collection = endpoint.collection,
                   inner = std::move(one.prepare)](std::size_t n) {
      if (!std::exchange(*served, true)) {
        send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", text,
             "application/yaml");
        static_cast<void>(server().wait_for(200, collection));
      }
      return inner(n);
    };
    cases.push_back(std::move(one));
  }
}

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

// Operations that each lead through an object of their own, the last key first.
void add_ways(ScalingCases& cases) {
  cases.push_back(
      {"json-patch ConfigMap: objects on the way", false, [](std::size_t n) {
         const std::string object = fresh_name();
         const std::string collection = "/api/v1/namespaces/default/configmaps";
         send("POST", collection,
              R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + object + "\"}}",
              kJson);
         const std::string target = collection + "/" + object;
         const std::string body =
             "[" +
             repeat(n,
                    [n](std::size_t i) {
                      return fmt::format(R"({{"op":"add","path":"/u{0:06}","value":{{}}}},)"
                                         R"({{"op":"add","path":"/u{0:06}/a","value":1}})",
                                         n - i);
                    }) +
             "]";
         return Work{
             .run = [=] { return send("PATCH", target, body, "application/json-patch+json"); },
             .clean_up = [=] { remove(target); }};
       }});
}

}  // namespace

void add_built_in_kinds(ScalingCases& cases) {
  for (const kinds::ResourcePtr& resource : kinds::builtin_resources()) {
    const bool is_crd = resource->plural == "customresourcedefinitions";
    const kinds::StrategicMerge* merge =
        resource->strategy != nullptr ? resource->strategy->strategic_merge() : nullptr;
    if (merge == nullptr && !is_crd) continue;
    const std::string kind =
        resource->group.empty() ? resource->kind : resource->kind + "." + resource->group;
    const std::string type = type_of(resource->group, resource->versions[0].name, resource->kind);
    const std::string_view known_by = resource->kind == "Event" ? kind : resource->kind;
    ShapeWalk shapes;
    shapes.walk(is_crd ? crd::kCrdShape : merge->shape, type, needed_by(known_by));
    const Endpoint endpoint{.kind = kind,
                            .collection = collection_of(*resource),
                            .least = least_object(type, known_by),
                            .group = is_crd ? ".probe.example" : "",
                            .stored = resource->stored()};
    add_places(cases, endpoint, shapes.places,
               resource->plural == "configmaps" ? Quick::kEveryWay : Quick::kOnePlace);
  }
}

void start_server() { server(); }

void forget_history() { server().compact(fmt::format("{}", server().core().hub.revision())); }

void add_definitions(ScalingCases& cases) {
  for (const DefinitionCase& one : kDefinitions) {
    const auto text = one.text;
    cases.push_back({fmt::format("serve a definition: {}", one.name), false, [text](std::size_t n) {
                       const std::string plural = fresh_name() + "s";
                       const std::string body = text(plural, n);
                       const std::string target = fmt::format("{}/{}.probe.example", kCrds, plural);
                       return Work{.run =
                                       [=] {
                                         const int code =
                                             send("POST", std::string(kCrds), body, kJson);
                                         send("GET", "/openapi/v2", "", "");
                                         send("GET", "/openapi/v3", "", "");
                                         send("GET", "/openapi/v3/apis/probe.example/v1", "", "");
                                         send("GET", "/apis/probe.example/v1", "", "");
                                         send("GET", "/apis/probe.example", "", "");
                                         return code;
                                       },
                                   .clean_up = [=] { remove(target); }};
                     }});
    cases.push_back(
        {fmt::format("replace a definition: {}", one.name), false, [text](std::size_t n) {
           const std::string plural = fresh_name() + "s";
           const std::string target = fmt::format("{}/{}.probe.example", kCrds, plural);
           send("POST", std::string(kCrds), text(plural, n - 1), kJson);
           const std::string body = text(plural, n);
           return Work{.run = [=] { return send("PUT", target, body, kJson); },
                       .clean_up = [=] { remove(target); }};
         }});
  }
}

void add_custom_resources(ScalingCases& cases) {
  add_ways(cases);
  add_served(cases, definition("owns", version("v1", true, kOwnSchema)), Quick::kEachPlace);
  add_served(cases, read_file(STRAKE_SOURCE_DIR "/examples/crd/gardens.yaml"), Quick::kOnePlace);
  if (const auto folder = vectors("crds"))
    add_served(cases, read_file(*folder / "certificates.cert-manager.io.yaml"), Quick::kNothing);
}

}  // namespace strake::testing
