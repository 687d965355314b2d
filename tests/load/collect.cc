// An owner is deleted, and its dependents are collected while one client goes on reading.
#include <fmt/format.h>

#include "scenarios.h"

namespace strake::load {
namespace {

constexpr std::size_t kMakers = 64;
constexpr std::chrono::milliseconds kLookEvery{20};
constexpr std::chrono::minutes kLongest{30};

std::string dependent_text(std::string_view name, std::uint64_t number, std::string_view owner) {
  std::string out = object_text(name, number, "");
  constexpr std::string_view kMetadata = R"("metadata":{)";
  out.insert(out.find(kMetadata) + kMetadata.size(),
             fmt::format(R"("ownerReferences":[{{"apiVersion":"load.strake.dev/v1","kind":"Cargo",)"
                         R"("name":"owner","uid":"{}"}}],)",
                         owner));
  return out;
}

class DependentScript : public Script {
 public:
  DependentScript(const Endpoint& endpoint, std::string path, std::string owner, std::size_t client)
      : endpoint_(endpoint), path_(std::move(path)), owner_(std::move(owner)), client_(client) {}
  std::string_view next() override {
    request_ = request_text(
        endpoint_, "POST", path_,
        dependent_text(fmt::format("dependent-{:04}-{:07}", client_, number_), number_, owner_));
    ++number_;
    return request_;
  }
  bool keeps_body() const override { return false; }
  bool accept(const Answer& answer) override { return answer.status == 201; }

 private:
  const Endpoint& endpoint_;
  std::string path_;
  std::string owner_;
  std::size_t client_;
  std::uint64_t number_ = 0;
  std::string request_;
};

std::string_view text_member(std::string_view json, std::string_view name) {
  const std::string key = fmt::format(R"("{}":")", name);
  const std::size_t at = json.find(key);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = json.substr(at + key.size());
  return rest.substr(0, rest.find('"'));
}

Result<Answer> expect(Result<Answer> got, int status, std::string_view what) {
  if (!got) return got;
  if (got->status != status)
    return fail(Code::kInvalid, "{}: status {}: {}", what, got->status, got->body.substr(0, 500));
  return got;
}

// Reads until none of the collection is left.
Result<> read_until_empty(const Endpoint& endpoint, const Fixture& fixture,
                          const Settings& settings, Row& row) {
  Caller looking(endpoint);
  Caller reading(endpoint);
  Histogram latency;
  const auto begun = Clock::now();
  auto looked = begun;
  for (std::size_t i = 0;; ++i) {
    const auto before = Clock::now();
    if (before - begun > kLongest) return fail(Code::kTimeout, "dependents are not collected");
    STRAKE_TRY(const Answer got,
               reading.call("GET", fmt::format("{}/{}", fixture.read_path(),
                                               Fixture::read_name(i % settings.objects))));
    const auto after = Clock::now();
    latency.add(static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(after - before).count()));
    if (got.status != 200) ++row.errors;
    if (after - looked < kLookEvery) continue;
    looked = after;
    STRAKE_TRY(const Answer left,
               expect(looking.call("GET", fixture.write_path() + "?limit=1"), 200, "a list"));
    if (left.body.contains(R"("items":[])")) break;
  }
  row.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  row.p50 = latency.quantile(0.5);
  row.p99 = latency.quantile(0.99);
  row.max = latency.max();
  return {};
}

}  // namespace

Result<Row> run_collect(const Endpoint& endpoint, const Fixture& fixture, const Settings& settings,
                        std::size_t dependents) {
  Caller caller(endpoint);
  // What other loads have left is not to be waited for.
  STRAKE_TRY(const Answer cleared,
             expect(caller.call("DELETE", fixture.write_path()), 200, "clearing the collection"));
  STRAKE_TRY(const Answer made,
             expect(caller.call("POST", fixture.write_path(), object_text("owner", 0, "")), 201,
                    "making the owner"));
  Plan plan;
  plan.clients = std::min(kMakers, dependents);
  plan.threads = settings.threads;
  plan.time = kLongest;
  plan.max_requests = dependents;
  plan.make_script = [&, owner = std::string(text_member(made.body, "uid"))](std::size_t client) {
    return std::make_unique<DependentScript>(endpoint, fixture.write_path(), owner, client);
  };
  STRAKE_TRY(const Outcome outcome, run(endpoint, plan));
  Row row;
  row.scenario = "collect";
  row.clients = dependents;
  row.count = outcome.latency.count();
  row.errors = outcome.errors;
  row.first_error = outcome.first_error;
  if (settings.on_start) settings.on_start();
  // A server closes connections that are idle for as long as a million dependents take.
  Caller deleting(endpoint);
  STRAKE_TRY(const Answer gone, expect(deleting.call("DELETE", fixture.write_path() + "/owner",
                                                     R"({"propagationPolicy":"Background"})"),
                                       200, "deleting the owner"));
  STRAKE_CHECK(read_until_empty(endpoint, fixture, settings, row));
  return row;
}

}  // namespace strake::load
