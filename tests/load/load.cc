// Puts an API server under load and prints what it stood: rates, and how long answers took.
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <span>
#include <sstream>
#include <vector>

#include "scenarios.h"

namespace strake::load {
namespace {

constexpr std::string_view kUsage = R"(usage: strake_load --kubeconfig FILE [FLAGS]

Puts a server that speaks the Kubernetes API under load. Installs a definition of group
load.strake.dev and two namespaces, and removes them at the end.

  --kubeconfig FILE   server and credentials of its current context
  --server URL        instead of a kubeconfig, with --ca, --cert, --key, --token FILE
  --insecure          do not check the server's certificate
  --scenarios LIST    of get,list,create,update,watch,collect (default all but collect)
  --clients LIST      for get, create and update (default 1,16,64)
  --list-clients LIST for list (default 1,8)
  --watchers LIST     for watch (default 1000)
  --watch-events N    writes that are watched (default 50)
  --watch-rate N      of them in a second (default 20)
  --dependents LIST   of an owner that is deleted, for collect (default 10000)
  --objects N         in a list (default 500)
  --seconds N         for each row (default 3)
  --requests N        at most, for each row (default no limit)
  --threads N         of the load itself (default 1)
  --pid PID           of a server on this machine: its processor time and memory are shown too
  --keep              leave everything on the server, which is thrown away anyway
  --json              rows as JSON
)";

struct Options {
  std::map<std::string, std::string, std::less<>> texts;
  bool json = false;
  bool insecure = false;
  bool keep = false;
};

constexpr std::string_view kTexts[] = {
    "kubeconfig", "server",  "ca",           "cert",     "key",          "token",
    "scenarios",  "clients", "list-clients", "watchers", "watch-events", "watch-rate",
    "dependents", "objects", "seconds",      "requests", "threads",      "pid"};

Result<Options> parse(std::span<char*> arguments) {
  Options out;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string_view flag = arguments[i];
    if (!flag.starts_with("--")) return fail(Code::kUsage, "not a flag: {}", flag);
    flag.remove_prefix(2);
    if (flag == "json" || flag == "insecure" || flag == "keep") {
      (flag == "json" ? out.json : flag == "keep" ? out.keep : out.insecure) = true;
      continue;
    }
    std::string value;
    if (const std::size_t equals = flag.find('='); equals != std::string_view::npos) {
      value = flag.substr(equals + 1);
      flag = flag.substr(0, equals);
    } else if (i + 1 < arguments.size()) {
      value = arguments[++i];
    } else {
      return fail(Code::kUsage, "--{} wants a value", flag);
    }
    if (std::find(std::begin(kTexts), std::end(kTexts), flag) == std::end(kTexts))
      return fail(Code::kUsage, "no such flag: --{}", flag);
    out.texts[std::string(flag)] = std::move(value);
  }
  return out;
}

Result<std::size_t> number(const Options& options, std::string_view name, std::size_t fallback,
                           std::size_t least, std::size_t most) {
  const auto found = options.texts.find(name);
  if (found == options.texts.end()) return fallback;
  const std::string& text = found->second;
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
    return fail(Code::kUsage, "--{} wants a number from {} to {}, got \"{}\"", name, least, most,
                text);
  return value;
}

std::vector<std::string> words(const Options& options, std::string_view name,
                               std::string_view fallback) {
  const auto found = options.texts.find(name);
  std::stringstream in(found == options.texts.end() ? std::string(fallback) : found->second);
  std::vector<std::string> out;
  for (std::string word; std::getline(in, word, ',');) {
    if (!word.empty()) out.push_back(word);
  }
  return out;
}

Result<std::vector<std::size_t>> numbers(const Options& options, std::string_view name,
                                         std::string_view fallback, std::size_t most) {
  std::vector<std::size_t> out;
  for (const std::string& word : words(options, name, fallback)) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value == 0 || value > most)
      return fail(Code::kUsage, "--{} wants numbers from 1 to {}, got \"{}\"", name, most, word);
    out.push_back(value);
  }
  return out;
}

Result<Target> target_of(const Options& options) {
  const auto file = [&](std::string_view name) -> Result<std::string> {
    const auto found = options.texts.find(name);
    if (found == options.texts.end()) return std::string();
    return read_file(found->second);
  };
  Target out;
  if (const auto path = options.texts.find("kubeconfig"); path != options.texts.end()) {
    STRAKE_TRY(out, read_kubeconfig(path->second));
  }
  if (const auto url = options.texts.find("server"); url != options.texts.end())
    out.url = url->second;
  if (out.url.empty()) return fail(Code::kUsage, "give --kubeconfig or --server");
  if (options.insecure) out.insecure = true;
  STRAKE_TRY(std::string ca, file("ca"));
  if (!ca.empty()) out.ca_pem = std::move(ca);
  STRAKE_TRY(std::string certificate, file("cert"));
  if (!certificate.empty()) out.certificate_pem = std::move(certificate);
  STRAKE_TRY(std::string key, file("key"));
  if (!key.empty()) out.key_pem = Secret(std::move(key));
  STRAKE_TRY(std::string token, file("token"));
  while (token.ends_with('\n')) token.pop_back();
  if (!token.empty()) out.token = Secret(std::move(token));
  return out;
}

// Processor seconds and resident bytes of a process; zero when it is not known.
struct Usage {
  double seconds = 0;
  std::uint64_t resident = 0;
};

Usage usage_of(std::size_t pid) {
  Usage out;
  if (pid == 0) return out;
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return out;
  std::stringstream fields(line.substr(name_end + 2));
  std::vector<std::string> all;
  for (std::string field; fields >> field;) all.push_back(field);
  if (all.size() < 22) return out;
  const double ticks = static_cast<double>(std::stoull(all[11]) + std::stoull(all[12]));
  out.seconds = ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
  out.resident = std::stoull(all[21]) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return out;
}

struct Printed {
  Row row;
  double cpu_us = 0;      // of the server, for one answer or event
  double own_cpu_us = 0;  // of the load itself
  std::uint64_t resident = 0;
};

std::string human(std::uint64_t nanoseconds) {
  const double us = static_cast<double>(nanoseconds) / 1000;
  return us < 1000 ? fmt::format("{:.0f} us", us) : fmt::format("{:.2f} ms", us / 1000);
}

void print_text(const Printed& printed) {
  const Row& row = printed.row;
  fmt::print("{:<10}{:>8}{:>12.0f}{:>11}{:>11}{:>11}{:>10.1f}{:>8}", row.scenario, row.clients,
             row.rate(), human(row.p50), human(row.p99), human(row.max),
             row.seconds > 0 ? static_cast<double>(row.bytes) / row.seconds / 1e6 : 0, row.errors);
  fmt::print("{:>9.1f} us", printed.own_cpu_us);
  if (printed.resident > 0)
    fmt::print("{:>11.1f} us{:>8.1f} MB", printed.cpu_us,
               static_cast<double>(printed.resident) / 1e6);
  fmt::print("\n");
  if (!row.first_error.empty()) fmt::print("  {}\n", row.first_error);
  std::fflush(stdout);
}

std::string json_text(const Printed& printed) {
  const Row& row = printed.row;
  std::string error;
  for (const char c : row.first_error) {
    if (c == '"' || c == '\\') error += '\\';
    error += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return fmt::format(
      R"({{"scenario":"{}","clients":{},"count":{},"errors":{},"seconds":{:.3f},"rate":{:.1f},"bytes":{},)"
      R"("p50_us":{:.1f},"p99_us":{:.1f},"max_us":{:.1f},"load_cpu_us":{:.2f},"server_cpu_us":{:.2f},"server_resident":{},"first_error":"{}"}})",
      row.scenario, row.clients, row.count, row.errors, row.seconds, row.rate(), row.bytes,
      static_cast<double>(row.p50) / 1e3, static_cast<double>(row.p99) / 1e3,
      static_cast<double>(row.max) / 1e3, printed.own_cpu_us, printed.cpu_us, printed.resident,
      error);
}

using Run = Result<Row> (*)(const Endpoint&, const Fixture&, const Settings&, std::size_t);
struct Step {
  Run run;
  std::size_t clients;
};

Result<std::vector<Step>> steps_of(const Options& options) {
  STRAKE_TRY(const std::vector<std::size_t> clients, numbers(options, "clients", "1,16,64", 1024));
  STRAKE_TRY(const std::vector<std::size_t> list_clients,
             numbers(options, "list-clients", "1,8", 1024));
  STRAKE_TRY(const std::vector<std::size_t> watchers, numbers(options, "watchers", "1000", 20000));
  STRAKE_TRY(const std::vector<std::size_t> dependents,
             numbers(options, "dependents", "10000", 10'000'000));
  struct Known {
    std::string_view name;
    Run run;
    const std::vector<std::size_t>& clients;
  };
  const Known known[] = {{"get", run_get, clients},       {"list", run_list, list_clients},
                         {"create", run_create, clients}, {"update", run_update, clients},
                         {"watch", run_watch, watchers},  {"collect", run_collect, dependents}};
  std::vector<Step> out;
  for (const std::string& word : words(options, "scenarios", "get,list,create,update,watch")) {
    const auto* found = std::find_if(std::begin(known), std::end(known),
                                     [&](const Known& one) { return one.name == word; });
    if (found == std::end(known)) return fail(Code::kUsage, "no such scenario: {}", word);
    for (const std::size_t count : found->clients) out.push_back({found->run, count});
  }
  return out;
}

// Two files a watcher at most, when the server is on the same machine with the same limit.
void raise_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

Result<bool> run_all(const Options& options) {
  STRAKE_TRY(const std::vector<Step> steps, steps_of(options));
  Settings settings;
  STRAKE_TRY(settings.threads, number(options, "threads", 1, 1, 64));
  STRAKE_TRY(settings.objects, number(options, "objects", 500, 1, 100'000));
  STRAKE_TRY(const std::size_t seconds, number(options, "seconds", 3, 1, 600));
  settings.time = std::chrono::seconds(seconds);
  STRAKE_TRY(settings.max_requests, number(options, "requests", 0, 1, 1'000'000'000));
  STRAKE_TRY(settings.watch_events, number(options, "watch-events", 50, 1, 100'000));
  STRAKE_TRY(settings.watch_rate, number(options, "watch-rate", 20, 1, 100'000));
  STRAKE_TRY(const std::size_t pid, number(options, "pid", 0, 1, 1u << 22));
  STRAKE_TRY(const Target target, target_of(options));
  STRAKE_TRY(const Endpoint endpoint, prepare(target));
  STRAKE_TRY(const Fixture fixture, Fixture::install(endpoint, settings.objects));

  if (!options.json) {
    fmt::print("{:<10}{:>8}{:>12}{:>11}{:>11}{:>11}{:>10}{:>8}{}{}\n", "load", "clients",
               "per second", "p50", "p99", "max", "MB/s", "errors", "    own CPU",
               pid != 0 ? "    server CPU   resident" : "");
  }
  const auto own = static_cast<std::size_t>(::getpid());
  std::string json;
  bool good = true;
  Result<> failure;
  for (const Step& step : steps) {
    Usage before;
    Usage own_before;
    // Handshakes are not what is measured.
    settings.on_start = [&] {
      before = usage_of(pid);
      own_before = usage_of(own);
    };
    auto row = step.run(endpoint, fixture, settings, step.clients);
    if (!row) {
      failure = std::unexpected(std::move(row).error());
      break;
    }
    const Usage after = usage_of(pid);
    const Usage own_after = usage_of(own);
    Printed printed{*std::move(row)};
    if (printed.row.count > 0) {
      const double count = static_cast<double>(printed.row.count);
      printed.cpu_us = (after.seconds - before.seconds) * 1e6 / count;
      printed.own_cpu_us = (own_after.seconds - own_before.seconds) * 1e6 / count;
    }
    printed.resident = after.resident;
    good = good && printed.row.errors == 0;
    if (options.json) {
      json += (json.empty() ? "" : ",\n") + json_text(printed);
    } else {
      print_text(printed);
    }
  }
  if (options.json) fmt::print("[{}]\n", json);
  if (!options.keep) STRAKE_CHECK(fixture.remove(endpoint));
  STRAKE_CHECK(failure);
  return good;
}

int main_of(std::span<char*> arguments) {
  for (const char* argument : arguments) {
    if (std::string_view(argument) == "--help" || std::string_view(argument) == "-h") {
      fmt::print("{}", kUsage);
      return 0;
    }
  }
  ::signal(SIGPIPE, SIG_IGN);
  raise_file_limit();
  const auto options = parse(arguments);
  if (!options) {
    fmt::print(stderr, "strake_load: {}\n{}", options.error().to_string(), kUsage);
    return 2;
  }
  const auto good = run_all(*options);
  if (!good) {
    fmt::print(stderr, "strake_load: {}\n", good.error().to_string());
    return 2;
  }
  return *good ? 0 : 1;
}

}  // namespace
}  // namespace strake::load

int main(int count, char** arguments) {
  return strake::load::main_of(std::span(arguments + 1, static_cast<std::size_t>(count - 1)));
}
