#pragma once
// A CustomResourceDefinition (apiextensions.k8s.io/v1), read as the API server reads it: canonical,
// with its defaults filled in. The value it was made from is owned here; everything returned points
// into it. Move-only. Reading is safe from many threads.
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "meta/gvk.h"
#include "meta/object_meta.h"
#include "schema/node.h"
#include "value/document.h"

namespace strake::crd {

class Version {
 public:
  std::string_view name() const { return name_; }
  bool served() const { return served_; }
  bool storage() const { return storage_; }
  bool deprecated() const { return deprecated_; }
  std::optional<std::string_view> deprecation_warning() const { return deprecation_warning_; }
  // The parts as the CRD has them, or null.
  const value::Value* schema_holder() const { return schema_holder_; }  // `schema`
  const value::Value* schema() const { return schema_; }                // `schema.openAPIV3Schema`
  const value::Value* subresources() const { return subresources_; }
  const value::Value* printer_columns() const { return printer_columns_; }
  const value::Value* selectable_fields() const { return selectable_fields_; }
  bool has_status() const;
  bool has_scale() const;

  // The schema compiled, on first use. Null when there is no schema; fails when it cannot be
  // compiled.
  Result<schema::NodePtr> compiled() const;

 private:
  friend class Crd;
  struct Lazy {
    std::mutex mutex;
    std::optional<Result<schema::NodePtr>> node;  // guarded by mutex
  };
  std::string_view name_;
  bool served_ = false;
  bool storage_ = false;
  bool deprecated_ = false;
  std::optional<std::string_view> deprecation_warning_;
  const value::Value* schema_holder_ = nullptr;
  const value::Value* schema_ = nullptr;
  const value::Value* subresources_ = nullptr;
  const value::Value* printer_columns_ = nullptr;
  const value::Value* selectable_fields_ = nullptr;
  std::shared_ptr<Lazy> lazy_ = std::make_shared<Lazy>();
};

struct Names {
  std::string_view plural;
  std::string_view singular;
  std::string_view kind;
  std::string_view list_kind;
  std::vector<std::string_view> short_names;
  std::vector<std::string_view> categories;
};

// The steps below on a value in canonical form that somebody else owns, for whoever has one at
// hand.
void fill_defaults(value::Value& crd, Arena& arena);
void prepare_for_create(value::Value& crd, Arena& arena);
void prepare_for_update(value::Value& crd, const value::Value& old, Arena& arena);
void settle_defaults(value::Value& crd, Arena& arena);
// Whether the value has the parts that canonical form promises.
bool is_canonical(const value::Value& crd);

class Crd {
 public:
  // Takes the document over and edits it. Fails with kBadRequest and the text of the server's
  // answer when a field has the wrong JSON type: "CustomResourceDefinition in version "v1" cannot
  // be handled as ...". Unknown fields are dropped, and their paths appended to `unknown` when it
  // is given.
  static Result<Crd> read(value::Document document, std::vector<std::string>* unknown = nullptr);

  // A view of a value that has been read before and is in canonical form: nothing is copied,
  // checked or filled in. The value must outlive the view and stay as it is.
  static Crd view(const value::Value& canonical);

  Crd(Crd&&) noexcept = default;
  Crd& operator=(Crd&&) noexcept = default;

  // As the server does before it checks: a new CRD starts with an empty status, an updated one
  // keeps the old status; the storage version is noted as stored either way.
  void prepare_for_create();
  void prepare_for_update(const Crd& old);

  // A CRD from a file as a server has it that serves it: Established, when it has no conditions.
  void assume_served();
  // Takes over what the server keeps of an old object whatever is sent: generation, resource
  // version and the rest. An old one from a file, which has no version, gets one. For checks away
  // from a server.
  void continue_from(Crd& old);

  // Puts the metadata inside defaults of embedded resources into canonical form, as the server's
  // own check leaves it. To be called when the CRD has been accepted, before it is stored.
  void settle_defaults();

  const value::Value& value() const { return document_.root(); }
  meta::ObjectMeta metadata() const { return meta::ObjectMeta::of(document_.root()); }
  std::string_view name() const { return metadata().name(); }
  std::string_view group() const { return group_; }
  std::string_view scope() const { return scope_; }
  bool namespaced() const { return scope_ == "Namespaced"; }
  const Names& names() const { return names_; }
  const Names& accepted_names() const { return accepted_names_; }
  bool preserve_unknown_fields() const { return preserve_unknown_fields_; }
  const std::vector<Version>& versions() const { return versions_; }
  const Version* version(std::string_view name) const;  // null when there is none
  const Version* storage_version() const;
  const value::Value* conversion() const { return conversion_; }
  // status.storedVersions; null when there are none.
  const value::Value* stored_versions() const;
  bool condition_is_true(std::string_view type) const;

  meta::GroupResource group_resource() const {
    return {std::string(group_), std::string(names_.plural)};
  }
  meta::GroupKind group_kind() const { return {std::string(group_), std::string(names_.kind)}; }

 private:
  explicit Crd(value::Document document) : document_(std::move(document)) {}
  void index();

  value::Document document_;
  std::string_view group_;
  std::string_view scope_;
  bool preserve_unknown_fields_ = false;
  Names names_;
  Names accepted_names_;
  std::vector<Version> versions_;
  const value::Value* conversion_ = nullptr;
};

}  // namespace strake::crd
