#pragma once
// What the server does with the objects of a kind: how they are read, what is filled in and kept
// when they are written, what is refused and warned of, how they are deleted and shown. Every kind
// has a strategy: the built-in ones (builtin_strategy.h), CustomResourceDefinitions, and all custom
// resources together (custom_resource_strategy.h). Code that serves any kind asks the strategy,
// never for a kind by its name. Strategies are constants; they may be called from any thread.
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "base/time.h"
#include "meta/gvk.h"
#include "meta/shape.h"
#include "patch/strategic_merge.h"
#include "resource/validate.h"
#include "value/value.h"

namespace strake::kinds {

struct Resource;
class ServedVersion;

// A column of a printed table. Custom resources fill it by JSONPath, built-in kinds by
// Strategy::cells(). The column Name of custom resources is understood.
struct Column {
  std::string name;
  std::string type;  // string, integer, number, boolean, date
  std::string format;
  std::string description;
  std::int32_t priority = 0;
  std::string json_path;
};

// What a write is about: the resource and the version that the request names, and who asks. Views,
// valid for the call.
struct WriteRequest {
  const Resource& resource;
  const ServedVersion& version;
  std::string_view user = {};
  std::string_view uid = {};
  std::span<const std::string> groups = {};
  const std::map<std::string, std::vector<std::string>>* extra = nullptr;
  std::string_view now = {};  // RFC 3339, whole seconds
  // The one that prepare_other() and check_other() are called for; prepare_write() and
  // check_write() set it.
  std::string_view subresource = {};
  // Gets what the client is told of a preparation, where it can be told.
  std::vector<std::string>* warnings = nullptr;
};

// How objects travel. kube-apiserver 1.36 reads its own kinds into Go types and custom resources
// into maps, and clients can tell.
struct Wire {
  // The decoder makes an object of the endpoint's type: a body may leave out apiVersion and kind,
  // and what says to be something else is refused before it is judged.
  bool typed = false;
  bool protobuf = false;       // bodies may be protobuf
  bool in_text_order = false;  // what the decoder says depends on the order of members in the text
  bool bare_items = false;     // items of a list do not say what they are
  bool always_continue = false;  // metadata of a list has `continue` when there is nothing more
  // Objects are stored in any of the resource's versions, and turned into the others by their
  // schemas.
  bool many_versions = false;
};

struct DecodeOptions {
  bool from_text = true;                        // the members have positions of a text
  std::vector<std::string>* unknown = nullptr;  // gets the paths of fields that are dropped
};

// What strategic merge patches and their decoder need.
struct StrategicMerge {
  const patch::MergeFields& fields;
  const meta::Shape& shape;
};

// How the deletion of an object goes on.
struct Deletion {
  bool held = false;    // it stays until a controller is done with it
  std::string refused;  // not empty when it may not be deleted: why
};

// Where the deletion of an object stands whose kind lets it end (pods).
enum class GracefulDeletion : std::uint8_t {
  // It is marked, and does not go sooner than it would have: nothing is stored, and the answer is
  // the object as it stands.
  kPending,
  // It has been marked and stays: it is stored, and is the answer. Whoever ends it (a kubelet)
  // deletes it again with a grace period of 0.
  kMarked,
  // It has been marked and goes now, unless finalizers hold it: then it is stored. It is the answer
  // in both cases.
  kAtOnce,
  // Its grace period was over before: it goes, unless finalizers hold it.
  kOver,
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  virtual const Wire& wire() const = 0;

  // Reads an object as it was sent, or as a patch made it: the final shape, with defaults, in
  // place. Fails with kBadRequest and the decoder's words when it cannot be read.
  virtual Result<> decode(value::Value& object, Arena& arena, const ServedVersion& version,
                          const DecodeOptions& options) const = 0;
  // An object that nobody has set anything of: its fields belong to no manager. Null when such an
  // object has no fields.
  virtual const value::Value* zero() const = 0;

  // A write is decoded, prepared and checked, in this order. To prepare is to drop what this
  // endpoint may not change and to fill in what the server sets, in place; metadata is common to
  // all kinds and has been prepared (resource/prepare.h). A check says everything that is wrong,
  // metadata included; it fails only when the kind cannot be had.
  virtual void prepare_create(value::Value& object, Arena& arena,
                              const WriteRequest& request) const = 0;
  virtual Result<resource::Verdict> check_create(const value::Value& object,
                                                 const WriteRequest& request) const = 0;
  virtual void prepare_update(value::Value& object, const value::Value& old, Arena& arena,
                              const WriteRequest& request) const = 0;
  virtual Result<resource::Verdict> check_update(const value::Value& object,
                                                 const value::Value& old,
                                                 const WriteRequest& request) const = 0;
  // The same for the subresource "status", and for the others through which a kind may be written:
  // "finalize" of namespaces, "approval" of CertificateSigningRequests, "ephemeralcontainers" and
  // "resize" of pods. The request names the one.
  virtual void prepare_status(value::Value& object, const value::Value& old, Arena& arena,
                              const WriteRequest& request) const = 0;
  virtual Result<resource::Verdict> check_status(const value::Value& object,
                                                 const value::Value& old,
                                                 const WriteRequest& request) const = 0;
  virtual void prepare_other(value::Value& object, const value::Value& old, Arena& arena,
                             const WriteRequest& request) const = 0;
  virtual Result<resource::Verdict> check_other(const value::Value& object, const value::Value& old,
                                                const WriteRequest& request) const = 0;
  // The group and kind by which a refusal names the object.
  virtual meta::GroupKind refused_as(const value::Value& object,
                                     const WriteRequest& request) const = 0;
  // Told to the client with an accepted write. `old` is null on a create.
  virtual std::vector<std::string> warnings(const value::Value& object,
                                            const value::Value* old) const = 0;
  // The same for a write through "status".
  virtual std::vector<std::string> status_warnings(const value::Value& object,
                                                   const value::Value& old) const {
    return warnings(object, &old);
  }
  // The last touch before an accepted object is stored.
  virtual void after_accept(value::Value& object, Arena& arena) const = 0;

  // Notes on an object that is to be deleted what holds it.
  virtual Deletion prepare_delete(value::Value& object, bool already_deleting, Arena& arena,
                                  const WriteRequest& request) const = 0;
  // Begins a deletion with a grace period: marks the object in place. `asked` is what the client
  // says of the period, in seconds. Nothing for kinds whose objects go at once.
  virtual std::optional<GracefulDeletion> begin_graceful_deletion(value::Value& object,
                                                                  std::optional<std::int64_t> asked,
                                                                  Instant now, Arena& arena) const {
    (void)object, (void)asked, (void)now, (void)arena;
    return std::nullopt;
  }
  // Kinds whose dependents stay when an object is deleted by a client that does not say what
  // becomes of them, with what such a client is told (or nothing).
  struct Orphans {
    std::string_view warning;
  };
  virtual std::optional<Orphans> orphans_by_default() const { return std::nullopt; }
  // Whether an object that is being deleted stays although it has no finalizers.
  virtual bool is_held(const value::Value& object) const = 0;
  // Whether what the server serves follows from these objects: who is told of one finds it served.
  virtual bool decides_what_is_served() const = 0;

  // All columns of the printed table, Name included. None when the columns are those of the
  // version, or when there are none: then it is printed as Name and Created At.
  virtual std::span<const Column> columns() const = 0;
  // One value for each column.
  virtual void cells(const value::Value& object, WallTime now, std::vector<value::Value>& out,
                     Arena& arena) const = 0;

  // Whether a field selector may name the label, beside metadata.name and metadata.namespace.
  virtual bool offers_field(std::string_view label, const ServedVersion& version) const = 0;
  virtual std::string field(const value::Value& object, std::string_view label) const = 0;
  // What is said of a label that it may not name.
  virtual std::string unknown_field(std::string_view label) const {
    return "field label not supported: " + std::string(label);
  }

  // Null when the kind does not take strategic merge patches.
  virtual const StrategicMerge* strategic_merge() const = 0;

  // The selector that the subresource "scale" shows, for kinds whose versions name no path to it.
  virtual std::string scale_selector(const value::Value& object) const {
    (void)object;
    return {};
  }

  // For a kind that is stored as another version of itself (events of events.k8s.io are stored as
  // core events): the object as it is stored, and back as it is served. Other kinds are left as
  // they are.
  virtual void to_stored(value::Value& object, Arena& arena) const = 0;
  virtual void from_stored(value::Value& object, Arena& arena) const = 0;
};

// The strategy's way for the endpoint that a request names: the object itself when the subresource
// is empty.
void prepare_write(const Strategy& strategy, std::string_view subresource, value::Value& object,
                   const value::Value& old, Arena& arena, const WriteRequest& request);
Result<resource::Verdict> check_write(const Strategy& strategy, std::string_view subresource,
                                      const value::Value& object, const value::Value& old,
                                      const WriteRequest& request);

}  // namespace strake::kinds
