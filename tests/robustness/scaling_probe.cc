// Runs the cases of the scaling test, each at n, 2n and 4n, and marks for callgrind where the work
// of one begins and ends. Run by scaling_test.py; without callgrind it only runs them.
//
//   scaling_probe --list
//   scaling_probe [--n=256] [--times=1] [--quick] [--shard=0/2] [--match=TEXT] [--only=FILE]
//   [--time]
//
// --times measures each size that often. --only names a file with the names of cases, one a line.
// --time prints the processor time of each instead: a rough look without callgrind.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <set>
#include <string>
#include <string_view>

#include "robustness/scaling_cases.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else  // scaling_test.py is skipped then
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(name)
#endif

namespace strake::testing {

std::string repeat(std::size_t count, const std::function<std::string(std::size_t)>& one,
                   std::string_view between) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) out += between;
    out += one(i);
  }
  return out;
}

namespace {

struct ProbeOptions {
  std::size_t n = 256;
  std::size_t times = 1;
  std::size_t shard = 0;
  std::size_t shards = 1;
  bool quick = false;
  bool list = false;
  bool time = false;
  std::string_view match;
  std::string only;
};

// `make test` runs these, and what the files of cases choose of the kinds: each reader, selector,
// patcher and command once.
constexpr std::string_view kQuick[] = {
    "JSON: members in reverse",
    "JSON: pairs of duplicate keys",
    "YAML: keys",
    "YAML: anchors and aliases",
    "YAML: merge keys",
    "label selector: requirements",
    "label selector: values on labels",
    "field selector: requirements",
    "selector object: matchExpressions",
    "JSON patch: remove members",
    "JSON patch: move members",
    "JSON patch: remove first items",
    "merge patch: members that are there",
    "strategic merge: an order of items",
    "strategic merge: deleted set elements",
    "field errors in a Status",
    "validate: wrong items",
    "validate --stream: unknown fields",
    "validate -o sarif: wrong items",
    "validate --print: documents",
    "validate --profile=loose: wrong items",
    "crd lint: properties",
    "crd diff: fewer versions",
    "validate a definition: wrong properties",
    "schema explain --recursive: properties",
    "schema export: properties",
    "fmt: comments",
    "fmt --to=json: items",
    "fmt --diff: keys",
    "build: resources, named and labelled",
    "build: operations of a JSON patch",
    "build: labels",
    "cel: members",
    "cel: self.list.map(x, x * 2).size()",
    "json-patch ConfigMap: objects on the way",
    "serve a definition: properties of lists",
};

// Fails when one of them is gone.
bool choose_quick(ScalingCases& cases) {
  std::set<std::string_view> left(std::begin(kQuick), std::end(kQuick));
  for (ScalingCase& one : cases) one.quick = left.erase(one.name) != 0 || one.quick;
  for (const std::string_view name : left)
    std::fprintf(stderr, "no case is called \"%s\"\n", std::string(name).c_str());
  return left.empty();
}

std::set<std::string> lines_of(const std::string& file) {
  std::set<std::string> out;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) out.insert(line);
  return out;
}

std::size_t number_in(std::string_view text) {
  std::size_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

ProbeOptions read_options(int argc, char** argv) {
  ProbeOptions out;
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    const std::string_view value = arg.substr(std::min(arg.size(), arg.find('=') + 1));
    if (arg.starts_with("--n=")) out.n = number_in(value);
    if (arg.starts_with("--times=")) out.times = std::max<std::size_t>(1, number_in(value));
    if (arg.starts_with("--match=")) out.match = value;
    if (arg.starts_with("--only=")) out.only = value;
    if (arg.starts_with("--shard=")) {
      out.shard = number_in(value);
      out.shards = std::max<std::size_t>(1, number_in(value.substr(value.find('/') + 1)));
    }
    out.quick = out.quick || arg == "--quick";
    out.list = out.list || arg == "--list";
    out.time = out.time || arg == "--time";
  }
  return out;
}

// Seconds of the processor under callgrind, where it takes some fifty times as long.
constexpr double kMuchWork = 0.4;

// Seconds of the processor.
double timed(const ScalingCase& one, std::size_t n) {
  const Work work = one.prepare(n);
  const std::clock_t begin = std::clock();
  work.run();
  const std::clock_t end = std::clock();
  work.clean_up();
  return static_cast<double>(end - begin) / CLOCKS_PER_SEC;
}

void measure(const ScalingCase& one, std::size_t n) {
  const Work work = one.prepare(n);
  // Read back by scaling_test.py: "n<TAB>name". Client requests keep no copy of the text.
  const std::string label = std::to_string(n) + "\t" + one.name;
  CALLGRIND_ZERO_STATS;
  work.run();
  CALLGRIND_DUMP_STATS_AT(label.c_str());
  work.clean_up();
}

}  // namespace
}  // namespace strake::testing

int main(int argc, char** argv) {
  using namespace strake::testing;
  const ProbeOptions options = read_options(argc, argv);
  ScalingCases cases;
  add_texts(cases);
  add_commands(cases);
  add_definitions(cases);
  add_custom_resources(cases);
  add_built_in_kinds(cases);
  if (!choose_quick(cases)) return 1;
  const std::set<std::string> only = lines_of(options.only);
  if (!options.list) {
    start_server();
    CALLGRIND_START_INSTRUMENTATION;
  }
  std::size_t index = 0;
  for (const ScalingCase& one : cases) {
    if (options.quick && !one.quick) continue;
    if (!options.only.empty() && !only.contains(one.name)) continue;
    if (!one.name.contains(options.match)) continue;
    if (index++ % options.shards != options.shard) continue;
    if (options.list) {
      std::printf("%s\n", one.name.c_str());
      continue;
    }
    // The first run of a kind of work makes what is made once.
    const double first = timed(one, options.n);
    if (options.time) {
      const double times[] = {timed(one, options.n), timed(one, 2 * options.n),
                              timed(one, 4 * options.n)};
      std::printf("%6.2f  %8.4f %8.4f %8.4f  %s\n",
                  (times[2] - times[1]) / std::max(times[1] - times[0], 1e-6), times[0], times[1],
                  times[2], one.name.c_str());
      std::fflush(stdout);
      continue;
    }
    // Much work is measured at a quarter of the size: there is enough of it to see how it grows.
    const std::size_t n = first > kMuchWork ? options.n / 4 : options.n;
    // The first of them is measured once more, and the least counts: it may meet what is done once.
    measure(one, n);
    for (const std::size_t size : {1, 2, 4}) {
      for (std::size_t i = 0; i < options.times; ++i) measure(one, n * size);
    }
  }
  std::fprintf(stderr, "%zu cases\n", index);
  return 0;
}
