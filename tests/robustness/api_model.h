#pragma once
// What the fuzzer of API requests believes to be on the server: the kinds and their objects, each
// as it was last seen. Everything is checked by value; what fails is reported by the fuzzer.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace strake::robustness {

struct Kind {
  std::string group;  // empty for the core group
  std::string plural;
  std::string kind;
  bool namespaced = true;
  bool custom = false;
  bool counts_generation = false;
  bool status = false;  // has the subresource
  bool scale = false;
  bool served = true;                 // a definition that is deleted is not
  std::vector<std::string> versions;  // served; the first is always there
  std::size_t changes = 0;            // of its definition: watches end with one

  std::string group_version(std::string_view version) const;
  // Of its objects in a namespace, of all of them when it is empty.
  std::string path(std::string_view version, std::string_view namespace_name) const;
  std::string path() const { return path(versions[0], ""); }
};

struct Known {
  std::string uid;
  std::string created;
  std::int64_t revision = 0;
  std::int64_t generation = 0;
  std::string body;  // in the first version
  // Something else than our requests may change or remove it: owners, the garbage collector.
  bool fleeting = false;
  bool finalizers = false;
};

struct Place {
  std::size_t kind = 0;
  std::string namespace_name;
  std::string name;
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Model {
  std::vector<Kind> kinds;
  std::map<Place, Known> objects;

  std::vector<Place> places(std::size_t kind) const;
  std::size_t count(std::size_t kind) const;
  Known* find(const Place& place);
};

}  // namespace strake::robustness
