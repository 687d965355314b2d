#pragma once
// Documents from files that a schema refers to, only from below folders that were named beforehand.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "schema/loose/import.h"

namespace strake::schema::loose {

// Where the files come from that schemas refer to; tests put a map in its place.
class ReferencedFiles {
 public:
  virtual ~ReferencedFiles() = default;
  // The path with every link and every ".." followed; kNotFound when there is nothing.
  virtual Result<std::string> real_path(const std::string& path) = 0;
  // The content; kLimit when it has more bytes than that.
  virtual Result<std::string> read(const std::string& path, std::size_t limit) = 0;
};

// The files of this machine.
class ReferencedDiskFiles final : public ReferencedFiles {
 public:
  Result<std::string> real_path(const std::string& path) override;
  Result<std::string> read(const std::string& path, std::size_t limit) override;
};

class FileResolver final : public Resolver {
 public:
  // The source must outlive the resolver. Roots are folders.
  FileResolver(ReferencedFiles& files, std::vector<std::string> roots,
               std::size_t max_bytes = 64 << 20)
      : files_(files), roots_(std::move(roots)), max_bytes_(max_bytes) {}

  // A file: URI or a plain path; YAML by its ending, JSON otherwise. kForbidden for what lies
  // outside the roots, whether it got there by ".." or by a link; kUnsupported for any other
  // scheme.
  Result<value::Document> load(std::string_view uri) override;

 private:
  ReferencedFiles& files_;
  std::vector<std::string> roots_;
  std::size_t max_bytes_;
};

// The URI of a file by its whole path.
std::string file_uri(std::string_view path);

}  // namespace strake::schema::loose
