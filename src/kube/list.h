#pragma once
// All objects of a resource, in pages.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kube/client.h"

namespace strake::kube {

// The pages as the server sent them, each a List. The path may have a query, such as a selector. A list that changes so fast that its pages expire
// is begun again, twice at most.
Result<std::vector<std::string>> list_pages(const Client& client, std::string_view path,
                                            std::size_t page_size);

}  // namespace strake::kube
