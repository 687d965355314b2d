#pragma once
// The token that leads from one page of a list to the next: the revision of the first page and
// where to go on, in kube-apiserver's own form.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/cache/object.h"
#include "api/request/answer.h"

namespace strake::api {

struct ContinueToken {
  Revision revision = 0;  // -1: whatever is there now
  std::string start;      // relative to the list's prefix
  // How many follow, of a list of everything: what stood at a revision need not be counted again.
  std::optional<std::int64_t> left{};
};

std::string encode_continue(const ContinueToken& token);
Answer<ContinueToken> decode_continue(std::string_view text);

}  // namespace strake::api
