#include "api/request/roles.h"

#include <algorithm>

namespace strake::api {

bool User::in_group(std::string_view group) const {
  return std::find(groups.begin(), groups.end(), group) != groups.end();
}

}  // namespace strake::api
