#pragma once
// Remote bases by the programs `git` and `curl`, and charts by `helm`: what a build may be given
// when its user allows it.
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/subprocess.h"
#include "kustomize/file/remote.h"

namespace strake::cli {

class ProgramRemote final : public kustomize::Remote {
 public:
  Result<std::string> get(const std::string& url) override;
  Result<std::string> clone(const kustomize::RepoSpec& spec) override;

 private:
  std::deque<ScratchFolder> clones_;
  std::map<std::string, std::string> by_url_;  // what was cloned before, with its ref
};

class ProgramHelm final : public kustomize::Helm {
 public:
  explicit ProgramHelm(std::string program) : program_(std::move(program)) {}
  Result<std::string> run(const Command& command) override;
  Result<std::string> write_values(std::string_view name, std::string_view text) override;

 private:
  Result<const std::string*> folder();
  Result<> check_version(const ProgramRun& like);  // once

  std::string program_;
  std::optional<ScratchFolder> folder_;
  bool checked_ = false;
};

}  // namespace strake::cli
