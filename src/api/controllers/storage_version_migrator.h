#pragma once
// StorageVersionMigrations, as kube-apiserver and kube-controller-manager 1.36 have them: every
// object of a resource is brought into the version that the resource is stored in now, while
// everybody goes on reading and writing; then the definition's status.storedVersions names that
// version alone. One migration of a resource runs at a time, the oldest first.
//
// How far a migration has come is not written down: what is done is stored in the new version, and
// what is not is found by looking. So a server that was killed goes on where it was.
#include <chrono>
#include <map>
#include <string>

#include "api/controllers/controller.h"
#include "api/controllers/version_rewrite.h"
#include "async/pause.h"
#include "meta/gvk.h"

namespace strake::api {

struct MigrationFacts {
  meta::GroupResource resource;
  std::string name;
  std::string created;   // as it stands in the object
  bool running = false;  // by its condition
  bool ended = false;    // it has succeeded or failed
};
// Finds migrations by "resource": "things.a.example".
class MigrationInformer final : public Informer<MigrationFacts> {
 public:
  explicit MigrationInformer(Hub& hub);
};

// How much work is done at a time, and how often what fails is tried.
struct MigrationPace {
  std::size_t objects = 50;  // rewritten, then
  std::chrono::milliseconds pause{50};
  std::size_t looked_at = 5'000;  // at a time
  std::size_t rounds = 6;         // over those that could not be converted
  async::Backoff between_rounds = {};
};

class StorageVersionMigrator final : public Controller {
 public:
  // The informer must outlive it.
  StorageVersionMigrator(Core& core, MigrationInformer& migrations, MigrationPace pace,
                         const async::Executor& executor);

 private:
  // One walk over all objects of the resource, in the order of their keys.
  struct Walk {
    std::uint64_t epoch = 0;  // of the endpoint that it began with
    std::string next;         // the key to go on with
    bool settled = false;     // when it began, nothing was being stored in another version
    bool found_any = false;   // something that was stored in another one
    std::size_t unconverted = 0;
    Unconverted first = {};  // of them
    std::size_t round = 0;   // walks before this one that left some unconverted
  };
  struct Running {
    meta::GroupResource resource;
    Walk walk;
  };

  boost::asio::awaitable<std::chrono::milliseconds> sync(std::string key,
                                                         ObjectPtr object) override;
  // Marks the oldest migration of the resource that has not ended as running, unless one is.
  boost::asio::awaitable<std::chrono::milliseconds> start_next(meta::GroupResource resource);
  boost::asio::awaitable<bool> start(MigrationFacts migration);
  boost::asio::awaitable<std::chrono::milliseconds> go_on(const MigrationFacts& migration,
                                                          Running& running);
  // The next objects of the walk that are stored in another version, as many as are done at a time.
  std::vector<ObjectPtr> next_elsewhere(const Endpoint& endpoint, Walk& walk,
                                        bool& at_the_end) const;
  boost::asio::awaitable<void> begin_walk(const Endpoint& endpoint, Walk& walk);
  boost::asio::awaitable<std::chrono::milliseconds> finish_walk(const MigrationFacts& migration,
                                                                const EndpointPtr& endpoint,
                                                                Walk& walk);
  // The outcome in the status; `why` is empty for success. False when it could not be written.
  boost::asio::awaitable<bool> end(MigrationFacts migration, std::string why);
  boost::asio::awaitable<bool> write_status(std::string name,
                                            std::function<void(value::Document&)> edit);
  // The definition's condition, and with success its stored versions. False when the definition has
  // changed and the change is not served yet.
  boost::asio::awaitable<bool> release_definition(meta::GroupResource resource,
                                                  std::string migration, bool success);

  MigrationInformer& migrations_;
  const MigrationPace pace_;
  std::map<std::string, Running, std::less<>> running_;  // by the key of the migration
};

}  // namespace strake::api
