#include "server/members.h"

#include <boost/asio/co_spawn.hpp>
#include <filesystem>

#include "async/run.h"
#include "base/log.h"
#include "base/private_folder.h"

namespace strake::server {
namespace {

Result<std::vector<extension::Member>> read_members_file(const std::string& file) {
  STRAKE_TRY(const std::string text, read_file(file));
  auto members = extension::read_members(text, std::filesystem::path(file).parent_path().string());
  if (!members) return std::unexpected(std::move(members).error().in(file));
  return members;
}

async::Task<> start_on_loop(extension::MemberServices& services) {
  co_await services.start();
  co_return Result<>();
}

}  // namespace

Members::Members(std::string file, Means means)
    : file_(std::move(file)), means_(std::move(means)) {}

Result<> Members::check(const std::string& file) {
  STRAKE_TRY(const std::vector<extension::Member> members, read_members_file(file));
  return {};
}

Result<std::unique_ptr<Members>> Members::start(std::string file, Means means) {
  std::unique_ptr<Members> out(new Members(std::move(file), std::move(means)));
  STRAKE_TRY(auto front, kube::ClusterClient::make(out->means_.front, out->means_.loops,
                                                   {.user_agent = "strake"}));
  out->services_ = std::make_unique<extension::MemberServices>(extension::MemberServices::Options{
      .front = std::move(front), .tell = out->means_.tell, .backoff = {}});
  STRAKE_CHECK(async::run_blocking(out->means_.loop, start_on_loop(*out->services_)));
  STRAKE_CHECK(out->load());
  return out;
}

Result<> Members::load() {
  STRAKE_TRY(const std::vector<extension::Member> members, read_members_file(file_));
  std::vector<extension::ReadyMember> ready;
  std::vector<std::string> unready;
  for (const extension::Member& one : members) {
    auto made = extension::make_ready(one, means_.loops);
    if (made) {
      ready.push_back(*std::move(made));
      continue;
    }
    unready.push_back(one.name);
    log::get("server").error("a member cannot be used, what it has stays",
                             {{"member", one.name}, {"error", made.error()}});
  }
  return async::run_blocking(means_.loop, services_->use(std::move(ready), std::move(unready)));
}

async::Task<> Members::stop() {
  const Result<> stopped = co_await services_->stop();
  services_.reset();
  co_return stopped;
}

}  // namespace strake::server
