#pragma once
// How objects of a resource are turned from one version into another. Most conversions are done at
// once; one that asks somebody else (a webhook) is waited for. Used from any thread.
#include <span>

#include "api/request/eventual.h"
#include "base/cancel.h"
#include "kinds/resource.h"
#include "value/document.h"

namespace strake::api {

struct Conversion {
  const kinds::Resource& resource;
  const kinds::ServedVersion& from;
  const kinds::ServedVersion& to;
  // kube-apiserver 1.36 applies the defaults of the version an object is stored in, never those of
  // the version it is read in.
  bool fill_defaults = false;
  // What the other version has no field for is dropped. kube-apiserver 1.36 does not do so where it
  // converts for admission and for field ownership.
  bool settle = true;
};

class Converter {
 public:
  virtual ~Converter() = default;
  // Whether convert() has the outcome at once. Asked often, also before the schemas are compiled.
  virtual bool is_at_once(const Conversion& conversion) const = 0;
  // Turns objects that are settled in one version into the other, in place. Both schemas are
  // compiled. A wait ends when the token is cancelled; all that is given lives until then.
  virtual Eventual<> convert(const Conversion& conversion, std::span<value::Document> documents,
                             const CancelToken& cancel) const = 0;
};

}  // namespace strake::api
