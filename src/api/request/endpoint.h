#pragma once
// A resource as it is served now: its description, its objects, and what is made from both on
// demand. Immutable; a CRD that changes gets a new endpoint over the same cache.
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "api/cache/cache.h"
#include "api/metrics/metrics.h"
#include "api/request/answer.h"
#include "api/request/compilations.h"
#include "api/request/converter.h"
#include "api/request/field_indexes.h"
#include "api/request/renderings.h"
#include "kinds/resource.h"
#include "publish/table.h"

namespace strake::api {

// Work on an object of more bytes may take longer than a millisecond, and is a worker's.
inline constexpr std::size_t kDoneAtOnce = 32 * 1024;
// So is running rules that cost more, in units of CEL: Kubernetes takes a million of them for a
// tenth of a second.
inline constexpr std::int64_t kRulesAtOnce = 10'000;

class Endpoint {
 public:
  // The resource began at revision `born`. Objects written before `since` were written under
  // another schema, and are read through the present one. Strategy and converter must outlive the
  // endpoint.
  Endpoint(kinds::ResourcePtr resource, const kinds::Strategy& strategy, const Converter& converter,
           ResourceCache& cache, Revision since, Revision born);

  const kinds::Resource& resource() const { return *resource_; }
  const kinds::ResourcePtr& resource_ptr() const { return resource_; }
  const kinds::Strategy& strategy() const { return strategy_; }
  const Converter& converter() const { return converter_; }
  ResourceCache& cache() const { return cache_; }
  std::uint64_t epoch() const { return epoch_; }
  Revision born() const { return born_; }
  ResourceMetrics& metrics() const { return *metrics_; }

  std::string key(std::string_view namespace_name, std::string_view name) const;
  // Where the objects of a namespace lie; of all of them without one.
  std::string key_prefix(std::string_view namespace_name) const;

  // The object's JSON text in a version, with the fields that the version has. Null when it has to
  // be waited for: for a schema, for a converter, or for a worker, since the object is large. Then
  // make_ready() (verbs/ready.h) gives an object that can be rendered at once.
  Answer<Bytes> render(const Object& object, const kinds::ServedVersion& version) const;
  // Whether that is the text as the store holds it.
  bool is_as_stored(const Object& object, const kinds::ServedVersion& version) const;
  // Whether that text is there already.
  bool is_rendered(const Object& object, const kinds::ServedVersion& version) const {
    return is_as_stored(object, version) || object.rendition(epoch_, version.name) != nullptr;
  }
  bool must_wait(const Object& object, const kinds::ServedVersion& version) const {
    return !is_as_stored(object, version) && is_not_ready(object, version);
  }
  // The same for the last state of a deleted object, which carries the revision of its deletion.
  Answer<Bytes> render_deleted(const Object& object, const kinds::ServedVersion& version,
                               Revision revision) const;
  // The same text made here, however long that takes. Schemas are compiled, and the conversion is
  // one that is done at once.
  Answer<Bytes> make(const Object& object, const kinds::ServedVersion& version) const;
  // An object of a kind that has many versions, settled in the version that it is stored in. Its
  // schema is compiled, and the object outlives the document.
  Answer<value::Document> read_stored(const Object& object) const;

  // The version that an object is stored in: to change an object there loses nothing. `otherwise`
  // for kinds whose stored form is their strategy's business.
  const kinds::ServedVersion& stored_version(const Object& object,
                                             const kinds::ServedVersion& otherwise) const;
  // Whether objects are turned from one version into the other without waiting, and how it is done
  // then. convert() in verbs/ready.h is for all of them.
  bool converts_at_once(const kinds::ServedVersion& from, const kinds::ServedVersion& to) const;
  Answer<> convert_at_once(value::Document& document, const kinds::ServedVersion& from,
                           const kinds::ServedVersion& to, bool fill_defaults) const;

  // Makes schemas of versions; see there.
  const Compilations& compilations() const { return compilations_; }
  // Objects that somebody waits for; see there.
  const Renderings& renderings() const { return renderings_; }
  // By what fields selectors find objects; see there.
  const FieldIndexes& field_indexes() const { return field_indexes_; }

  // Whether the rules of the version may take more than a millisecond on an object of so many
  // bytes. That is told by what they cost on the last ones; the first time they are compiled.
  bool has_slow_rules(const kinds::ServedVersion& version, std::size_t bytes) const;
  void note_rules(const kinds::ServedVersion& version, std::size_t bytes, std::int64_t cost) const;

  const publish::TablePrinter& printer(const kinds::ServedVersion& version) const;

  // Whether calls that store objects hold it (EndpointUse).
  bool is_written_through() const { return writers_.load(std::memory_order_acquire) > 0; }

 private:
  friend class EndpointUse;
  // What rules cost on an object of so many bytes. Not yet known when there are no bytes.
  struct RuleCost {
    std::uint32_t bytes = 0;
    std::uint32_t cost = 0;
  };

  bool is_not_ready(const Object& object, const kinds::ServedVersion& version) const;
  Answer<Bytes> make_converted(const Object& object, const kinds::ServedVersion& version) const;
  std::atomic<RuleCost>& rule_cost(const kinds::ServedVersion& version) const;

  kinds::ResourcePtr resource_;
  const kinds::Strategy& strategy_;
  const Converter& converter_;
  ResourceCache& cache_;
  std::uint64_t epoch_;
  Revision since_;
  Revision born_;
  std::shared_ptr<ResourceMetrics> metrics_;
  Compilations compilations_;
  Renderings renderings_;
  FieldIndexes field_indexes_;
  mutable std::atomic<std::size_t> writers_{0};
  mutable std::vector<std::atomic<RuleCost>> rule_costs_;  // in the order of the versions
  mutable std::mutex mu_;
  mutable std::map<const kinds::ServedVersion*, std::unique_ptr<publish::TablePrinter>>
      printers_;  // guarded by mu_
};
using EndpointPtr = std::shared_ptr<const Endpoint>;

// Held by a call for as long as it may store objects through the endpoint. A definition that names
// another storage version makes a new endpoint; when the last of these is gone, nothing is stored
// in the old version any more.
class EndpointUse {
 public:
  EndpointUse() = default;
  explicit EndpointUse(EndpointPtr endpoint) : endpoint_(std::move(endpoint)) {
    endpoint_->writers_.fetch_add(1, std::memory_order_seq_cst);
  }
  EndpointUse(EndpointUse&& other) noexcept = default;
  EndpointUse& operator=(EndpointUse&& other) noexcept {
    std::swap(endpoint_, other.endpoint_);
    return *this;
  }
  ~EndpointUse() {
    if (endpoint_) endpoint_->writers_.fetch_sub(1, std::memory_order_release);
  }
  const EndpointPtr& endpoint() const { return endpoint_; }

 private:
  EndpointPtr endpoint_;
};

}  // namespace strake::api
