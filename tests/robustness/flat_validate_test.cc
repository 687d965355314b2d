// Documents much larger than the memory allowed pass through `strake validate` while the process
// stays small: an object with a huge list inside, a list of many objects, an array without a kind.
// STRAKE_FLAT_MIB sets their size; `make soak` checks documents of a gibibyte.
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "cli/app.h"
#include "robustness/flat_memory.h"

namespace {

using namespace strake;

constexpr std::uint64_t kMostMemory = std::uint64_t{32} << 20;

// Twice the memory allowed: a process that held a document would fail. An unoptimised build would
// take minutes for that, and checks less.
#ifdef __OPTIMIZE__
constexpr std::uint64_t kDefaultMib = 64;
#else
constexpr std::uint64_t kDefaultMib = 12;
#endif

std::uint64_t input_bytes() {
  std::uint64_t mib = kDefaultMib;
  if (const char* set = std::getenv("STRAKE_FLAT_MIB")) {
    const std::string_view text = set;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), mib);
    if (error != std::errc() || end != text.end() || mib == 0) {
      std::fprintf(stderr, "STRAKE_FLAT_MIB must be a positive number, got %s\n", set);
      std::exit(2);
    }
  }
  return mib << 20;
}

constexpr std::string_view kCrd = R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: fleets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: fleets, singular: fleet, kind: Fleet, listKind: FleetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              ships:
                type: array
                items:
                  type: object
                  required: [name]
                  properties:
                    name: {type: string, maxLength: 40}
                    crew: {type: integer, minimum: 0, default: 1}
                    tags: {type: object, additionalProperties: {type: string}}
)";
constexpr std::string_view kShips = R"(type: array
items:
  type: object
  required: [name]
  properties:
    name: {type: string, maxLength: 40}
    crew: {type: integer, minimum: 0, default: 1}
    tags: {type: object, additionalProperties: {type: string}}
)";

// A text that is made as it is read: a beginning, then elements up to the size, then an end. The
// last element is wrong.
class MadeInput final : public cli::Input {
 public:
  MadeInput(std::string begin, std::string before, std::string after, std::string end)
      : pending_(std::move(begin)),
        before_(std::move(before)),
        after_(std::move(after)),
        end_(std::move(end)) {}

  Result<std::size_t> read_some(std::span<char> into) override {
    while (pending_.size() < into.size() && !ended_) add();
    const std::size_t count = pending_.copy(into.data(), into.size());
    pending_.erase(0, count);
    made_ += count;
    return count;
  }
  Result<std::string> read_all(std::uint64_t) override {
    return fail(Code::kLimit, "this input is not to be held");
  }
  Result<std::optional<std::string>> read_line(std::uint64_t) override {
    return fail(Code::kLimit, "this input is not to be held");
  }

 private:
  void add() {
    ended_ = made_ + pending_.size() > bytes_;
    if (index_ > 0) pending_ += ',';
    const std::string_view crew = ended_ ? "-1" : "12";
    pending_ += before_ + R"({"name":"ship-)" + std::to_string(index_++) + R"(","crew":)";
    pending_ += crew;
    pending_ += R"(,"tags":{"port":"caf\u00e9","flag":"green"}})" + after_;
    if (ended_) pending_ += end_;
  }

  std::string pending_;
  std::string before_;
  std::string after_;
  std::string end_;
  std::uint64_t bytes_ = input_bytes();
  std::uint64_t made_ = 0;
  std::uint64_t index_ = 0;
  bool ended_ = false;
};

// The one thing that is wrong is found, and nothing else.
bool finds_the_last(const char* what, const std::string& schema, MadeInput input,
                    std::vector<std::string> more) {
  cli::StringOutput out;
  cli::StringOutput err;
  cli::Io io{.in = input, .out = out, .err = err};
  std::vector<std::string> args = {"validate", "-s", schema, "--stream", "--max-bytes=4Gi", "-"};
  args.insert(args.end(), more.begin(), more.end());
  const cli::ExitCode code = cli::run("strake", args, io);
  const std::uint64_t peak = testing::peak_resident_bytes();
  std::printf("%s: peak memory %.1f MiB\n%s%s", what, static_cast<double>(peak) / (1 << 20),
              out.text().c_str(), err.text().c_str());
  const bool found = out.text().find("greater than or equal to 0") != std::string::npos ||
                     out.text().find("must be at least 0") != std::string::npos;
  return code == cli::ExitCode::kFindings && found && peak <= kMostMemory &&
         out.text().find(": 1 error") != std::string::npos;
}

}  // namespace

int main(int, char** argv) {
  const std::string folder = std::string(argv[0]) + ".schemas";
  const std::string crd = folder + "-crd.yaml";
  const std::string ships = folder + "-ships.yaml";
  std::ofstream(crd) << kCrd;
  std::ofstream(ships) << kShips;
  const std::string object =
      R"("apiVersion":"example.com/v1","kind":"Fleet","metadata":{"name":"north"},"spec":{"ships":[)";
  bool good =
      finds_the_last("an object with a huge list", crd, MadeInput("{" + object, "", "", "]}}"), {});
  good &= finds_the_last(
      "a list of many objects", crd,
      MadeInput(R"({"apiVersion":"v1","kind":"List","items":[)", "{" + object, "]}}", "]}"), {});
  good &= finds_the_last("an array without a kind", ships, MadeInput("[", "", "", "]"), {});
  good &= finds_the_last("an array under the loose profile", ships, MadeInput("[", "", "", "]"),
                         {"--profile=loose"});
  return good ? 0 : 1;
}
