#pragma once
// An object as the cache keeps it: its final JSON bytes, with the few facts that selection needs.
// Immutable and shared: get, list and watch send these bytes as they are.
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "meta/selectors.h"
#include "store/store.h"

namespace strake::value {
class Document;
}

namespace strake::api {

class Object;
using ObjectPtr = std::shared_ptr<const Object>;
using store::Bytes;
using store::Revision;

class Object {
 public:
  // From what the store holds: JSON without metadata.resourceVersion, which is put in. Fails with
  // kInternal when the bytes are no object with metadata.
  static Result<ObjectPtr> from_stored(std::string key, std::string_view stored, Revision revision,
                                       Revision create_revision);

  const std::string& key() const { return key_; }  // whole storage key
  std::string_view name() const;                   // its last segment
  // The segment before the name, for resources that live in namespaces.
  std::string_view namespace_name() const;
  Revision revision() const { return revision_; }
  Revision create_revision() const { return create_revision_; }
  const Bytes& bytes() const { return bytes_; }  // in the version it is stored in
  std::string_view api_version() const { return api_version_; }
  std::string_view version() const;  // "v1" of "example.com/v1"
  // What the store holds for it.
  std::string stored() const;

  bool is_owned() const { return owned_; }  // it has metadata.ownerReferences
  bool is_being_deleted() const { return being_deleted_; }

  using Label = std::pair<std::string_view, std::string_view>;
  const std::vector<Label>& labels() const { return labels_; }
  bool matches(const meta::LabelSelector& selector) const;

  // The object with another resource version, as the last state of a deleted object is sent.
  std::string bytes_at(Revision revision) const;

  // The same object in another version, or under a schema that changed after it was written: made
  // by the resource, kept here. `epoch` tells schemas apart. `at` is the revision at which the
  // object was deleted or left a selection, zero for the object as it stood.
  struct Rendition {
    std::uint64_t epoch;
    std::string version;
    Revision at;
    Bytes bytes;
    std::shared_ptr<const Rendition> next;
  };
  // Null when there is none.
  Bytes rendition(std::uint64_t epoch, std::string_view version, Revision at = 0) const;
  void keep_rendition(std::uint64_t epoch, std::string_view version, Bytes bytes,
                      Revision at = 0) const;
  // The same object, for one reader, with a rendition that nobody else's can displace.
  ObjectPtr with_rendition(std::uint64_t epoch, std::string_view version, Bytes bytes) const;

 private:
  std::string key_;
  Bytes bytes_;
  Revision revision_ = 0;
  Revision create_revision_ = 0;
  std::uint32_t version_at_ =
      0;  // where `"resourceVersion":"N",` stands in the bytes, and how long it is
  std::uint32_t version_size_ = 0;
  bool owned_ = false;
  bool being_deleted_ = false;
  std::string_view api_version_;
  std::vector<Label> labels_;
  mutable std::atomic<std::shared_ptr<const Rendition>> renditions_;
};

// The text of an object as a document, whose strings point into it: it must outlive the document.
Result<value::Document> parse_stored(std::string_view text);

// The store's form of encoded JSON: `bytes` must not hold metadata.resourceVersion. Returns the
// object's text with the resource version put in, as it will be served.
Result<std::string> with_resource_version(std::string_view bytes, Revision revision);

}  // namespace strake::api
