#include "kustomize/transform/name_reference.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/hash.h"
#include "kustomize/transform/sort_order.h"

// After all renaming, references follow: a table says which fields of which kinds hold the name of
// which target kind. A field still has the name that the target had in the file where both were
// written, so targets are found by their previous names, among those that the referrer can see.
//
// Several may fit, since the same base can be used twice under different prefixes. They are
// narrowed down in a fixed order: kind, role of a binding, namespace, then the prefixes and
// suffixes that both have been given (a pair from one base has them in common). What is still
// ambiguous is an error unless all have the same new name. The order is that of kustomize v5.5.0.
//
// Candidates are indexed by previous name and namespace, so a build costs rows times referrers and
// not the square of its resources.

namespace strake::kustomize {
namespace {

// One has to be a tail of the other.
bool same_ending(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  const auto& shorter = a.size() <= b.size() ? a : b;
  const auto& longer = a.size() <= b.size() ? b : a;
  // Prefixes are listed from the innermost layer out. Resources that were together from some layer
  // on share the outer ones, which are the tail.
  if (shorter.empty()) return longer.empty();
  return std::equal(shorter.rbegin(), shorter.rend(), longer.rbegin());
}

bool same_affixes(const Resource& a, const Resource& b, bool allow_empty) {
  const auto agree = [&](const std::vector<std::string_view>& x,
                         const std::vector<std::string_view>& y) {
    return (allow_empty && (x.empty() || y.empty())) || same_ending(x, y);
  };
  return agree(a.prefixes, b.prefixes) && agree(a.suffixes, b.suffixes);
}

// All resources that once had another name, found by it.
class Candidates {
 public:
  struct Candidate {
    Resource* resource;
    std::uint32_t place;
    bool cluster_scoped;
    std::string_view namespace_name;      // current, effective
    std::string_view original_namespace;  // effective
  };

  Candidates(const ResourceSet& set) {
    all_.reserve(set.size());
    for (std::uint32_t i = 0; i < set.size(); ++i) {
      Resource* resource = set.list()[i];
      const ResourceId id = resource->id(set.scopes());
      const ResourceId original = resource->original_id(set.scopes());
      all_.push_back({resource, i, id.cluster_scoped, id.effective_namespace(),
                      original.effective_namespace()});
    }
    for (std::uint32_t i = 0; i < all_.size(); ++i) {
      const Candidate& one = all_[i];
      std::vector<std::string_view> names;
      for (const PreviousId& previous : one.resource->previous) {
        if (std::ranges::find(names, previous.name) != names.end()) continue;
        names.push_back(previous.name);
        by_name_[previous.name].push_back(i);
        by_name_and_namespace_[key(previous.name, one.namespace_name)].push_back(i);
      }
      originals_[one.namespace_name].insert(one.original_namespace);
      originals_as_written_[one.resource->namespace_name()].insert(one.original_namespace);
    }
  }

  const Candidate& of(std::uint32_t place) const { return all_[place]; }

  // Those that once had the name and that the referrer can see, in load order.
  std::vector<const Candidate*> named(
      std::string_view name, const Candidate& referrer,
      const std::unordered_set<std::string_view>& namespaces) const {
    std::vector<std::uint32_t> places;
    if (referrer.cluster_scoped) {
      if (const auto found = by_name_.find(name); found != by_name_.end()) places = found->second;
    } else {
      add(name, kNoNamespace, places);
      add(name, referrer.namespace_name, places);
      for (const std::string_view namespace_name : namespaces)
        add_as_written(name, namespace_name, referrer, places);
      std::ranges::sort(places);
    }
    std::vector<const Candidate*> out;
    for (const std::uint32_t place : places) out.push_back(&all_[place]);
    return out;
  }

  // Whether any resource that the referrer can see was first in that namespace.
  bool any_original(std::string_view namespace_name, const Candidate& referrer,
                    const std::unordered_set<std::string_view>& namespaces) const {
    if (namespace_name == kNoNamespace) return false;
    const auto in = [&](std::string_view current) {
      const auto found = originals_.find(current);
      return found != originals_.end() && found->second.contains(namespace_name);
    };
    if (referrer.cluster_scoped) {
      return std::ranges::any_of(
          originals_, [&](const auto& one) { return one.second.contains(namespace_name); });
    }
    return in(kNoNamespace) || in(referrer.namespace_name) ||
           std::ranges::any_of(namespaces, [&](std::string_view one) {
             const auto found = originals_as_written_.find(one);
             return found != originals_as_written_.end() && found->second.contains(namespace_name);
           });
  }

 private:
  static std::string key(std::string_view name, std::string_view namespace_name) {
    return std::string(name).append(1, '\0').append(namespace_name);
  }
  void add(std::string_view name, std::string_view namespace_name,
           std::vector<std::uint32_t>& out) const {
    const auto found = by_name_and_namespace_.find(key(name, namespace_name));
    if (found != by_name_and_namespace_.end())
      out.insert(out.end(), found->second.begin(), found->second.end());
  }

  // For other namespaces than its own, a role binding goes by what is written: no namespace is not
  // `default`.
  void add_as_written(std::string_view name, std::string_view namespace_name,
                      const Candidate& referrer, std::vector<std::uint32_t>& out) const {
    const std::string_view effective = namespace_name.empty() ? kDefaultNamespace : namespace_name;
    if (effective == referrer.namespace_name || effective == kNoNamespace) return;
    const auto found = by_name_and_namespace_.find(key(name, effective));
    if (found == by_name_and_namespace_.end()) return;
    for (const std::uint32_t place : found->second) {
      if (all_[place].resource->namespace_name() == namespace_name) out.push_back(place);
    }
  }

  std::vector<Candidate> all_;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>, TextHash> by_name_;
  std::unordered_map<std::string, std::vector<std::uint32_t>, TextHash, std::equal_to<>>
      by_name_and_namespace_;
  std::unordered_map<std::string_view, std::unordered_set<std::string_view>> originals_;
  std::unordered_map<std::string_view, std::unordered_set<std::string_view>> originals_as_written_;
};

using Candidate = Candidates::Candidate;

// Namespaces that the subjects of a role binding name.
Result<std::unordered_set<std::string_view>> subject_namespaces(const Resource& resource) {
  std::unordered_set<std::string_view> out;
  if (resource.kind() != "RoleBinding") return out;
  const Node* subjects = resource.root->find("subjects");
  if (subjects == nullptr) return out;
  for (const Node* subject : subjects->elements()) {
    const Node* namespace_name = subject->find("namespace");
    if (namespace_name == nullptr || subject->text_of("kind") != "ServiceAccount") continue;
    if (!namespace_name->is_scalar() || namespace_name->is_null()) {
      return fail(Code::kInvalid, "Invalid Input: namespace is blank for resource \"{}\"",
                  object_name(*resource.root));
    }
    out.insert(namespace_name->text);
  }
  return out;
}

// A row of the table, ready to be applied.
struct Row {
  const NameReference* target;
  const FieldSpec* spec;
  FieldWriter writer;
};

class Updater {
 public:
  Updater(ResourceSet& set, BuildContext& context, const Candidates& candidates)
      : set_(set), context_(context), candidates_(candidates) {}

  Result<> update(std::uint32_t place, const std::vector<const Row*>& rows) {
    const Candidate& referrer = candidates_.of(place);
    STRAKE_TRY(const auto namespaces, subject_namespaces(*referrer.resource));
    for (const Row* row : rows) {
      // Only what is there now counts, whatever the kind once was.
      Result<> done = row->writer.apply(
          *referrer.resource->root, nullptr,
          [&](Node& node) { return set(node, *row, referrer, namespaces); }, context_.arena);
      if (!done) {
        return std::unexpected(std::move(done).error().prefixed(
            fmt::format("updating name reference in '{}' field of '{}'", row->spec->path,
                        referrer.resource->id(set_.scopes()).to_string())));
      }
    }
    return {};
  }

 private:
  using Namespaces = std::unordered_set<std::string_view>;

  Result<> set(Node& node, const Row& row, const Candidate& referrer,
               const Namespaces& namespaces) {
    if (node.is_null()) return {};
    if (node.is_scalar()) return set_scalar(node, row, referrer, namespaces);
    if (node.is_map()) return set_map(node, row, referrer, namespaces);
    for (Node* item : node.elements()) {
      if (item->is_null()) continue;
      if (item->is_list())
        return fail(Code::kInvalid, "a list is expected to be either a string or a map of string");
      STRAKE_CHECK(item->is_scalar() ? set_scalar(*item, row, referrer, namespaces)
                                     : set_map(*item, row, referrer, namespaces));
    }
    return {};
  }

  Result<> set_scalar(Node& node, const Row& row, const Candidate& referrer,
                      const Namespaces& namespaces) {
    STRAKE_TRY(const Resource* target,
               choose(candidates_.named(node.text, referrer, namespaces), row, referrer, false));
    if (target == nullptr || target->name() == node.text) return {};
    write(node, target->name());
    return {};
  }

  Result<> set_map(Node& node, const Row& row, const Candidate& referrer,
                   const Namespaces& namespaces) {
    Node* name = node.find("name");
    if (name == nullptr) return fail(Code::kInvalid, "path config error; no 'name' field in node");
    std::vector<const Candidate*> found = candidates_.named(name->text, referrer, namespaces);
    if (const Node* namespace_name = node.find("namespace")) {
      // The namespace in the reference may be the one before or after a namespace transformer. The
      // original one is tried when any visible resource had it.
      const bool original = candidates_.any_original(namespace_name->text, referrer, namespaces);
      std::erase_if(found, [&](const Candidate* one) {
        const std::string_view is = original ? one->original_namespace : one->namespace_name;
        return is != namespace_name->text || is == kNoNamespace;
      });
    }
    STRAKE_TRY(const Resource* target, choose(std::move(found), row, referrer, true));
    if (target == nullptr) return {};
    const std::string_view namespace_name = target->namespace_name();
    if (target->name() == name->text && namespace_name.empty()) return {};
    if (target->name() != name->text) write(*name, target->name());
    if (!namespace_name.empty())
      set_field(node, "namespace", context_.arena.scalar(namespace_name), context_.arena);
    return {};
  }

  void write(Node& node, std::string_view text) { context_.arena.rewrite(node, text); }

  // The one that is meant, or null.
  Result<const Resource*> choose(std::vector<const Candidate*> found, const Row& row,
                                 const Candidate& referrer, bool with_namespace) {
    const Gvk wanted{row.target->group, row.target->version, row.target->kind};
    keep(found, [&](const Candidate& one) { return was(*one.resource, wanted); });
    if (row.spec->path.ends_with("roleRef/name")) {
      const Node* ref = referrer.resource->root->find("roleRef");
      const Node* group = ref == nullptr ? nullptr : ref->find("apiGroup");
      const Node* kind = ref == nullptr ? nullptr : ref->find("kind");
      if (group != nullptr && kind != nullptr) {
        const Gvk role{group->text, {}, kind->text};
        keep(found, [&](const Candidate& one) { return was(*one.resource, role); });
      }
    }
    if (!referrer.cluster_scoped) {
      keep(found, [&](const Candidate& one) {
        return one.cluster_scoped || one.resource->kind() == "ServiceAccount" ||
               one.namespace_name == referrer.namespace_name;
      });
    }
    // A single candidate needs no further agreement: affixes only decide between several.
    if (found.size() == 1) return found.front()->resource;
    keep(found, [&](const Candidate& one) {
      return same_affixes(*one.resource, *referrer.resource, true);
    });
    if (found.size() > 1) {
      keep(found, [&](const Candidate& one) {
        return same_affixes(*one.resource, *referrer.resource, false);
      });
    }
    if (found.empty()) return nullptr;
    const Resource* first = found.front()->resource;
    const bool same = std::ranges::all_of(found, [&](const Candidate* one) {
      return one->resource->name() == first->name() &&
             (!with_namespace || one->resource->namespace_name() == first->namespace_name());
    });
    if (same) return first;
    std::vector<std::string> ids;
    for (const Candidate* one : found) ids.push_back(one->resource->id(set_.scopes()).to_string());
    return fail(Code::kConflict, "found multiple possible referrals: {}", fmt::join(ids, ", "));
  }

  template <typename Test>
  static void keep(std::vector<const Candidate*>& list, const Test& test) {
    std::erase_if(list, [&](const Candidate* one) { return !test(*one); });
  }

  static bool was(const Resource& resource, const Gvk& selector) {
    for (std::size_t i = 0; i < resource.previous.size(); ++i) {
      if (resource.previous_id(i).gvk.selected_by(selector)) return true;
    }
    return false;
  }

  ResourceSet& set_;
  BuildContext& context_;
  const Candidates& candidates_;
};

}  // namespace

Result<> update_name_references(ResourceSet& set, const TransformerConfig& config,
                                BuildContext& context) {
  const Candidates candidates(set);
  std::vector<Row> rows;
  for (const NameReference& target : config.name_references) {
    for (const FieldSpec& spec : target.referrers)
      rows.push_back({&target, &spec, FieldWriter(spec)});
  }
  // Rows by the kind that a resource had first.
  std::unordered_map<std::string, std::vector<const Row*>> by_kind;
  Updater updater(set, context, candidates);
  for (std::uint32_t i = 0; i < set.size(); ++i) {
    const Gvk gvk = set.list()[i]->original_id(set.scopes()).gvk;
    const auto [entry, is_new] = by_kind.try_emplace(gvk_sort_text(gvk));
    if (is_new) {
      for (const Row& row : rows) {
        if (gvk.selected_by(row.spec->gvk())) entry->second.push_back(&row);
      }
    }
    STRAKE_CHECK(updater.update(i, entry->second));
  }
  return {};
}

}  // namespace strake::kustomize
