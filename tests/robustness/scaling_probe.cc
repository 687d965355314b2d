// Runs the cases of the scaling test, for scaling_test.py.
//
//   scaling_probe --list
//   scaling_probe --screen [--quick] [--planted] [--shard=0/2] [--match=TEXT] [--only=FILE]
//   valgrind --tool=callgrind ... scaling_probe [--n=256] [--times=1] [and as above]
//
// --screen prints how the processor time of each case grows, a line each: the verdict, the n at
// which to look closer, the growth, the points, and the name, with tabs between. Without it, each
// case is run at n, 2n and 4n, with marks for callgrind where the work of one begins and ends.
// --times measures each size that often. --only names a file with the names of cases, one a line;
// a number and a tab before a name is the n of that case.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "robustness/scaling_cases.h"
#include "robustness/scaling_screening.h"

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
  bool screen = false;
  bool planted = false;
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

std::size_t number_in(std::string_view text) {
  std::size_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

// The n of each case in the file; 0 where it says none.
std::map<std::string, std::size_t> chosen_in(const std::string& file) {
  std::map<std::string, std::size_t> out;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) {
      out.emplace(line, 0);
    } else {
      out.emplace(line.substr(tab + 1), number_in(line));
    }
  }
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
    out.screen = out.screen || arg == "--screen";
    out.planted = out.planted || arg == "--planted";
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

void print(const Screened& screened, const std::string& name) {
  std::string points;
  for (const Point& point : screened.points) {
    char text[80];
    std::snprintf(text, sizeof text, "%s%zu:%.3fms/%d", points.empty() ? "" : " ", point.n,
                  point.seconds * 1e3, point.outcome);
    points += text;
  }
  std::printf("%s\t%zu\t%.2f\t%s\t%s\n", std::string(name_of(screened.verdict)).c_str(), screened.n,
              screened.growth, points.c_str(), name.c_str());
  std::fflush(stdout);
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
  if (options.planted) {
    cases.clear();
    add_planted(cases);
  }
  const std::map<std::string, std::size_t> only = chosen_in(options.only);
  if (options.screen) prepare_screening();
  if (!options.list) start_server();
  if (!options.screen) CALLGRIND_START_INSTRUMENTATION;
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
    if (options.screen) {
      const Screened screened = screen(one);
      print(screened, one.name);
      forget_history();
      if (screened.points.front().outcome == kNotUnderstood) return 1;
      continue;
    }
    const auto chosen = only.find(one.name);
    const bool is_chosen = chosen != only.end() && chosen->second != 0;
    std::size_t n = is_chosen ? chosen->second : options.n;
    // The first run of a kind of work makes what is made once. Much work is measured at a quarter
    // of the size: there is enough of it to see how it grows.
    if (timed(one, n) > kMuchWork && !is_chosen) n /= 4;
    // The first of them is measured once more, and the least counts: it may meet what is done once.
    measure(one, n);
    for (const std::size_t size : {1, 2, 4}) {
      for (std::size_t i = 0; i < options.times; ++i) measure(one, n * size);
    }
  }
  std::fprintf(stderr, "%zu cases\n", index);
  return 0;
}
