#include "kinds/pods/check_path_overlaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/quote.h"
#include "kinds/fields.h"

namespace strake::kinds {
namespace {

using value::Value;

struct Place {
  std::string_view path;
  std::string_view source;  // empty where all files are of one source

  std::string shown() const {
    return source.empty() ? quote(path) : fmt::format("{} ({})", quote(path), source);
  }
};

// The files of one volume, and the names of their sources.
struct Files {
  std::vector<Place> places;
  std::deque<std::string> sources;
};

// A folder comes right before what lies in it.
bool comes_before(std::string_view a, std::string_view b) {
  return std::ranges::lexicographical_compare(
      a, b, {}, [](char c) { return c == '/' ? -1 : c & 0xff; },
      [](char c) { return c == '/' ? -1 : c & 0xff; });
}

bool is_at_or_below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

// A place and one before it that overlap.
using Overlap = std::pair<std::size_t, std::size_t>;

// At most so many, in order. Neighbours are found by sorting, not by looking at all pairs.
std::vector<Overlap> overlaps_of(const std::vector<Place>& places, std::size_t most) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i].path.empty()) order.push_back(i);
  }
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return comes_before(places[a].path, places[b].path);
  });
  std::vector<Overlap> found;
  std::vector<std::size_t> above;  // those that the next place may lie below
  for (const std::size_t i : order) {
    while (!above.empty() && !is_at_or_below(places[i].path, places[above.back()].path))
      above.pop_back();
    for (std::size_t j = 0; j < above.size() && found.size() < most; ++j)
      found.emplace_back(std::max(i, above[j]), std::min(i, above[j]));
    above.push_back(i);
  }
  std::ranges::sort(found);
  return found;
}

void add_items(const Value& source, std::string name, Files& files) {
  files.sources.push_back(std::move(name));
  for (const Value& item : items(source, "items"))
    files.places.push_back({value::text_of(item, "path"), files.sources.back()});
}

void warn_of(Files& files, std::string_view volume, std::string_view what, WarningsList& warnings) {
  std::vector<Place>& places = files.places;
  for (Place& place : places) {
    while (place.path.ends_with('/')) place.path.remove_suffix(1);
  }
  for (const auto& [later, earlier] : overlaps_of(places, warnings.room())) {
    if (warnings.full()) return;
    warnings.add(fmt::format("volume {} ({}): overlapping paths: {} with {}", quote(volume), what,
                             places[later].shown(), places[earlier].shown()));
  }
}

std::string named(std::string_view kind, const Value& source, std::string_view key) {
  return fmt::format("{} {}", kind, quote(value::text_of(source, key)));
}

// The first of the sources that has paths counts.
void add_projection(const Value& source, Files& files) {
  if (member(source, {"configMap", "items"}) != nullptr) {
    const Value& map = source.get("configMap");
    add_items(map, named("ConfigMap", map, "name"), files);
  } else if (member(source, {"secret", "items"}) != nullptr) {
    const Value& secret = source.get("secret");
    add_items(secret, named("Secret", secret, "name"), files);
  } else if (member(source, {"downwardAPI", "items"}) != nullptr) {
    add_items(source.get("downwardAPI"), "DownwardAPI", files);
  } else if (const Value* token = member(source, "serviceAccountToken")) {
    files.places.push_back({value::text_of(*token, "path"), "ServiceAccountToken"});
  }
}

void warn_of_projections(const Value& volume, WarningsList& warnings) {
  const std::string_view name = value::text_of(volume, "name");
  Files files;
  for (const Value& source : items(volume.get("projected"), "sources")) {
    if (source.size() == 0)
      warnings.add(fmt::format("volume {} (Projected) has no sources provided", quote(name)));
    add_projection(source, files);
  }
  warn_of(files, name, "Projected", warnings);
}

}  // namespace

void warn_of_overlapping_paths(const Value& spec, WarningsList& warnings) {
  struct Source {
    std::string_view key;
    std::string_view kind;
    std::string_view name_key;
  };
  constexpr Source kSources[] = {{"configMap", "ConfigMap", "name"},
                                 {"secret", "Secret", "secretName"},
                                 {"downwardAPI", "DownwardAPI", ""}};
  for (const Value& volume : items(spec, "volumes")) {
    for (const Source& one : kSources) {
      const Value* source = member(volume, one.key);
      if (source == nullptr) continue;
      Files files;
      add_items(*source, {}, files);
      const std::string what =
          one.name_key.empty() ? std::string(one.kind) : named(one.kind, *source, one.name_key);
      warn_of(files, value::text_of(volume, "name"), what, warnings);
    }
    warn_of_projections(volume, warnings);
  }
}

}  // namespace strake::kinds
