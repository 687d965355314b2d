#pragma once
// What a build needs from outside its tree. The program implements these; a build that was given
// none refuses such entries.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kustomize/file/repo_spec.h"

namespace strake::kustomize {

class Remote {
 public:
  virtual ~Remote() = default;
  // The content behind an http or https URL. Code::kNotFound with the status in the message
  // ("status code 404 (Not Found)") when the answer is none of 200 to 299.
  virtual Result<std::string> get(const std::string& url) = 0;
  // Checks the repository out; the path of the folder that holds it, without symbolic links. It
  // stays until this object is destroyed.
  virtual Result<std::string> clone(const RepoSpec& spec) = 0;
};

class Helm {
 public:
  struct Command {
    std::vector<std::string> arguments;
    std::string config_home;  // empty for a temporary one
  };
  virtual ~Helm() = default;
  virtual Result<std::string> run(const Command& command) = 0;  // what it prints
  // A file in a place of its own, for values; its path.
  virtual Result<std::string> write_values(std::string_view name, std::string_view text) = 0;
};

}  // namespace strake::kustomize
