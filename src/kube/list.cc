#include "kube/list.h"

#include "value/json_reader.h"

namespace strake::kube {
namespace {

constexpr std::size_t kMostPages = 100'000;

std::string query_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= '0' && byte <= '9') || byte == '-' || byte == '_' || byte == '.';
    if (plain) {
      out.push_back(c);
    } else {
      out += fmt::format("%{:02X}", byte);
    }
  }
  return out;
}

Result<std::string> continue_of(std::string_view page) {
  value::ReadOptions options;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  options.text = value::TextPolicy::kReplace;
  STRAKE_TRY(const value::Document document, value::read_json_borrowed(page, options));
  const value::Value* metadata = document.root().find("metadata");
  const value::Value* token = metadata != nullptr ? metadata->find("continue") : nullptr;
  return token != nullptr && token->is_string() ? std::string(token->as_string()) : std::string();
}

Result<std::vector<std::string>> list_once(const Client& client, std::string_view path,
                                           std::size_t page_size) {
  std::vector<std::string> out;
  std::string token;
  do {
    if (out.size() == kMostPages) return fail(Code::kLimit, "GET {}: the list does not end", path);
    std::string query =
        fmt::format("{}{}limit={}", path, path.contains('?') ? '&' : '?', page_size);
    if (!token.empty()) query += "&continue=" + query_escaped(token);
    STRAKE_TRY(std::string page, client.get(query));
    STRAKE_TRY(token, continue_of(page));
    out.push_back(std::move(page));
  } while (!token.empty());
  return out;
}

}  // namespace

Result<std::vector<std::string>> list_pages(const Client& client, std::string_view path,
                                            std::size_t page_size) {
  // A continue token expires when its revision is compacted. The pages so far are then of a
  // revision that is gone, and the list is read again from the start.
  for (int tries = 1;; ++tries) {
    auto pages = list_once(client, path, page_size);
    if (pages || pages.error().code() != Code::kExpired || tries == 3) return pages;
  }
}

}  // namespace strake::kube
