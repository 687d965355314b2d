#include "runner.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <barrier>
#include <cerrno>
#include <cstring>
#include <thread>
#include <vector>

namespace strake::load {
namespace {

constexpr std::chrono::seconds kConnectTime{30};
constexpr std::chrono::seconds kCallTime{60};
// What is under way when the time is over may take this long.
constexpr std::chrono::seconds kGrace{10};

struct Client {
  std::unique_ptr<Connection> connection;
  std::unique_ptr<Script> script;
  Clock::time_point sent;
  bool busy = false;
  std::uint32_t events = 0;  // as the poller knows them
};

class Poller {
 public:
  Poller() : descriptor_(::epoll_create1(EPOLL_CLOEXEC)) {}
  ~Poller() { ::close(descriptor_); }
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  void watch(Client& client) {
    const std::uint32_t wanted = client.connection->wants_write() ? EPOLLOUT : EPOLLIN;
    if (client.events == wanted) return;
    epoll_event event{};
    event.events = wanted;
    event.data.ptr = &client;
    ::epoll_ctl(descriptor_, client.events == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD,
                client.connection->descriptor(), &event);
    client.events = wanted;
  }

  template <typename Function>
  void wait(Function ready) {
    std::array<epoll_event, 128> events;
    const int count = ::epoll_wait(descriptor_, events.data(), static_cast<int>(events.size()), 50);
    for (int i = 0; i < count; ++i)
      ready(*static_cast<Client*>(events[static_cast<std::size_t>(i)].data.ptr));
  }

 private:
  int descriptor_;
};

struct Shared {
  std::atomic<std::uint64_t> started{0};
  std::uint64_t limit = 0;
  Clock::time_point end;
};

class Thread {
 public:
  Thread(const Endpoint& endpoint, Shared& shared) : endpoint_(endpoint), shared_(shared) {}

  Result<> connect(std::size_t first, std::size_t step, const Plan& plan) {
    for (std::size_t i = first; i < plan.clients; i += step) {
      auto client = std::make_unique<Client>();
      client->connection = std::make_unique<Connection>(endpoint_);
      client->script = plan.make_script(i);
      STRAKE_CHECK(client->connection->open());
      STRAKE_CHECK(wait_for(*client->connection, Until::kConnected, Clock::now() + kConnectTime));
      clients_.push_back(std::move(client));
    }
    return {};
  }

  void work() {
    for (auto& client : clients_) begin(*client);
    const Clock::time_point last = shared_.end + kGrace;
    while (busy_ > 0 && Clock::now() < last) {
      poller_.wait([this](Client& client) { advance(client); });
    }
    if (busy_ > 0) note(fmt::format("{} requests were not answered in time", busy_), busy_);
  }

  Outcome outcome;

 private:
  void begin(Client& client) {
    client.sent = Clock::now();
    const bool over = client.sent >= shared_.end ||
                      (shared_.limit > 0 &&
                       shared_.started.fetch_add(1, std::memory_order_relaxed) >= shared_.limit);
    if (over) return;
    client.connection->send(client.script->next(), client.script->keeps_body());
    client.busy = true;
    ++busy_;
    advance(client);
  }

  void advance(Client& client) {
    if (!client.busy) return;
    const Connection::Step step = client.connection->advance();
    if (step == Connection::Step::kWait) {
      poller_.watch(client);
      return;
    }
    client.busy = false;
    --busy_;
    if (step == Connection::Step::kEnd) {
      note(client.connection->problem(), 1);
      return;  // one client less; the table shows the error
    }
    const auto taken = Clock::now() - client.sent;
    const Answer& answer = client.connection->answer();
    if (client.script->accept(answer)) {
      outcome.latency.add(static_cast<std::uint64_t>(taken.count()));
      outcome.bytes += answer.body_size;
    } else {
      note(
          fmt::format("status {}: {}", answer.status, std::string_view(answer.body).substr(0, 300)),
          1);
    }
    begin(client);
  }

  void note(std::string problem, std::uint64_t count) {
    outcome.errors += count;
    if (outcome.first_error.empty()) outcome.first_error = std::move(problem);
  }

  const Endpoint& endpoint_;
  Shared& shared_;
  Poller poller_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::uint64_t busy_ = 0;
};

}  // namespace

Result<Outcome> run(const Endpoint& endpoint, const Plan& plan) {
  const std::size_t count = std::max<std::size_t>(1, std::min(plan.threads, plan.clients));
  Shared shared;
  shared.limit = plan.max_requests;
  std::vector<std::unique_ptr<Thread>> threads;
  for (std::size_t i = 0; i < count; ++i) {
    threads.push_back(std::make_unique<Thread>(endpoint, shared));
    STRAKE_CHECK(threads.back()->connect(i, count, plan));
  }
  if (plan.on_start) plan.on_start();
  const Clock::time_point start = Clock::now();
  shared.end = start + plan.time;
  std::vector<std::thread> running;
  for (std::size_t i = 1; i < count; ++i)
    running.emplace_back([&thread = *threads[i]] { thread.work(); });
  threads[0]->work();
  for (std::thread& one : running) one.join();
  Outcome all;
  all.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  for (const auto& thread : threads) {
    all.latency.add(thread->outcome.latency);
    all.errors += thread->outcome.errors;
    all.bytes += thread->outcome.bytes;
    if (all.first_error.empty()) all.first_error = thread->outcome.first_error;
  }
  return all;
}

std::string request_text(const Endpoint& endpoint, std::string_view method, std::string_view path,
                         std::string_view body) {
  std::string out = fmt::format(
      "{} {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: strake-load\r\nAccept: application/json\r\n{}",
      method, path, endpoint.host_header, endpoint.authorization);
  if (!body.empty())
    out += fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n", body.size());
  out += "\r\n";
  out += body;
  return out;
}

Result<> wait_for(Connection& connection, Until what, Clock::time_point until) {
  while (true) {
    switch (connection.advance()) {
      case Connection::Step::kAnswer: return {};
      case Connection::Step::kEnd: return fail(Code::kIo, "{}", connection.problem());
      case Connection::Step::kWait: break;
    }
    if (what == Until::kConnected && connection.is_connected()) return {};
    if (what == Until::kHead && connection.has_head()) return {};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return fail(Code::kIo, "the server does not answer");
    pollfd one{connection.descriptor(),
               static_cast<short>(connection.wants_write() ? POLLOUT : POLLIN), 0};
    ::poll(&one, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 1000)));
  }
}

Result<Answer> Caller::call(std::string_view method, std::string_view path, std::string_view body) {
  if (!connection_) {
    auto fresh = std::make_unique<Connection>(endpoint_);
    STRAKE_CHECK(fresh->open());
    STRAKE_CHECK(wait_for(*fresh, Until::kConnected, Clock::now() + kConnectTime));
    connection_ = std::move(fresh);
  }
  connection_->send(request_text(endpoint_, method, path, body), true);
  if (auto done = wait_for(*connection_, Until::kAnswer, Clock::now() + kCallTime); !done) {
    connection_.reset();
    return std::unexpected(std::move(done).error());
  }
  return connection_->answer();
}

}  // namespace strake::load
