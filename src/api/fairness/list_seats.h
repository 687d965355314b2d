#pragma once
// How many seats a list takes, or a watch that begins with one: by the memory that it may use.
#include <cstdint>

namespace strake::api {

struct ListWork {
  bool single = false;       // asks for one name
  bool from_cache = true;    // not as it stood at a revision
  bool selective = false;    // by labels or fields
  std::int64_t limit = 0;    // 0 for none
  std::int64_t objects = 0;  // of the resource
  std::int64_t bytes = 0;    // that all of them take
};
// One at least. `most` is the level's bound; 0 for none of its own.
int list_seats(const ListWork& work, int most);

}  // namespace strake::api
