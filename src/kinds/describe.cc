#include "kinds/describe.h"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <optional>
#include <string>

#include "base/assert.h"

namespace strake::kinds {
namespace {

using Form = TypeUse::Form;

struct BuiltinName {
  std::string_view word;
  Form form;
  std::string_view go_name;
};
constexpr BuiltinName kBuiltins[] = {
    {"string", Form::kString, "string"},
    {"bool", Form::kBool, "bool"},
    {"int32", Form::kInt32, "int32"},
    {"int64", Form::kInt64, "int64"},
    {"float64", Form::kFloat, "float64"},
    {"bytes", Form::kBytes, "[]uint8"},
    {"uid", Form::kString, "types.UID"},
    {"time", Form::kTime, "v1.Time"},
    {"microtime", Form::kMicroTime, "v1.MicroTime"},
};

// Short names of packages, for types of another one.
struct PackageName {
  std::string_view word;
  std::string_view package;
};
constexpr PackageName kPackages[] = {
    {"meta", "io.k8s.apimachinery.pkg.apis.meta.v1"},
    {"core", "io.k8s.api.core.v1"},
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string_view next_word(std::string_view& rest) {
  rest = trimmed(rest);
  const std::size_t end = rest.find(' ');
  const std::string_view word = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : trimmed(rest.substr(end));
  return word;
}

std::string_view after(std::string_view word, std::string_view prefix) {
  return word.substr(prefix.size());
}

// Reads all declarations. Everything it makes lives as long as it does: for good.
class Registry {
 public:
  Registry() {
    for (const std::string_view text : type_declarations()) read(text);
    for (const auto& [name, type] : types_) {
      // A name that was used and never declared is a mistake in the declarations.
      STRAKE_ASSERT(!type->package.empty());
    }
  }

  const Type& find(std::string_view full_name) const {
    const auto at = types_.find(full_name);
    STRAKE_ASSERT(at != types_.end());
    return *at->second;
  }

 private:
  void read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
      if (trimmed(line).empty()) continue;
      if (line.starts_with(' ')) {
        read_field(line);
      } else {
        read_head(line);
      }
    }
  }

  void read_head(std::string_view line) {
    const std::size_t bar = line.find('|');
    const std::string_view doc =
        bar == std::string_view::npos ? std::string_view() : trimmed(line.substr(bar + 1));
    std::string_view rest = line.substr(0, bar);
    const std::string_view word = next_word(rest);
    if (word == "package") {
      package_ = next_word(rest);
      STRAKE_ASSERT(next_word(rest) == "group");
      group_ = next_word(rest);
      if (group_ == "\"\"") group_ = {};
      STRAKE_ASSERT(next_word(rest) == "version");
      version_ = next_word(rest);
      return;
    }
    current_ = &type(package_, next_word(rest));
    STRAKE_ASSERT(current_->package.empty());
    current_->package = package_;
    current_->group = group_;
    current_->version = version_;
    current_->doc = doc;
    current_->form = form_of(word);
    for (std::string_view option = next_word(rest); !option.empty(); option = next_word(rest)) {
      if (option == "atomic") {
        current_->atomic = true;
      } else if (option == "metadata-required") {
        current_->metadata_required = true;
      } else {
        current_->element = use(option).element;  // of the list or map that it is a name for
      }
    }
  }

  static Type::Form form_of(std::string_view word) {
    if (word == "struct") return Type::Form::kStruct;
    if (word == "kind") return Type::Form::kKind;
    if (word == "review") return Type::Form::kReview;
    if (word == "string") return Type::Form::kString;
    if (word == "list") return Type::Form::kList;
    if (word == "map") return Type::Form::kMap;
    STRAKE_ASSERT(word == "any");
    return Type::Form::kAny;
  }

  void read_field(std::string_view line) {
    STRAKE_ASSERT(current_ != nullptr && current_->is_struct());
    const std::size_t bar = line.find('|');
    STRAKE_ASSERT(bar != std::string_view::npos);
    std::string_view rest = line.substr(0, bar);
    Field field{.doc = trimmed(line.substr(bar + 1))};
    field.name = next_word(rest);
    field.omit_empty = field.name.ends_with('?');
    if (field.omit_empty) field.name.remove_suffix(1);
    field.required = !field.omit_empty;
    std::string_view word = next_word(rest);
    field.pointer = word.starts_with('*');
    if (field.pointer) word.remove_prefix(1);
    field.use = &use(word);
    for (word = next_word(rest); !word.empty(); word = next_word(rest)) read_option(field, word);
    current_->fields.push_back(field);
  }

  static void read_option(Field& field, std::string_view word) {
    if (word == "atomic") {
      field.list_type = Field::ListType::kAtomic;
    } else if (word == "set") {
      field.list_type = Field::ListType::kSet;
    } else if (word.starts_with("map:")) {
      field.list_type = Field::ListType::kMap;
      field.map_key = after(word, "map:");
    } else if (word == "required") {
      field.required = true;
    } else if (word == "optional") {
      field.required = false;
    } else if (word.starts_with("default:")) {
      field.default_json = after(word, "default:");
    } else if (word == "merge") {
      field.merge = true;
    } else {
      STRAKE_ASSERT(word.starts_with("merge:"));
      field.merge = true;
      field.merge_key = after(word, "merge:");
    }
  }

  // Types may be used before they are declared.
  Type& type(std::string_view package, std::string_view name) {
    std::string full = fmt::format("{}.{}", package, name);
    auto at = types_.find(full);
    if (at == types_.end()) {
      const std::string_view kept = keep(std::move(full));
      at = types_.emplace(kept, &made_types_.emplace_back()).first;
      at->second->full_name = kept;
      at->second->name = kept.substr(package.size() + 1);
      at->second->go_name = keep(fmt::format("v1.{}", name));
    }
    return *at->second;
  }

  const TypeUse& use(std::string_view word) {
    const auto at = uses_.find(std::pair(package_, word));
    if (at != uses_.end()) return *at->second;
    const TypeUse* made = &made_uses_.emplace_back(make_use(word));
    uses_.emplace(std::pair(package_, word), made);
    return *made;
  }

  TypeUse make_use(std::string_view word) {
    constexpr std::string_view kMap = "map[string]";
    if (word.starts_with("[]")) {
      const TypeUse& element = use(after(word, "[]"));
      return {Form::kList, keep(fmt::format("[]{}", element.go_name)), nullptr, &element};
    }
    if (word.starts_with(kMap)) {
      const TypeUse& element = use(after(word, kMap));
      return {Form::kMap, keep(fmt::format("map[string]{}", element.go_name)), nullptr, &element};
    }
    for (const BuiltinName& builtin : kBuiltins) {
      if (builtin.word == word) return {builtin.form, builtin.go_name};
    }
    std::string_view package = package_;
    for (const PackageName& other : kPackages) {
      if (word.starts_with(other.word) && word.substr(other.word.size()).starts_with('.')) {
        package = other.package;
        word = word.substr(other.word.size() + 1);
        break;
      }
    }
    const Type& named = type(package, word);
    return {Form::kNamed, named.go_name, &named};
  }

  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

  std::string_view package_;
  std::string_view group_;
  std::string_view version_;
  Type* current_ = nullptr;
  std::deque<std::string> texts_;
  std::deque<Type> made_types_;
  std::deque<TypeUse> made_uses_;
  std::map<std::string_view, Type*> types_;
  std::map<std::pair<std::string_view, std::string_view>, const TypeUse*> uses_;
};

}  // namespace

const Type& described_type(std::string_view full_name) {
  static const Registry& registry = *new Registry();
  return registry.find(full_name);
}

}  // namespace strake::kinds
