#pragma once
// What the load needs on the server: a definition of group load.strake.dev, two namespaces (one
// with the objects that are read, one that is written to), and their removal.
#include <chrono>
#include <string>

#include "runner.h"

namespace strake::load {

class Fixture {
 public:
  // Removes what an earlier run left behind, then installs, and makes `objects` objects to read.
  static Result<Fixture> install(const Endpoint& endpoint, std::size_t objects);

  // Removes everything and waits until the definition is gone.
  Result<> remove(const Endpoint& endpoint) const;

  std::string read_path() const;   // of the collection that is read
  std::string write_path() const;  // of the one that is written to
  static std::string read_name(std::size_t index);

 private:
  explicit Fixture(std::string suffix) : suffix_(std::move(suffix)) {}
  std::string suffix_;
};

// An object of about 600 bytes. Empty `resource_version` for a new one.
std::string object_text(std::string_view name, std::uint64_t number,
                        std::string_view resource_version);

// The value of "resourceVersion" in an object's JSON; empty when it is not there.
std::string_view resource_version_of(std::string_view json);

}  // namespace strake::load
