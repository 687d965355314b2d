#include "kustomize/tree/node_path.h"

#include <charconv>
#include <optional>

#include "base/trim.h"
#include "kustomize/tree/field_spec.h"
#include "kustomize/tree/node_value.h"
#include "kustomize/tree/resource.h"
#include "schema/pattern/pattern.h"

namespace strake::kustomize {
namespace {

bool is_bracketed(std::string_view part) { return part.starts_with('[') && part.ends_with(']'); }

std::optional<std::size_t> as_index(std::string_view part) {
  std::int64_t index = 0;
  const std::string_view digits = part.starts_with('+') ? part.substr(1) : part;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (digits.empty() || parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size() ||
      index < 0)
    return std::nullopt;
  return static_cast<std::size_t>(index);
}

struct ItemTest {
  std::string_view field;
  std::string_view value;
};

Result<ItemTest> read_test(std::string_view part) {
  const std::string_view inside = part.substr(1, part.size() - 2);
  const std::size_t equals = inside.find('=');
  if (equals == std::string_view::npos) {
    return fail(Code::kInvalid,
                "list path element must contain fieldName=fieldValue for element to match");
  }
  return ItemTest{inside.substr(0, equals), inside.substr(equals + 1)};
}

std::unexpected<Error> wrong_kind(std::string_view expected, const Node& node) {
  return fail(Code::kInvalid, "wrong node kind: expected {} but got {}: node contents:\n{}",
              expected,
              node.is_map()    ? "MappingNode"
              : node.is_list() ? "SequenceNode"
                               : "ScalarNode",
              to_text(node));
}

// The text that expressions are matched with: as it would be written.
std::string written(const Node& node) {
  if (!node.is_scalar()) return to_text(node);
  return node.quoted ? fmt::format("\"{}\"", node.text) : std::string(node.text);
}

class Finder {
 public:
  Finder(const std::vector<std::string>& path, const FindOptions& options, NodeArena& arena)
      : path_(path), options_(options), arena_(arena) {}

  // False when nothing more is to be looked for below.
  Result<> find(Node& node, std::size_t step) {
    if (step == path_.size()) {
      found.push_back(&node);
      return {};
    }
    const std::string& part = path_[step];
    if (const auto index = as_index(part)) return at_index(node, step, *index);
    if (is_bracketed(part)) return at_test(node, step);
    if (part == "*") {
      if (node.is_null()) return {};
      if (!node.is_list()) return wrong_kind("SequenceNode", node);
      for (std::uint32_t i = 0; i < node.count; ++i) STRAKE_CHECK(find(*node.items[i], step + 1));
      return {};
    }
    return at_field(node, step);
  }

  std::vector<Node*> found;

 private:
  Node* make(std::size_t step) {
    if (step == path_.size()) {
      switch (options_.kind) {
        case NodeKind::kMap: return arena_.map();
        case NodeKind::kList: return arena_.list();
        case NodeKind::kScalar: return arena_.scalar({});
      }
    }
    return is_bracketed(path_[step]) || as_index(path_[step]) ? arena_.list() : arena_.map();
  }

  // What kustomize v5.5.0 makes below a null is found and written, but the null stays one: here it
  // is made beside the tree.
  Result<> at_field(Node& node, std::size_t step) {
    if (node.is_null()) {
      if (!options_.create) return {};
      return at_field(*arena_.map(), step);
    }
    if (!node.is_map()) return wrong_kind("MappingNode", node);
    Node* field = node.find(path_[step]);
    if (field == nullptr) {
      if (!options_.create) return {};
      field = make(step + 1);
      append_field(node, arena_.keep(path_[step]), field, arena_);
    }
    return find(*field, step + 1);
  }

  Result<> at_index(Node& node, std::size_t step, std::size_t index) {
    if (!node.is_null() && !node.is_list()) return wrong_kind("SequenceNode", node);
    if (node.is_null() && options_.create) return at_index(*arena_.list(), step, index);
    const std::size_t count = node.is_list() ? node.count : 0;
    if (options_.create && index == count) {
      arena_.append(node, make(step + 1));
    } else if (index >= count) {
      return fail(Code::kInvalid, "index {} specified but only {} elements found", index, count);
    }
    return find(*node.items[index], step + 1);
  }

  Result<> at_test(Node& node, std::size_t step) {
    STRAKE_TRY(const ItemTest test, read_test(path_[step]));
    if (!node.is_null() && !node.is_list()) return wrong_kind("SequenceNode", node);
    if (node.is_null() && options_.create) return at_test(*arena_.list(), step);
    STRAKE_CHECK(schema::check_pattern(test.value));
    const schema::PatternPtr pattern = schema::intern_pattern(test.value);
    // When nothing matches and creating is allowed, an item that does is added and the search
    // repeated.
    for (bool again = options_.create;; again = false) {
      const std::size_t before = found.size();
      STRAKE_CHECK(test_items(node, step, test, *pattern));
      if (found.size() > before || !again) return {};
      Node* value = arena_.scalar(test.value);
      if (test.field.empty()) {
        arena_.append(node, value);
      } else {
        Node* item = arena_.map();
        arena_.append(*item, arena_.keep(test.field), value);
        arena_.append(node, item);
      }
    }
  }

  Result<> test_items(Node& node, std::size_t step, const ItemTest& test,
                      const schema::Pattern& pattern) {
    for (std::uint32_t i = 0; node.is_list() && i < node.count; ++i) {
      Node* item = node.items[i];
      if (test.field.empty()) {
        if (pattern.search(written(*item))) found.push_back(item);
        continue;
      }
      const Node* field = item->find(test.field);
      if (field != nullptr && pattern.search(written(*field))) STRAKE_CHECK(find(*item, step + 1));
    }
    return {};
  }

  const std::vector<std::string>& path_;
  const FindOptions& options_;
  NodeArena& arena_;
};

}  // namespace

// Dots divide, but not within brackets: [name=a.b] tests items, and [a.b] without a test is a field
// whose name has dots.
std::vector<std::string> split_dotted(std::string_view path) {
  const std::vector<std::string> parts = split_path(path, '.');
  std::vector<std::string> out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].starts_with('[') || parts[i].ends_with(']')) {
      out.push_back(parts[i]);
      continue;
    }
    std::string joined = parts[i];
    while (i + 1 < parts.size()) {
      joined += "." + parts[++i];
      if (parts[i].ends_with(']')) break;
    }
    if (joined.find('=') == std::string::npos) {
      const std::size_t from = joined.find_first_not_of("[]");
      const std::size_t to = joined.find_last_not_of("[]");
      joined = from == std::string::npos ? std::string() : joined.substr(from, to - from + 1);
    }
    out.push_back(std::move(joined));
  }
  return out;
}

// Reads, where find_all() also creates and takes wildcards. The two are different functions of
// kyaml, and differ in how they test items: exactly here, by regular expression there.
Result<Node*> look_up(Node& root, const std::vector<std::string>& path) {
  Node* at = &root;
  for (const std::string& raw : path) {
    const std::string_view part = trim(raw, " ");
    if (part.empty()) continue;
    if (at->is_null()) return nullptr;
    if (part == "*") return fail(Code::kInvalid, "wildcard is not supported in PathGetter");
    const auto index = as_index(part);
    if (index || part == "-" || is_bracketed(part)) {
      if (!at->is_list()) return wrong_kind("SequenceNode", *at);
      Node* found = nullptr;
      if (is_bracketed(part)) {
        STRAKE_TRY(const ItemTest test, read_test(part));
        for (Node* item : at->elements()) {
          const Node* field = test.field.empty() ? item : item->find(test.field);
          if (field == nullptr || field->text != test.value) continue;
          found = item;
          break;
        }
      } else if (part == "-") {
        found = at->count == 0 ? nullptr : at->items[at->count - 1];
      } else if (*index < at->count) {
        found = at->items[*index];
      }
      if (found == nullptr) return nullptr;
      at = found;
      continue;
    }
    if (!at->is_map()) return wrong_kind("MappingNode", *at);
    at = at->find(part);
    if (at == nullptr) return nullptr;
  }
  return at;
}

Result<std::vector<Node*>> find_all(Node& root, const std::vector<std::string>& path,
                                    const FindOptions& options, NodeArena& arena) {
  Finder finder(path, options, arena);
  STRAKE_CHECK(finder.find(root, 0));
  return std::move(finder.found);
}

}  // namespace strake::kustomize
