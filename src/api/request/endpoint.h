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
#include "kinds/resource.h"
#include "publish/table.h"

namespace strake::api {

class Endpoint {
 public:
  // The resource began at revision `born`. Objects written before `since` were written under
  // another schema, and are read through the present one. The strategy must outlive the endpoint.
  Endpoint(kinds::ResourcePtr resource, const kinds::Strategy& strategy, ResourceCache& cache,
           Revision since, Revision born);

  const kinds::Resource& resource() const { return *resource_; }
  const kinds::ResourcePtr& resource_ptr() const { return resource_; }
  const kinds::Strategy& strategy() const { return strategy_; }
  ResourceCache& cache() const { return cache_; }
  std::uint64_t epoch() const { return epoch_; }
  Revision born() const { return born_; }
  ResourceMetrics& metrics() const { return *metrics_; }

  std::string key(std::string_view namespace_name, std::string_view name) const;
  // Where the objects of a namespace lie; of all of them without one.
  std::string key_prefix(std::string_view namespace_name) const;

  // The object's JSON text in a version, with the fields that the version has. Fails when only a
  // webhook could make it, since none is called yet.
  Answer<Bytes> render(const Object& object, const kinds::ServedVersion& version) const;
  // Whether that text is there already.
  bool is_rendered(const Object& object, const kinds::ServedVersion& version) const {
    return is_as_stored(object, version) || object.rendition(epoch_, version.name) != nullptr;
  }
  // The same for the last state of a deleted object, which carries the revision of its deletion.
  Answer<Bytes> render_deleted(const Object& object, const kinds::ServedVersion& version,
                               Revision revision) const;

  // The version that an object is stored in: to change an object there loses nothing. `otherwise`
  // for kinds whose stored form is their strategy's business.
  const kinds::ServedVersion& stored_version(const Object& object,
                                             const kinds::ServedVersion& otherwise) const;
  // Turns an object that is settled in one version into another. Defaults are filled in only for
  // `fill_defaults`: kube-apiserver 1.36 applies those of the version an object is stored in, never
  // those of the version it is read in.
  Answer<> convert(value::Document& document, const kinds::ServedVersion& from,
                   const kinds::ServedVersion& to, bool fill_defaults) const;
  // Whether objects of both look the same but for their apiVersion.
  Answer<bool> same_schema(const kinds::ServedVersion& a, const kinds::ServedVersion& b) const;

  // Whether version.kind() is at hand; a definition's is made on first use, which takes a while.
  bool is_compiled(const kinds::ServedVersion& version) const;
  void note_compiled(const kinds::ServedVersion& version) const;

  const publish::TablePrinter& printer(const kinds::ServedVersion& version) const;

 private:
  bool is_as_stored(const Object& object, const kinds::ServedVersion& version) const;
  Answer<Bytes> make(const Object& object, std::string_view text,
                     const kinds::ServedVersion& version) const;
  Answer<Bytes> make_converted(const Object& object, std::string_view text,
                               const kinds::ServedVersion& version) const;

  kinds::ResourcePtr resource_;
  const kinds::Strategy& strategy_;
  ResourceCache& cache_;
  std::uint64_t epoch_;
  Revision since_;
  Revision born_;
  std::shared_ptr<ResourceMetrics> metrics_;
  mutable std::atomic<std::uint64_t> compiled_{0};  // a bit for each of the first 64 versions
  mutable std::mutex mu_;
  mutable std::map<const kinds::ServedVersion*, std::unique_ptr<publish::TablePrinter>>
      printers_;  // guarded by mu_
};
using EndpointPtr = std::shared_ptr<const Endpoint>;

}  // namespace strake::api
