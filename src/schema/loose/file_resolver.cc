#include "schema/loose/file_resolver.h"

#include <filesystem>

#include "base/input_file.h"
#include "schema/loose/uri.h"
#include "value/json_reader.h"
#include "value/yaml_reader.h"

namespace strake::schema::loose {
namespace {

namespace fs = std::filesystem;

bool lies_below(std::string_view path, std::string_view root) {
  while (root.size() > 1 && root.ends_with('/')) root.remove_suffix(1);
  if (root == "/") return path.starts_with('/');
  return path.starts_with(root) && (path.size() == root.size() || path[root.size()] == '/');
}

}  // namespace

Result<std::string> ReferencedDiskFiles::real_path(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) return fail(Code::kNotFound, "{}: {}", path, error.message());
  return real.string();
}

Result<std::string> ReferencedDiskFiles::read(const std::string& path, std::size_t limit) {
  const auto file = InputFile::open(path, Pipes::kRefused);
  if (!file) return fail(Code::kIo, "{}: {}", path, file.error().message());
  auto text = file->read_all(limit);
  if (text) return text;
  return fail(text.error().code(), "{}: {}", path, text.error().message());
}

std::string file_uri(std::string_view path) {
  std::string out = "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= '0' && byte <= '9') || c == '/' || c == '-' || c == '_' ||
                       c == '.' || c == '~';
    if (plain) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", byte);
    }
  }
  return out;
}

Result<value::Document> FileResolver::load(std::string_view uri) {
  const UriParts parts = split_uri(uri);
  if (!parts.scheme.empty() && parts.scheme != "file")
    return fail(Code::kUnsupported, "{}: only files are read", uri);
  if (!parts.authority.empty() && parts.authority != "localhost")
    return fail(Code::kUnsupported, "{}: not on this machine", uri);
  std::string path;
  if (!percent_decode(parts.path, path) || path.find('\0') != std::string::npos) {
    return fail(Code::kInvalid, "{}: not the name of a file", uri);
  }
  STRAKE_TRY(const std::string real, files_.real_path(path));
  bool allowed = false;
  for (const std::string& root : roots_) {
    const auto real_root = files_.real_path(root);
    allowed = allowed || (real_root && lies_below(real, *real_root));
  }
  if (!allowed) return fail(Code::kForbidden, "{}: outside the folders that may be read", uri);
  STRAKE_TRY(std::string text, files_.read(real, max_bytes_));
  value::ReadOptions options;
  options.source_name = real;
  if (real.ends_with(".yaml") || real.ends_with(".yml")) return value::read_yaml(text, options);
  return value::read_json(std::move(text), options);
}

}  // namespace strake::schema::loose
