#include "scenarios.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <vector>

namespace strake::load {
namespace {

// Objects in turn, from a place of its own for every client.
class GetScript : public Script {
 public:
  GetScript(const std::vector<std::string>& requests, std::size_t client)
      : requests_(requests), at_(client * 7919) {}
  std::string_view next() override { return requests_[at_++ % requests_.size()]; }
  bool keeps_body() const override { return false; }
  bool accept(const Answer& answer) override {
    return answer.status == 200 && answer.body_size > 500;
  }

 private:
  const std::vector<std::string>& requests_;
  std::size_t at_;
};

class ListScript : public Script {
 public:
  ListScript(std::string request, std::size_t least)
      : request_(std::move(request)), least_(least) {}
  std::string_view next() override { return request_; }
  bool keeps_body() const override { return false; }
  bool accept(const Answer& answer) override {
    return answer.status == 200 && answer.body_size > least_;
  }

 private:
  std::string request_;
  std::size_t least_;
};

class CreateScript : public Script {
 public:
  CreateScript(const Endpoint& endpoint, std::string path, std::string prefix)
      : endpoint_(endpoint), path_(std::move(path)), prefix_(std::move(prefix)) {}
  std::string_view next() override {
    const std::string name = fmt::format("{}-{:07}", prefix_, number_);
    request_ = request_text(endpoint_, "POST", path_, object_text(name, number_, ""));
    ++number_;
    return request_;
  }
  bool keeps_body() const override { return true; }
  bool accept(const Answer& answer) override { return answer.status == 201; }

 private:
  const Endpoint& endpoint_;
  std::string path_;
  std::string prefix_;
  std::uint64_t number_ = 0;
  std::string request_;
};

// Writes one object of its own again and again, each time on top of what it last got.
class UpdateScript : public Script {
 public:
  UpdateScript(const Endpoint& endpoint, std::string path, std::string name, std::string version)
      : endpoint_(endpoint),
        path_(std::move(path)),
        name_(std::move(name)),
        version_(std::move(version)) {}
  std::string_view next() override {
    request_ = request_text(endpoint_, "PUT", path_ + "/" + name_,
                            object_text(name_, ++number_, version_));
    return request_;
  }
  bool keeps_body() const override { return true; }
  bool accept(const Answer& answer) override {
    if (answer.status != 200) return false;
    const std::string_view version = resource_version_of(answer.body);
    const bool moved = version != version_;
    version_ = version;
    return moved;
  }

 private:
  const Endpoint& endpoint_;
  std::string path_;
  std::string name_;
  std::string version_;
  std::uint64_t number_ =
      1'000'000;  // unlike what was created: a write that changes nothing is none
  std::string request_;
};

Plan plan_of(const Settings& settings, std::size_t clients) {
  Plan plan;
  plan.clients = clients;
  plan.threads = settings.threads;
  plan.time = settings.time;
  plan.max_requests = settings.max_requests;
  plan.on_start = settings.on_start;
  return plan;
}

Result<Row> run_row(std::string scenario, const Endpoint& endpoint, const Plan& plan) {
  STRAKE_TRY(const Outcome outcome, run(endpoint, plan));
  Row row;
  row.scenario = std::move(scenario);
  row.clients = plan.clients;
  row.count = outcome.latency.count();
  row.errors = outcome.errors;
  row.seconds = outcome.seconds;
  row.bytes = outcome.bytes;
  row.p50 = outcome.latency.quantile(0.5);
  row.p99 = outcome.latency.quantile(0.99);
  row.max = outcome.latency.max();
  row.first_error = outcome.first_error;
  return row;
}

// Names of one row must not meet those of another.
std::string fresh_prefix(std::string_view what) {
  static std::atomic<unsigned> rows{0};
  return fmt::format("{}-{:03}", what, rows.fetch_add(1));
}

}  // namespace

Result<Row> run_get(const Endpoint& endpoint, const Fixture& fixture, const Settings& settings,
                    std::size_t clients) {
  std::vector<std::string> requests;
  for (std::size_t i = 0; i < settings.objects; ++i) {
    requests.push_back(
        request_text(endpoint, "GET", fixture.read_path() + "/" + Fixture::read_name(i)));
  }
  Plan plan = plan_of(settings, clients);
  plan.make_script = [&](std::size_t client) {
    return std::make_unique<GetScript>(requests, client);
  };
  return run_row("get", endpoint, plan);
}

Result<Row> run_list(const Endpoint& endpoint, const Fixture& fixture, const Settings& settings,
                     std::size_t clients) {
  Plan plan = plan_of(settings, clients);
  plan.make_script = [&](std::size_t) {
    return std::make_unique<ListScript>(request_text(endpoint, "GET", fixture.read_path()),
                                        settings.objects * 500);
  };
  return run_row(fmt::format("list {}", settings.objects), endpoint, plan);
}

Result<Row> run_create(const Endpoint& endpoint, const Fixture& fixture, const Settings& settings,
                       std::size_t clients) {
  Plan plan = plan_of(settings, clients);
  const std::string prefix = fresh_prefix("create");
  plan.make_script = [&](std::size_t client) {
    return std::make_unique<CreateScript>(endpoint, fixture.write_path(),
                                          fmt::format("{}-{:04}", prefix, client));
  };
  return run_row("create", endpoint, plan);
}

Result<Row> run_update(const Endpoint& endpoint, const Fixture& fixture, const Settings& settings,
                       std::size_t clients) {
  const std::string prefix = fresh_prefix("update");
  std::vector<std::string> versions;
  Caller caller(endpoint);
  for (std::size_t i = 0; i < clients; ++i) {
    STRAKE_TRY(const Answer made,
               caller.call("POST", fixture.write_path(),
                           object_text(fmt::format("{}-{:04}", prefix, i), i, "")));
    if (made.status != 201)
      return fail(Code::kInvalid, "making an object: status {}: {}", made.status,
                  made.body.substr(0, 500));
    versions.emplace_back(resource_version_of(made.body));
  }
  Plan plan = plan_of(settings, clients);
  plan.make_script = [&](std::size_t client) {
    return std::make_unique<UpdateScript>(
        endpoint, fixture.write_path(), fmt::format("{}-{:04}", prefix, client), versions[client]);
  };
  return run_row("update", endpoint, plan);
}

}  // namespace strake::load
