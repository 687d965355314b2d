#pragma once
// What the server serves under one name: a resource with its kinds, versions, verbs and
// subresources, built-in or custom alike. Immutable once made; a changed CRD becomes a new
// Resource. Discovery, OpenAPI, tables and all verbs are driven by this.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crd/crd.h"
#include "kinds/strategy.h"
#include "meta/gvk.h"
#include "resource/kind.h"
#include "value/document.h"

namespace strake::kinds {

class BuiltinStrategy;

enum class Verb : std::uint8_t {
  kCreate,
  kDelete,
  kDeleteCollection,
  kGet,
  kList,
  kPatch,
  kUpdate,
  kWatch
};
std::string_view to_string(Verb verb);  // "deletecollection"

struct Subresource {
  std::string name;             // "status", "scale", "finalize", "token"
  meta::GroupVersionKind kind;  // what it takes and gives
  std::vector<Verb> verbs;      // in the order of discovery
  // Members of the object that a write here resets, and so never owns.
  std::vector<std::string> resets;
  // Whom requests go on to, if anyone.
  enum class Connection : std::uint8_t {
    kNone,
    kService,  // an endpoint of the service, with the path behind the subresource: "proxy"
    kProxy,    // what listens in the pod or on the node, with that path
    kReads,    // the kubelet, whose answer is read: "log"
    kStream,   // the kubelet, over a connection that changes its protocol: "exec"
  };
  Connection connection = Connection::kNone;
  bool connects() const { return connection != Connection::kNone; }
};

// What a kind asks, when its objects are questions that are answered and not stored.
enum class Review : std::uint8_t {
  kSelf,          // who am I: SelfSubjectReview
  kToken,         // whose token is this: TokenReview
  kTokenRequest,  // a new token of this account: TokenRequest
  kOwnAccess,     // may I: SelfSubjectAccessReview
  kOwnRules,      // what may I: SelfSubjectRulesReview
  kAccess,        // may they: SubjectAccessReview, and LocalSubjectAccessReview in a namespace
  kBinding,       // give the pod to a node: Binding
  kEviction,      // delete the pod if its disruption budget allows: Eviction
};

// The CustomResourceDefinition behind a resource. It is large and rarely needed, so it is read
// again from where it is kept rather than held.
struct Definition {
  std::string name;
  std::int64_t generation = 0;
  bool established = false;
  bool terminating = false;
  // Null when it is gone. May be called from any thread. Whoever looks at many versions holds what
  // it gave meanwhile, so that it is read once.
  std::function<std::shared_ptr<const crd::Crd>()> load;
};

// One version of a resource.
class ServedVersion {
 public:
  std::string name;
  bool served = true;
  bool storage = true;
  std::size_t declared = 0;                    // its place among the versions of the definition
  std::string deprecation_warning;             // the whole text; empty when it is not deprecated
  std::vector<Column> columns;                 // filled by JSONPath, after the name
  std::vector<std::string> selectable_fields;  // JSONPaths: ".spec.color"
  std::vector<Subresource> subresources;
  // Members of the object that a write of the main endpoint resets, and so never owns.
  std::vector<std::string> resets;

  const Subresource* subresource(std::string_view subresource_name) const;
  bool has_status() const { return subresource("status") != nullptr; }

  // The compiled schema and what goes with it, made on first use. Fails when a stored CRD cannot be
  // compiled.
  Result<const resource::Kind*> kind() const;
  // Whether kind() is at hand, or made at once as that of a built-in kind is.
  bool is_compiled() const { return lazy_->made.load(std::memory_order_acquire); }

  // Set one of them, once, when making a Resource.
  void set_kind(std::function<resource::Kind()> make);                // a built-in kind
  void set_definition(std::shared_ptr<const Definition> definition);  // a custom one
  const Definition* definition() const { return definition_.get(); }

 private:
  struct Lazy {
    std::once_flag once;
    std::function<resource::Kind()> make;  // of a built-in kind
    std::optional<Result<resource::Kind>> kind;
    std::atomic<bool> made{false};  // `kind` is there, or `make` is
  };
  Result<resource::Kind> compile() const;

  std::shared_ptr<const Definition> definition_;
  std::shared_ptr<Lazy> lazy_ = std::make_shared<Lazy>();
};

struct Resource {
  std::string group;
  std::string plural;
  std::string singular;
  std::string kind;
  std::string list_kind;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;
  bool namespaced = true;
  std::vector<ServedVersion> versions;  // in order of preference, also those that are not served
  std::vector<std::uint32_t> by_name;   // places in `versions`, by name; empty for built-in kinds
  std::vector<Verb> verbs;              // in the order of discovery
  // Requests are let through whatever their verb: a definition that is being deleted lists fewer
  // verbs, and refuses the others in its own words.
  bool answers_every_verb = false;
  std::string storage_prefix;  // "/registry/configmaps/", "/registry/example.com/widgets/"
  std::shared_ptr<const Definition> definition;  // null for built-in kinds
  // Null where the server makes it: of CustomResourceDefinitions and custom resources, whose checks
  // need the rules.
  const BuiltinStrategy* strategy = nullptr;
  bool keeps_generation = true;       // metadata.generation counts changes outside metadata
  bool unconditional_update = false;  // a PUT without resourceVersion overwrites
  bool create_on_update = false;      // a PUT of a missing object creates it
  bool returns_deleted = false;       // a DELETE is answered with the object that went
  bool picks_addresses = false;       // its objects get cluster IPs and node ports
  // Another resource of the same group and name serves other versions, and has its own strategy:
  // this one is found by its version alone. `stored_as` is the other's kind.
  bool beside = false;
  bool is_namespace = false;     // its objects are what namespaced objects live in
  std::optional<Review> review;  // set for what is answered and not stored
  // The kind of the stored objects where that is not the resource's own: events of events.k8s.io
  // are stored as core events.
  std::optional<meta::GroupVersionKind> stored_as;
  // Another resource serves the same objects in another form.
  bool many_forms = false;
  // Other versions that bodies may be of which are read and not stored.
  std::vector<std::string> older_versions;
  std::chrono::seconds ttl{0};  // events
  // spec.conversion.strategy of the definition is Webhook: only the webhook knows how an object of
  // one version becomes one of another.
  bool converted_by_webhook = false;
  std::string conversion_webhook;  // its spec.conversion.webhook as JSON; empty without
  // How discovery orders groups and versions.
  int group_priority = 1000;
  int version_priority = 100;
  // For built-in kinds: gives OpenAPI v3 schemas of the kind, its list and what they refer to, by
  // full name ("io.k8s.api.core.v1.ConfigMap"), but for the types of crd::builtin_schemas(). Kept
  // for good once they are made. Empty for others.
  std::function<const value::Value&()> openapi_schemas;
  // The name of the kind itself there.
  std::string openapi_name;

  meta::GroupResource group_resource() const { return {group, plural}; }
  meta::GroupKind group_kind() const { return {group, kind}; }
  const ServedVersion* version(std::string_view name) const;  // null when there is none
  const ServedVersion* served_version(std::string_view name) const;
  const ServedVersion& storage_version() const;
  bool has_verb(Verb verb) const;
  bool stored() const { return !review; }
};
using ResourcePtr = std::shared_ptr<const Resource>;

// The resource that an accepted CRD stands for, with the names that were accepted.
ResourcePtr resource_of(const crd::Crd& crd, std::function<std::shared_ptr<const crd::Crd>()> load);
// The same for a definition that is held.
ResourcePtr resource_of(std::shared_ptr<const crd::Crd> crd);

// Those that every server has, in the order of group and plural.
const std::vector<ResourcePtr>& builtin_resources();
// The one of them that is_namespace.
const Resource& namespace_resource();

}  // namespace strake::kinds
