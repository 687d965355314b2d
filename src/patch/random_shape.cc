#include "patch/random_shape.h"

#include <fmt/ranges.h>

#include <string_view>

#include "value/json_writer.h"

namespace strake::patch {

using value::Member;
using value::to_json;
using value::Value;

namespace {

using Kind = Shape::Kind;

bool is_container(const Shape& shape) { return shape.kind >= Kind::kObject; }

std::string properties_of(const Shape& shape, std::string_view keys) {
  std::string out(keys);
  for (const auto& [name, child] : shape.below)
    out += fmt::format(R"({}"{}":{})", out.empty() ? "" : ",", name, schema_of(child));
  return fmt::format(R"("type":"object","properties":{{{}}})", out);
}

class Maker {
 public:
  explicit Maker(Random& random) : random_(random) {}

  std::string make(const Shape& shape, const std::string& path, Leaves& out) {
    switch (shape.kind) {
      case Kind::kNumber: return out[path] = std::to_string(random_.below(3));
      case Kind::kText: return out[path] = fmt::format(R"("{}")", random_.below(3));
      case Kind::kWholeObject:
        return out[path] = random_.chance(50) ? R"({"x":1})" : R"({"x":1,"y":2})";
      case Kind::kWholeList: return out[path] = random_.chance(50) ? "[1,2]" : "[2,1]";
      case Kind::kObject: return wrapped(fields(shape, path, out), '{', '}');
      case Kind::kMap: return wrapped(entries(shape.below[0].shape, path, out), '{', '}');
      case Kind::kSet:
      case Kind::kItems:
      case Kind::kPairs: return wrapped(items(shape, path, out), '[', ']');
    }
    return {};
  }

 private:
  using Texts = std::vector<std::string>;

  static std::string wrapped(const Texts& texts, char open, char close) {
    return texts.empty() ? "" : fmt::format("{}{}{}", open, fmt::join(texts, ","), close);
  }

  Texts fields(const Shape& shape, const std::string& path, Leaves& out) {
    Texts texts;
    for (const auto& [name, child] : shape.below) {
      if (random_.chance(35)) continue;
      const std::string text = make(child, path + "." + name, out);
      if (!text.empty()) texts.push_back(fmt::format(R"("{}":{})", name, text));
    }
    return texts;
  }

  Texts entries(const Shape& child, const std::string& path, Leaves& out) {
    Texts texts;
    for (const char* key : {"a", "b", "c"}) {
      if (random_.chance(50)) continue;
      const std::string text = make(child, path + "." + key, out);
      if (text.empty()) continue;
      if (is_container(child)) out[path + "." + key] = "";
      texts.push_back(fmt::format(R"("{}":{})", key, text));
    }
    return texts;
  }

  Texts items(const Shape& shape, const std::string& path, Leaves& out) {
    Texts texts;
    for (int key = 0; key < 3; ++key) {
      if (random_.chance(50)) continue;
      if (shape.kind == Kind::kSet) {
        const std::string item = fmt::format(R"("{}")", key);
        out[fmt::format("{}[={}]", path, item)] = item;
        texts.push_back(item);
        continue;
      }
      if (shape.kind == Kind::kItems) {
        texts.push_back(item(shape, fmt::format("{}[k={}]", path, key), key, "", out));
        continue;
      }
      for (const char* other : {"TCP", "UDP"}) {
        if (random_.chance(50)) continue;
        const bool left_out = std::string_view(other) == "TCP" && random_.chance(50);
        texts.push_back(item(shape, fmt::format(R"({}[k={},p="{}"])", path, key, other), key,
                             left_out ? "" : other, out));
      }
    }
    random_.shuffle(texts);
    return texts;
  }

  std::string item(const Shape& shape, const std::string& path, int key, std::string_view other,
                   Leaves& out) {
    out[path] = "";
    out[path + ".k"] = std::to_string(key);
    Texts texts = fields(shape, path, out);
    texts.push_back(fmt::format(R"("k":{})", key));
    if (!other.empty())
      texts.push_back(fmt::format(R"("p":{})", out[path + ".p"] = fmt::format(R"("{}")", other)));
    return wrapped(texts, '{', '}');
  }

  Random& random_;
};

}  // namespace

Shape shape_of(Random& random, int levels) {
  Shape out{.kind = static_cast<Kind>(random.below(levels > 0 ? 9 : 4))};
  const bool holds = out.kind == Kind::kObject || out.kind == Kind::kItems ||
                     out.kind == Kind::kPairs || out.kind == Kind::kMap;
  if (!holds) return out;
  const int count = out.kind == Kind::kMap ? 1 : 1 + random.below(3);
  for (int i = 0; i < count; ++i)
    out.below.push_back({fmt::format("f{}", i), shape_of(random, levels - 1)});
  return out;
}

std::string schema_of(const Shape& shape) {
  switch (shape.kind) {
    case Kind::kNumber: return R"({"type":"integer"})";
    case Kind::kText: return R"({"type":"string"})";
    case Kind::kWholeObject:
      return R"({"type":"object","x-kubernetes-map-type":"atomic","properties":{
          "x":{"type":"integer"},"y":{"type":"integer"}}})";
    case Kind::kWholeList: return R"({"type":"array","items":{"type":"integer"}})";
    case Kind::kObject: return "{" + properties_of(shape, "") + "}";
    case Kind::kMap:
      return fmt::format(R"({{"type":"object","additionalProperties":{}}})",
                         schema_of(shape.below[0].shape));
    case Kind::kSet:
      return R"({"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}})";
    case Kind::kItems:
      return fmt::format(
          R"({{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],
              "items":{{{}}}}})",
          properties_of(shape, R"("k":{"type":"integer"})"));
    case Kind::kPairs:
      return fmt::format(
          R"({{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k","p"],
              "items":{{{}}}}})",
          properties_of(shape, R"("k":{"type":"integer"},"p":{"type":"string","default":"TCP"})"));
  }
  return {};
}

std::string configuration_of(const Shape& shape, const std::string& path, Random& random,
                             Leaves& out) {
  return Maker(random).make(shape, path, out);
}

void read_leaves(const Value& v, const Shape& shape, const std::string& path, Leaves& out) {
  if (v.is_null()) return;
  const auto read_fields = [&](const Value& object, const std::string& at) {
    for (const auto& [name, child] : shape.below)
      if (const Value* found = object.find(name)) read_leaves(*found, child, at + "." + name, out);
  };
  switch (shape.kind) {
    case Kind::kNumber:
    case Kind::kText:
    case Kind::kWholeObject:
    case Kind::kWholeList: out[path] = to_json(v); return;
    case Kind::kObject: read_fields(v, path); return;
    case Kind::kMap:
      for (const Member& m : v.members()) {
        const std::string at = fmt::format("{}.{}", path, m.key);
        // An entry that someone still names stays when all in it is gone.
        if (is_container(shape.below[0].shape)) out[at] = "";
        read_leaves(m.value, shape.below[0].shape, at, out);
      }
      return;
    case Kind::kSet:
      for (const Value& one : v.items())
        out[fmt::format("{}[={}]", path, to_json(one))] = to_json(one);
      return;
    case Kind::kItems:
    case Kind::kPairs:
      for (const Value& one : v.items()) {
        std::string at = fmt::format("{}[k={}", path, to_json(one.get("k")));
        const Value* other = one.find("p");
        if (shape.kind == Kind::kPairs)
          at += fmt::format(",p={}", other != nullptr ? to_json(*other) : R"("TCP")");
        at += "]";
        out[at] = "";
        out[at + ".k"] = to_json(one.get("k"));
        if (other != nullptr) out[at + ".p"] = to_json(*other);
        read_fields(one, at);
      }
      return;
  }
}

}  // namespace strake::patch
