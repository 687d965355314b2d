#pragma once
// The objects of a request in the version in which somebody matched it.
#include <list>

#include "api/request/admission.h"
#include "api/request/core.h"

namespace strake::admission {

// Turns an object from one version into the other, in place. As kube-apiserver 1.36 does here,
// nothing is dropped and nothing defaulted: without a converter of its own a custom resource
// changes its apiVersion alone, so that it loses nothing on the way back. Objects of another kind
// than the resource's (Scale) stay as they are.
api::AnswerTask<> convert_for_admission(api::Core& core, const api::Call& call,
                                        value::Document& document, const kinds::ServedVersion& from,
                                        const kinds::ServedVersion& to);

// The kind of the objects of a request in a version: of the resource, or of its subresource.
meta::GroupVersionKind kind_of(const kinds::Resource& resource, const kinds::ServedVersion& version,
                               std::string_view subresource);

// Each version is made once. Of one request; what it refers to must outlive it.
class VersionedObjects {
 public:
  VersionedObjects(api::Core& core, const api::Call& call, const api::AdmissionRequest& request)
      : core_(core), call_(call), request_(request) {}
  VersionedObjects(const VersionedObjects&) = delete;
  VersionedObjects& operator=(const VersionedObjects&) = delete;

  struct Seen {
    const value::Value* object = nullptr;
    const value::Value* old = nullptr;
  };
  // Whether in() has to convert something.
  bool must_convert(const kinds::ServedVersion& version) const;
  // Valid as long as this, and until the object of the request changes.
  api::AnswerTask<Seen> in(const kinds::ServedVersion& version);
  // The same where nothing has to be converted.
  Seen as_asked() const;

 private:
  struct Made {
    const kinds::ServedVersion* version;
    value::Document object;
    value::Document old;
    Seen seen;
  };
  const kinds::ServedVersion& version_of_old() const {
    return request_.old_version != nullptr ? *request_.old_version : *call_.version;
  }

  api::Core& core_;
  const api::Call& call_;
  const api::AdmissionRequest& request_;
  std::list<Made> made_;  // what has been seen stays where it is
};

}  // namespace strake::admission
