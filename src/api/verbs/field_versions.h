#pragma once
// The versions of a kind that has several, as field ownership needs them: a manager owns fields in
// the version it wrote through, so objects are compared there. Comparing does not wait, but a
// conversion by webhook does. What is not known yet is noted, and whoever compares fetches it and
// compares again:
//
//   while (true) {
//     document = change(old, versions);
//     if (!versions.has_missing()) break;
//     co_await versions.fetch();
//   }
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/request/call.h"
#include "api/request/core.h"
#include "api/request/registry.h"
#include "patch/other_versions.h"

namespace strake::api {

class FieldVersions final : public patch::OtherVersions {
 public:
  // Null where the kind has no other version. Registry and call must outlive it.
  static std::shared_ptr<FieldVersions> of(const Registry& registry, const Call& call);
  FieldVersions(const Registry& registry, const Call& call) : registry_(registry), call_(call) {}

  // Compiles the schemas of the versions in which somebody owns fields of the object.
  AnswerTask<> prepare(Core& core, const value::Value& object) const;

  std::optional<const schema::Node*> schema(std::string_view api_version) const override;
  // As kube-apiserver 1.36 converts for this: through the storage version, and nothing is pruned,
  // so that a field that the other version does not have is seen.
  Result<value::Value> convert(const value::Value& object, std::string_view api_version,
                               Arena& arena) const override;

  bool has_missing() const { return !missing_.empty(); }
  // Refuses only when the call is cancelled. A conversion that fails is an answer too, and given to
  // whoever asks for it again.
  AnswerTask<> fetch();

 private:
  struct Missing {
    std::string key;
    value::Document object;
    const kinds::ServedVersion* to;
  };
  const kinds::ServedVersion* version_of(std::string_view api_version) const;
  // Another resource that serves the same objects in this version; null when there is none.
  EndpointPtr other_form(std::string_view api_version) const;
  AnswerTask<> convert_one(value::Document& document, const kinds::ServedVersion& to) const;

  const Registry& registry_;
  const Call& call_;
  std::map<std::string, Result<value::Document>, std::less<>> known_;
  mutable std::vector<Missing> missing_;
};

}  // namespace strake::api
