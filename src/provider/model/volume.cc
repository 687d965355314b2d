#include "provider/model/volume.h"

#include <algorithm>
#include <tuple>

namespace strake::provider {
namespace {

template <typename T>
void sort_newest_first(std::vector<T>& all) {
  std::ranges::sort(all, [](const T& a, const T& b) {
    return std::tie(b.created_at, a.name) < std::tie(a.created_at, b.name);
  });
}

}  // namespace

void sort_for_list(std::vector<Disk>& disks) { sort_newest_first(disks); }
void sort_for_list(std::vector<Snapshot>& snapshots) { sort_newest_first(snapshots); }

}  // namespace strake::provider
