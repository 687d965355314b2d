#include <fmt/format.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <mutex>
#include <thread>
#include <vector>

#include "scenarios.h"
#include "value/json_reader.h"

namespace strake::load {
namespace {

constexpr std::chrono::seconds kPatience{30};

struct Watcher {
  std::unique_ptr<Connection> connection;
  std::string rest;        // of a line that has not ended
  std::size_t events = 0;  // so far
  bool ended = false;
};

// Some of the watchers, on one thread. The nth event of every watcher must be the nth write.
class Audience {
 public:
  Audience(const Endpoint& endpoint, std::size_t events)
      : endpoint_(endpoint),
        expected_(events),
        poller_(::epoll_create1(EPOLL_CLOEXEC)),
        last_(events),
        versions_(events),
        arrived_(events) {}
  ~Audience() { ::close(poller_); }
  Audience(const Audience&) = delete;
  Audience& operator=(const Audience&) = delete;

  // Connects, asks, and waits for the head of the answer: from then on everything must come.
  Result<> add(std::string_view request) {
    auto watcher = std::make_unique<Watcher>();
    watcher->connection = std::make_unique<Connection>(endpoint_);
    Connection& connection = *watcher->connection;
    STRAKE_CHECK(connection.open());
    connection.send(request, true);
    STRAKE_CHECK(wait_for(connection, Until::kHead, Clock::now() + kPatience));
    if (connection.answer().status != 200)
      return fail(Code::kInvalid, "watching: status {}", connection.answer().status);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = watcher.get();
    ::epoll_ctl(poller_, EPOLL_CTL_ADD, connection.descriptor(), &event);
    watchers_.push_back(std::move(watcher));
    return {};
  }

  void listen_until(Clock::time_point end) {
    std::array<epoll_event, 256> events;
    while (satisfied_ < watchers_.size() && Clock::now() < end) {
      const int count = ::epoll_wait(poller_, events.data(), static_cast<int>(events.size()), 50);
      for (int i = 0; i < count; ++i) {
        hear(*static_cast<Watcher*>(events[static_cast<std::size_t>(i)].data.ptr));
      }
    }
  }

  std::size_t size() const { return watchers_.size(); }
  Clock::time_point last(std::size_t event) const { return last_[event]; }
  std::uint64_t version(std::size_t event) const { return versions_[event]; }
  std::size_t arrived(std::size_t event) const { return arrived_[event]; }
  std::uint64_t wrong() const { return wrong_; }
  std::uint64_t bytes() const { return bytes_; }
  const std::string& first_error() const { return first_error_; }

 private:
  void hear(Watcher& watcher) {
    if (watcher.ended) return;
    const Connection::Step step = watcher.connection->advance();
    const Clock::time_point now = Clock::now();
    const std::string fresh = watcher.connection->take_stream();
    bytes_ += fresh.size();
    std::string_view left = fresh;
    for (std::size_t end = left.find('\n'); end != std::string_view::npos; end = left.find('\n')) {
      if (watcher.rest.empty()) {
        take(watcher, left.substr(0, end), now);
      } else {
        watcher.rest.append(left.substr(0, end));
        take(watcher, watcher.rest, now);
        watcher.rest = std::string();
      }
      left.remove_prefix(end + 1);
    }
    watcher.rest.append(left);
    if (step == Connection::Step::kWait) return;
    watcher.ended = true;
    ::epoll_ctl(poller_, EPOLL_CTL_DEL, watcher.connection->descriptor(), nullptr);
    if (watcher.events < expected_) {
      note(fmt::format("a watch ended: {}", watcher.connection->problem()));
      ++satisfied_;
    }
  }

  void take(Watcher& watcher, std::string_view line, Clock::time_point now) {
    if (!line.starts_with(R"({"type":"ADDED",)")) {
      note(fmt::format("not the event that was awaited: {}", line.substr(0, 200)));
      return;
    }
    const std::size_t index = watcher.events++;
    if (index >= expected_) {
      note("an event too many");
      return;
    }
    std::uint64_t version = 0;
    const std::string_view text = resource_version_of(line);
    std::from_chars(text.data(), text.data() + text.size(), version);
    if (versions_[index] == 0) versions_[index] = version;
    if (version == 0 || versions_[index] != version) note("events in different order");
    ++arrived_[index];
    last_[index] = now;
    if (watcher.events == expected_) ++satisfied_;
  }

  void note(std::string problem) {
    ++wrong_;
    if (first_error_.empty()) first_error_ = std::move(problem);
  }

  const Endpoint& endpoint_;
  std::size_t expected_;
  int poller_;
  std::vector<std::unique_ptr<Watcher>> watchers_;
  std::size_t satisfied_ = 0;
  std::vector<Clock::time_point> last_;
  std::vector<std::uint64_t> versions_;
  std::vector<std::size_t> arrived_;
  std::uint64_t wrong_ = 0;
  std::uint64_t bytes_ = 0;
  std::string first_error_;
};

struct Write {
  Clock::time_point acknowledged;
  std::uint64_t version = 0;
};

Result<std::string> version_of_collection(Caller& caller, const std::string& path) {
  STRAKE_TRY(const Answer answer, caller.call("GET", path + "?limit=1"));
  STRAKE_TRY(const value::Document list, value::read_json(std::string_view(answer.body)));
  const value::Value* meta = list.root().is_object() ? list.root().find("metadata") : nullptr;
  const value::Value* version =
      meta != nullptr && meta->is_object() ? meta->find("resourceVersion") : nullptr;
  if (version == nullptr || !version->is_string())
    return fail(Code::kInvalid, "a list without a resource version: status {}", answer.status);
  return std::string(version->as_string());
}

// At the rate asked for, or as fast as the server acknowledges.
Result<std::vector<Write>> write_all(Caller& caller, const std::string& path,
                                     const Settings& settings) {
  static unsigned rows = 0;
  const unsigned row = rows++;
  std::vector<Write> out;
  const Clock::time_point start = Clock::now();
  for (std::size_t i = 0; i < settings.watch_events; ++i) {
    std::this_thread::sleep_until(start +
                                  std::chrono::microseconds(1'000'000 * i / settings.watch_rate));
    STRAKE_TRY(
        const Answer made,
        caller.call("POST", path, object_text(fmt::format("watched-{:03}-{:06}", row, i), i, "")));
    Write write{.acknowledged = Clock::now()};
    if (made.status != 201)
      return fail(Code::kInvalid, "a write was refused: status {}: {}", made.status,
                  made.body.substr(0, 300));
    const std::string_view text = resource_version_of(made.body);
    std::from_chars(text.data(), text.data() + text.size(), write.version);
    out.push_back(write);
  }
  return out;
}

void judge(const std::vector<std::unique_ptr<Audience>>& audiences,
           const std::vector<Write>& writes, Row& row) {
  Histogram delays;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    Clock::time_point last = writes[i].acknowledged;
    for (const auto& audience : audiences) {
      last = std::max(last, audience->last(i));
      row.count += audience->arrived(i);
      row.errors += audience->size() - audience->arrived(i);
      if (audience->arrived(i) > 0 && audience->version(i) != writes[i].version) {
        ++row.errors;
        if (row.first_error.empty())
          row.first_error = "an event is not the write that was acknowledged";
      }
    }
    delays.add(static_cast<std::uint64_t>((last - writes[i].acknowledged).count()));
  }
  for (const auto& audience : audiences) {
    row.errors += audience->wrong();
    row.bytes += audience->bytes();
    if (row.first_error.empty()) row.first_error = audience->first_error();
  }
  row.p50 = delays.quantile(0.5);
  row.p99 = delays.quantile(0.99);
  row.max = delays.max();
}

}  // namespace

Result<Row> run_watch(const Endpoint& endpoint, const Fixture& fixture, const Settings& settings,
                      std::size_t watchers) {
  Caller caller(endpoint);
  STRAKE_TRY(const std::string version, version_of_collection(caller, fixture.write_path()));
  const std::string request =
      request_text(endpoint, "GET",
                   fmt::format("{}?watch=true&timeoutSeconds=900&resourceVersion={}",
                               fixture.write_path(), version));
  std::vector<std::unique_ptr<Audience>> audiences;
  for (std::size_t i = 0; i < settings.threads; ++i)
    audiences.push_back(std::make_unique<Audience>(endpoint, settings.watch_events));
  for (std::size_t i = 0; i < watchers; ++i)
    STRAKE_CHECK(audiences[i % audiences.size()]->add(request));

  if (settings.on_start) settings.on_start();
  const Clock::time_point start = Clock::now();
  const auto writing =
      std::chrono::milliseconds(1000 * settings.watch_events / settings.watch_rate);
  const Clock::time_point end = start + writing + kPatience;
  std::vector<std::thread> threads;
  for (const auto& audience : audiences)
    threads.emplace_back([&audience = *audience, end] { audience.listen_until(end); });
  auto writes = write_all(caller, fixture.write_path(), settings);
  for (std::thread& thread : threads) thread.join();
  if (!writes) return std::unexpected(std::move(writes).error());

  Row row;
  row.scenario = "watch";
  row.clients = watchers;
  row.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  judge(audiences, *writes, row);
  return row;
}

}  // namespace strake::load
