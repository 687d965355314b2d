#include "robustness/api_model.h"

#include <fmt/format.h>

namespace strake::robustness {

std::string Kind::group_version(std::string_view version) const {
  return group.empty() ? std::string(version) : fmt::format("{}/{}", group, version);
}

std::string Kind::path(std::string_view version, std::string_view namespace_name) const {
  return fmt::format("{}/{}{}{}/{}", group.empty() ? "/api" : "/apis", group_version(version),
                     namespace_name.empty() ? "" : "/namespaces/", namespace_name, plural);
}

std::vector<Place> Model::places(std::size_t kind) const {
  std::vector<Place> out;
  for (const auto& [place, known] : objects)
    if (place.kind == kind) out.push_back(place);
  return out;
}

std::size_t Model::count(std::size_t kind) const {
  std::size_t out = 0;
  for (const auto& [place, known] : objects) out += place.kind == kind;
  return out;
}

Known* Model::find(const Place& place) {
  const auto found = objects.find(place);
  return found == objects.end() ? nullptr : &found->second;
}

}  // namespace strake::robustness
