#pragma once
// Brings CustomResourceDefinitions to life: names are accepted or found in conflict, accepted ones
// are served, deleted ones take their objects with them.
#include <memory>
#include <string>

#include "api/controllers/controller.h"
#include "api/controllers/crd_names.h"
#include "crd/crd.h"

namespace strake::api {

struct DefinitionFacts {
  std::string group;
  // What it has been given, whether it is established or not: status.acceptedNames.
  std::vector<std::string> resources;  // plural, singular, short names
  std::vector<std::string> kinds;      // and that of lists
  bool waits_for_names = false;        // that others have
};
// Finds definitions by "group".
class DefinitionInformer final : public Informer<DefinitionFacts> {
 public:
  explicit DefinitionInformer(Hub& hub);
};

class CrdController final : public Controller {
 public:
  // `custom` is the strategy of the resources that definitions make; must outlive the registry.
  CrdController(Core& core, DefinitionInformer& definitions, const kinds::Strategy& custom,
                const async::Executor& executor);

 private:
  void at_rest() override;
  boost::asio::awaitable<void> report_failure(std::string key, std::string why) override;
  boost::asio::awaitable<std::chrono::milliseconds> sync(std::string key,
                                                         ObjectPtr object) override;
  boost::asio::awaitable<bool> settle_status(const ObjectPtr& object, const crd::Crd& crd);
  boost::asio::awaitable<std::chrono::milliseconds> finish(const ObjectPtr& object,
                                                           const crd::Crd& crd);
  void serve(const ObjectPtr& object, std::shared_ptr<const crd::Crd> crd);
  void retire(std::string_view crd_name);
  TakenNames names_taken(const crd::Crd& crd);
  boost::asio::awaitable<void> look_again_at_group(std::string group, std::string except);

  struct Served {
    Revision born;  // a definition of the same name may have been made anew
    std::int64_t generation;
    std::string fingerprint;  // of what else decides how it is served
    friend bool operator==(const Served&, const Served&) = default;
  };
  DefinitionInformer& definitions_;
  const kinds::Strategy& custom_;
  std::map<std::string, Served, std::less<>> served_;  // by name of the CRD
  // Up to which revision there is nothing to do, by name of the CRD.
  std::map<std::string, Revision, std::less<>> settled_;
};

}  // namespace strake::api
