#include "kinds/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "base/assert.h"
#include "base/lines.h"
#include "base/trim.h"
#include "kinds/types/declarations.h"

namespace strake::kinds {
namespace {

struct BuiltinName {
  std::string_view word;
  TypeUse::Form form;
  std::string_view go_name;
};
constexpr BuiltinName kBuiltins[] = {
    {"string", TypeUse::Form::kString, "string"},
    {"bool", TypeUse::Form::kBool, "bool"},
    {"int32", TypeUse::Form::kInt32, "int32"},
    {"int64", TypeUse::Form::kInt64, "int64"},
    {"float64", TypeUse::Form::kFloat, "float64"},
    {"bytes", TypeUse::Form::kBytes, "[]uint8"},
    {"uid", TypeUse::Form::kString, "types.UID"},
    {"time", TypeUse::Form::kTime, "v1.Time"},
    {"microtime", TypeUse::Form::kMicroTime, "v1.MicroTime"},
    {"nodename", TypeUse::Form::kString, "types.NodeName"},
    {"quantity", TypeUse::Form::kQuantity, "resource.Quantity"},
    {"intorstring", TypeUse::Form::kIntOrString, "intstr.IntOrString"},
    {"objectmeta", TypeUse::Form::kObjectMeta, "v1.ObjectMeta"},
};

// Short names of packages, for types of another one.
struct PackageName {
  std::string_view word;
  std::string_view package;
};
constexpr PackageName kPackages[] = {
    {"meta", "io.k8s.apimachinery.pkg.apis.meta.v1"},
    {"core", "io.k8s.api.core.v1"},
    {"runtime", "io.k8s.apimachinery.pkg.runtime"},
};
// Where the kinds are: types of the other packages are used by them.
constexpr std::string_view kMachinery = "io.k8s.apimachinery.";

std::string_view next_word(std::string_view& rest) {
  rest = trim(rest);
  const std::size_t end = rest.find(' ');
  const std::string_view word = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : trim(rest.substr(end));
  return word;
}

std::string_view after(std::string_view word, std::string_view prefix) {
  return word.substr(prefix.size());
}

// N of "1.N".
int minor_of(std::string_view text) {
  int minor = 0;
  text.remove_prefix(std::min(text.find('.') + 1, text.size()));
  std::from_chars(text.data(), text.data() + text.size(), minor);
  return minor;
}

// A package, and a word in it.
using Name = std::pair<std::string_view, std::string_view>;
struct NameHash {
  std::size_t operator()(const Name& name) const {
    const std::hash<std::string_view> hash;
    return hash(name.first) * 31 + hash(name.second);
  }
};

// Reads declarations as they are asked for. Everything it makes lives as long as it does: for good.
class Registry {
 public:
  Registry() {
    for (std::string_view text : type_declarations()) {
      std::string_view head;
      for (std::string_view rest = text; head.empty() && !rest.empty();)
        head = trim(take_line(rest));
      const Head package = read_package(head);
      texts_of_[package.package].push_back(text);
      if (!package.package.starts_with(kMachinery))
        package_of_.try_emplace(std::pair(package.group, package.version), package.package);
    }
  }

  const Type& find(std::string_view full_name) {
    const std::lock_guard lock(mu_);
    const std::size_t dot = full_name.rfind('.');
    load(full_name.substr(0, dot));
    const auto at = types_.find({full_name.substr(0, dot), full_name.substr(dot + 1)});
    STRAKE_ASSERT(at != types_.end());
    return *at->second;
  }

  const Type* find_kind(const meta::GroupVersionKind& gvk) {
    const std::lock_guard lock(mu_);
    const auto package =
        package_of_.find(std::pair<std::string_view, std::string_view>(gvk.group, gvk.version));
    if (package == package_of_.end()) return nullptr;
    load(package->second);
    const auto at = types_.find({package->second, gvk.kind});
    return at != types_.end() && at->second->is_object() ? at->second : nullptr;
  }

  std::vector<meta::GroupVersionKind> kinds() {
    const std::lock_guard lock(mu_);
    for (const auto& [package, unused] : texts_of_) load(package);
    std::vector<meta::GroupVersionKind> out;
    for (const auto& [unused, type] : types_) {
      if (type->is_object())
        out.push_back(
            {std::string(type->group), std::string(type->version), std::string(type->name)});
    }
    std::sort(out.begin(), out.end());
    return out;
  }

 private:
  struct Head {
    std::string_view package;
    std::string_view group;
    std::string_view version;
  };

  static Head read_package(std::string_view line) {
    Head head;
    STRAKE_ASSERT(next_word(line) == "package");
    head.package = next_word(line);
    STRAKE_ASSERT(next_word(line) == "group");
    head.group = next_word(line);
    if (head.group == "\"\"") head.group = {};
    STRAKE_ASSERT(next_word(line) == "version");
    head.version = next_word(line);
    return head;
  }

  // With all packages that it refers to, so that what is found can be followed by any thread.
  void load(std::string_view package) {
    const auto first = texts_of_.find(package);
    if (first == texts_of_.end() || loaded_.contains(first->first)) return;
    wanted_.push_back(first->first);
    while (!wanted_.empty()) {
      const auto at = texts_of_.find(wanted_.back());
      wanted_.pop_back();
      STRAKE_ASSERT(at != texts_of_.end());
      if (!loaded_.insert(at->first).second) continue;
      for (const std::string_view text : at->second) read(text);
    }
    for (const auto& [name, type] : types_) {
      // A name that was used and never declared is a mistake in the declarations.
      STRAKE_ASSERT(!type->package.empty());
    }
  }

  void read(std::string_view text) {
    current_ = nullptr;
    while (!text.empty()) {
      const std::string_view line = take_line(text);
      if (trim(line).empty()) continue;
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
        bar == std::string_view::npos ? std::string_view() : trim(line.substr(bar + 1));
    std::string_view rest = line.substr(0, bar);
    const std::string_view word = next_word(rest);
    if (word == "package") {
      head_ = read_package(line);
      return;
    }
    current_ = &type(head_.package, next_word(rest));
    STRAKE_ASSERT(current_->package.empty());
    current_->package = head_.package;
    current_->group = head_.group;
    current_->version = head_.version;
    current_->doc = doc;
    current_->form = form_of(word);
    for (std::string_view option = next_word(rest); !option.empty(); option = next_word(rest)) {
      if (option == "atomic") {
        current_->atomic = true;
      } else if (option == "metadata-required") {
        current_->metadata_required = true;
      } else if (option.starts_with("since:")) {
        current_->since = minor_of(option);
      } else if (option.starts_with("deprecated:")) {
        current_->deprecated = minor_of(option);
      } else if (option.starts_with("removed:")) {
        current_->removed = minor_of(option);
      } else if (option.starts_with("use:")) {
        current_->replacement = after(option, "use:");
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
    const std::size_t bar = std::min(line.find('|'), line.size());
    std::string_view rest = line.substr(0, bar);
    Field field{.doc = trim(line.substr(std::min(bar + 1, line.size())))};
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
    } else if (word.starts_with("since:")) {
      field.since = minor_of(word);
    } else if (word.starts_with("removed:")) {
      field.removed = minor_of(word);
    } else if (word.starts_with('#')) {
      field.number = after(word, "#");
    } else if (word.starts_with("in:")) {
      field.within = after(word, "in:");
    } else if (word == "retain-keys") {
      field.retain_keys = true;
    } else if (word == "replace") {
      field.replace = true;
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
    auto at = types_.find({package, name});
    if (at == types_.end()) {
      const std::string_view kept = keep(fmt::format("{}.{}", package, name));
      const std::string_view kept_name = kept.substr(package.size() + 1);
      at =
          types_
              .emplace(Name(kept.substr(0, package.size()), kept_name), &made_types_.emplace_back())
              .first;
      at->second->full_name = kept;
      at->second->name = kept_name;
      at->second->go_name =
          keep(fmt::format("{}.{}", package.substr(package.rfind('.') + 1), name));
      if (!loaded_.contains(package)) wanted_.emplace_back(package);
    }
    return *at->second;
  }

  const TypeUse& use(std::string_view word) {
    const auto at = uses_.find({head_.package, word});
    if (at != uses_.end()) return *at->second;
    const TypeUse* made = &made_uses_.emplace_back(make_use(word));
    uses_.emplace(Name(head_.package, word), made);
    return *made;
  }

  TypeUse make_use(std::string_view word) {
    constexpr std::string_view kMap = "map[string]";
    if (word.starts_with("[]")) {
      const TypeUse& element = use(after(word, "[]"));
      return {TypeUse::Form::kList, keep(fmt::format("[]{}", element.go_name)), nullptr, &element};
    }
    if (word.starts_with(kMap)) {
      const TypeUse& element = use(after(word, kMap));
      return {TypeUse::Form::kMap, keep(fmt::format("map[string]{}", element.go_name)), nullptr,
              &element};
    }
    for (const BuiltinName& builtin : kBuiltins) {
      if (builtin.word == word) return {builtin.form, builtin.go_name};
    }
    std::string_view package = head_.package;
    if (const std::size_t slash = word.find('/'); slash != std::string_view::npos) {
      const std::size_t dot = word.find('.', slash);
      package = keep(fmt::format("io.k8s.api.{}.{}", word.substr(0, slash),
                                 word.substr(slash + 1, dot - slash - 1)));
      word = word.substr(dot + 1);
    }
    for (const PackageName& other : kPackages) {
      if (word.starts_with(other.word) && word.substr(other.word.size()).starts_with('.')) {
        package = other.package;
        word = word.substr(other.word.size() + 1);
        break;
      }
    }
    const Type& named = type(package, word);
    return {TypeUse::Form::kNamed, named.go_name, &named};
  }

  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

  std::map<std::string_view, std::vector<std::string_view>> texts_of_;  // by package
  std::map<std::pair<std::string_view, std::string_view>, std::string_view>
      package_of_;  // by group and version

  std::mutex mu_;
  // All guarded by mu_; what was made stays where it is.
  std::set<std::string_view> loaded_;
  std::vector<std::string_view> wanted_;
  Head head_;
  Type* current_ = nullptr;
  std::deque<std::string> texts_;
  std::deque<Type> made_types_;
  std::deque<TypeUse> made_uses_;
  std::unordered_map<Name, Type*, NameHash> types_;
  std::unordered_map<Name, const TypeUse*, NameHash> uses_;
};

Registry& registry() {
  static Registry& made = *new Registry();
  return made;
}

}  // namespace

std::string_view next_key(std::string_view& keys) {
  const std::size_t end = std::min(keys.find(','), keys.size());
  const std::string_view key = keys.substr(0, end);
  keys.remove_prefix(std::min(end + 1, keys.size()));
  return key;
}

const Type& described_type(std::string_view full_name) { return registry().find(full_name); }

const Type* find_kind(const meta::GroupVersionKind& gvk) { return registry().find_kind(gvk); }

std::vector<meta::GroupVersionKind> declared_kinds() { return registry().kinds(); }

std::optional<RemovedKind> find_removed_kind(const meta::GroupVersionKind& gvk) {
  for (std::string_view text = types::kRemovedKinds; !text.empty();) {
    std::string_view line = take_line(text);
    const auto group_version = meta::parse_group_version(next_word(line));
    if (next_word(line) != gvk.kind || !group_version || group_version->group != gvk.group ||
        (!gvk.version.empty() && group_version->version != gvk.version))
      continue;
    RemovedKind out;
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
      if (word.starts_with("since:")) out.since = minor_of(word);
      if (word.starts_with("deprecated:")) out.deprecated = minor_of(word);
      if (word.starts_with("removed:")) out.removed = minor_of(word);
      if (word.starts_with("use:")) out.replacement = after(word, "use:");
    }
    return out;
  }
  return std::nullopt;
}

}  // namespace strake::kinds
