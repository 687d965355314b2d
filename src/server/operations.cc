#include "server/operations.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/metrics_text.h"
#include "base/private_folder.h"
#include "base/rfc3339.h"
#include "server/profile_route.h"

namespace strake::server {
namespace {

std::string time_text(WallTime time) { return format_rfc3339(Instant::from(time)); }

// The keys of the server are in its backups, so nobody else may look into their folder.
Result<std::unique_ptr<backup::Backups>> make_backups(const backup::Options& options,
                                                      const DataDir& folder, const Clock& clock) {
  if (!options.folder.empty()) STRAKE_CHECK(PrivateFolder::open(options.folder));
  const std::string path = folder.path();
  return std::make_unique<backup::Backups>(
      options,
      backup::Source{.data_folder = path,
                     .store = folder.file("strake.db"),
                     .keys = [path] { return read_keys(path); }},
      clock);
}

std::uint64_t bytes_of(const std::string& path) {
  std::error_code gone;
  const std::uintmax_t bytes = std::filesystem::file_size(path, gone);
  return gone ? 0 : bytes;
}

void write_store_metrics(const std::string& store, std::string& out) {
  MetricsText text(out);
  const std::uint64_t file = store.empty() ? 0 : bytes_of(store);
  text.family("apiserver_storage_size_bytes", "gauge",
              "[STABLE] Size of the storage database file physically allocated in bytes.");
  text.sample(metric_labels({{"storage_cluster_id", "etcd-0"}}), file);
  text.single("etcd_mvcc_db_total_size_in_bytes", "gauge",
              "Total size of the underlying database physically allocated in bytes.", file);
  text.single("strake_store_wal_size_bytes", "gauge", "Size of the store's write-ahead log.",
              store.empty() ? 0 : bytes_of(store + "-wal"));
}

}  // namespace

Operations::~Operations() = default;

Result<std::unique_ptr<Operations>> Operations::make(const OperationsOptions& options,
                                                     const std::optional<DataDir>& folder,
                                                     std::string_view version, const Clock& clock) {
  std::unique_ptr<Operations> out(new Operations);
  if (folder) out->store_ = folder->file("strake.db");
  if (options.backups && folder) {
    STRAKE_TRY(out->backups_, make_backups(*options.backups, *folder, clock));
  }
  out->pages_ = std::make_unique<api::StatusPages>(
      api::StatusPages::Facts{.version = std::string(version),
                              .flags = options.flags,
                              .more = [self = out.get()] { return self->status_lines(); }},
      clock);
  if (options.profiling) out->profiles_ = std::make_unique<ProfileRoute>(clock);
  return out;
}

std::vector<api::Route*> Operations::routes() {
  std::vector<api::Route*> out = {pages_.get()};
  if (profiles_) out.push_back(profiles_.get());
  return out;
}

std::vector<api::Health::Check> Operations::health_checks() {
  std::vector<api::Health::Check> out;
  if (backups_)
    out.push_back(
        {.name = "backup", .run = [this] { return backups_->health(); }, .for_information = true});
  return out;
}

void Operations::write_metrics(std::string& out) const {
  write_store_metrics(store_, out);
  if (backups_) backups_->write_metrics(out);
}

api::StatusPages::Lines Operations::status_lines() const {
  if (!backups_) return {};
  const backup::Status now = backups_->status();
  api::StatusPages::Lines out;
  out.emplace_back("Last backup", now.last_success ? time_text(*now.last_success) : "none");
  if (now.last_made)
    out.emplace_back("Last backup made",
                     fmt::format("{}, {} bytes, revision {}", now.last_made->name,
                                 now.last_made->bytes, now.last_made->revision));
  if (now.failures_in_a_row > 0 && now.last_failure)
    out.emplace_back("Failed backups",
                     fmt::format("{} since the last good one, at {}", now.failures_in_a_row,
                                 time_text(*now.last_failure)));
  out.emplace_back("Next backup", now.running ? "being made"
                                  : now.next  ? time_text(*now.next)
                                              : "none");
  return out;
}

void Operations::start(const async::Executor& executor) {
  if (backups_) backups_->start(executor);
}

void Operations::cancel() {
  if (backups_) backups_->cancel();
}

async::Task<> Operations::stop() {
  if (backups_) co_return co_await backups_->stop();
  co_return Result<>();
}

}  // namespace strake::server
