// Requests per second over loopback, both ends on this machine, with h2load as the client: one
// 600-byte object, with TLS, over connections that are kept.
//
//   http_bench --benchmark_filter=Get
//   http_bench --serve 8443        serves the same by itself, for profilers
#include <benchmark/benchmark.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <thread>

#include "async/loops.h"
#include "http/pki.h"
#include "http/server.h"

namespace strake::http {
namespace {

class OneObject final : public Handler {
 public:
  bool is_authenticated(const Request&) const override { return true; }
  boost::asio::awaitable<Response> handle(Request request) override {
    Response response;
    response.headers.add("Content-Type", std::string_view("application/json"));
    response.headers.add("Audit-Id", std::string_view("5f6e1d1e-3c2b-4a79-8f1d-0b9a2f7c6d5e"));
    response.headers.add("Cache-Control", std::string_view("no-cache, private"));
    if (request.path == "/list") {
      for (int i = 0; i < 500; ++i) response.body.emplace_back(object_);
    } else {
      response.body.emplace_back(object_);
    }
    co_return response;
  }

 private:
  std::shared_ptr<const std::string> object_ =
      std::make_shared<const std::string>(std::string(600, 'x'));
};

TlsOptions make_tls() {
  const WallTime now = system_clock().now();
  const Validity day{now - std::chrono::hours(1), now + std::chrono::hours(24)};
  const CertifiedKey ca = make_ca("bench", day).value();
  const CertifiedKey own =
      issue_certificate(ca,
                        {.common_name = "bench", .ip_addresses = {"127.0.0.1"}, .validity = day})
          .value();
  return {own.certificate_pem, own.key_pem.reveal(), ca.certificate_pem};
}

struct Running {
  explicit Running(bool tls, std::uint16_t port = 0) {
    ServerOptions options;
    options.port = port;
    if (tls) options.tls = make_tls();
    auto made = Server::listen(std::move(options), loops, handler);
    if (!made) std::fprintf(stderr, "%s\n", made.error().to_string().c_str());
    server = std::move(made).value();
  }
  async::Loops loops{2};
  OneObject handler;
  std::unique_ptr<Server> server;
};

// What the client says, such as "finished in 1.01s, 49321.12 req/s, 34.54MB/s".
std::optional<double> run_client(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  std::optional<double> rate;
  std::array<char, 512> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    double requests = 0;
    const char* comma = std::strchr(line.data(), ',');
    if (std::strncmp(line.data(), "finished in", 11) == 0 && comma != nullptr &&
        std::sscanf(comma, ", %lf req/s", &requests) == 1 && requests > 0) {
      rate = requests;
    }
  }
  ::pclose(pipe);
  return rate;
}

void measure(benchmark::State& state, bool h2, bool tls, std::string_view path) {
  Running running(tls);
  const auto connections = state.range(0);
  const std::int64_t requests = path == "/list" ? 2000 : (connections == 1 ? 20'000 : 60'000);
  const std::string command = fmt::format(
      "h2load -n {} -c {} -m {} {} {}://127.0.0.1:{}{} 2>/dev/null", requests, connections,
      h2 ? 4 : 1, h2 ? "" : "--h1", tls ? "https" : "http", running.server->port(), path);
  double rate = 0;
  for (auto _ : state) {
    const std::optional<double> measured = run_client(command);
    if (!measured) {
      state.SkipWithError("h2load is not there");
      return;
    }
    rate = *measured;
  }
  state.counters["requests/s"] = rate;
}

void BM_GetH1Tls(benchmark::State& state) { measure(state, false, true, "/object"); }
void BM_GetH2Tls(benchmark::State& state) { measure(state, true, true, "/object"); }
void BM_GetH1Plain(benchmark::State& state) { measure(state, false, false, "/object"); }
void BM_ListH1Tls(benchmark::State& state) { measure(state, false, true, "/list"); }
BENCHMARK(BM_GetH1Tls)->Arg(1)->Arg(16)->Arg(64)->Iterations(1)->UseRealTime();
BENCHMARK(BM_GetH2Tls)->Arg(1)->Arg(16)->Arg(64)->Iterations(1)->UseRealTime();
BENCHMARK(BM_GetH1Plain)->Arg(1)->Arg(16)->Arg(64)->Iterations(1)->UseRealTime();
BENCHMARK(BM_ListH1Tls)->Arg(1)->Arg(8)->Iterations(1)->UseRealTime();

}  // namespace
}  // namespace strake::http

int main(int argc, char** argv) {
  if (argc > 2 && std::strcmp(argv[1], "--serve") == 0) {
    const strake::http::Running running(argc <= 3, static_cast<std::uint16_t>(std::atoi(argv[2])));
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
