#pragma once
// A root of its own for each test, and the things that drivers are asked about.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/replacement_file.h"
#include "base/subprocess.h"
#include "provider/local/local_driver.h"
#include "support/vectors.h"

namespace strake::provider::local {

// What a call told.
class Told final : public Journal {
 public:
  void step(std::string_view verb, std::string_view what, const Fields&) override {
    steps.push_back(fmt::format("{} {}", verb, what));
  }
  void warn(std::string_view what, const Fields& fields) override {
    std::string text(what);
    for (const auto& [key, value] : fields) text += fmt::format(" {}={}", key, value);
    warnings.push_back(std::move(text));
  }
  std::vector<std::string> steps;
  std::vector<std::string> warnings;
};

class TestSite {
 public:
  const std::string& root() const { return scratch_.path(); }
  std::string path(std::string_view name) const { return fmt::format("{}/{}", root(), name); }

  Driver driver(Settings settings = {}, std::string program = "/bin/false") const {
    settings.try_emplace("LOCAL_ROOT", path("root"));
    DriverEnvironment from;
    from.program = std::move(program);
    from.variables = {{"PATH", "/usr/bin:/bin"}};
    auto made = make_driver(&workspace,
                            {.id = {},
                             .name = "here",
                             .workspace_id = {},
                             .driver = "local",
                             .settings = std::move(settings)},
                            from);
    EXPECT_TRUE(made) << made.error().message();
    return *std::move(made);
  }

  Workspace workspace{.id = "/ws/ops", .name = "ops"};
  Cluster cluster{.id = {},
                  .name = "one",
                  .provider_id = {},
                  .existing = false,
                  .ingress = {},
                  .protection = {},
                  .settings = {}};
  App app{.id = {},
          .name = "shop",
          .cluster_id = {},
          .compose = {},
          .ingress = {},
          .volumes = {},
          .deployment = {},
          .network_policy = {},
          .resources = {},
          .settings = {},
          .ref_base = {}};

 private:
  ScratchFolder scratch_ = ScratchFolder::make("strake-local-").value();
};

inline std::string text_of(const std::string& path) { return testing::read_file(path); }

inline void write_text(const std::string& path, std::string_view text) {
  auto file = ReplacementFile::unique(path);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->replace(text, 0700));
}

// The class and the text of a failure.
template <typename T>
std::string why(const Outcome<T>& outcome) {
  if (outcome) return "no failure";
  return fmt::format("{}: {}", to_string(outcome.error().error_class()), outcome.error().message());
}

}  // namespace strake::provider::local
