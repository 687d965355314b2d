#pragma once
// What keeps a server going from day to day: backups by a schedule, pages about what is running,
// profiles.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/routes/health.h"
#include "api/routes/route.h"
#include "api/routes/status_pages.h"
#include "async/task.h"
#include "backup/backups.h"
#include "base/time.h"
#include "server/data_dir.h"
#include "server/operations_options.h"

namespace strake::server {

class Operations {
 public:
  // Without a folder nothing is on disk, and there are no backups. The clock must outlive it. Fails
  // when the folder for backups cannot be used.
  static Result<std::unique_ptr<Operations>> make(const OperationsOptions& options,
                                                  const std::optional<DataDir>& folder,
                                                  std::string_view version, const Clock& clock);
  ~Operations();

  std::vector<api::Route*> routes();
  std::vector<api::Health::Check> health_checks();
  void write_metrics(std::string& out) const;

  void start(const async::Executor& executor);
  // Whatever takes long ends soon.
  void cancel();
  // On the loop of that executor.
  async::Task<> stop();

 private:
  Operations() = default;
  api::StatusPages::Lines status_lines() const;

  std::string store_;                         // its file; empty when it lives in memory
  std::unique_ptr<backup::Backups> backups_;  // null without a schedule
  std::unique_ptr<api::StatusPages> pages_;
  std::unique_ptr<api::Route> profiles_;  // null unless they are wanted
};

}  // namespace strake::server
