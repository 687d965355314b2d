#include "ops/kom/files.h"

#include <algorithm>
#include <filesystem>

#include "base/input_file.h"

namespace strake::ops {

namespace fs = std::filesystem;

Result<kustomize::FileTree::Place> DiskKomFiles::resolve(const std::string& path) const {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error == std::errc::no_such_file_or_directory)
    return fail(Code::kNotFound, "lstat {}: no such file or directory", path);
  if (error) return fail(Code::kIo, "{}: {}", path, error.message());
  const bool folder = fs::is_directory(real, error);
  if (error) return fail(Code::kIo, "{}: {}", path, error.message());
  return Place{.path = real.string(), .folder = folder};
}

Result<std::string> DiskKomFiles::read(const std::string& path, std::uint64_t limit) const {
  auto file = InputFile::open(path, Pipes::kRefused);
  if (!file)
    return std::unexpected(std::move(file).error().prefixed(fmt::format("cannot open {}", path)));
  auto text = file->read_all(limit);
  if (!text)
    return std::unexpected(std::move(text).error().prefixed(fmt::format("cannot read {}", path)));
  return text;
}

Result<std::vector<std::string>> DiskKomFiles::list(const std::string& folder,
                                                    std::size_t most) const {
  std::error_code error;
  std::vector<std::string> out;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (out.size() == most)
      return fail(Code::kLimit, "{}: more than {} files in one folder", folder, most);
    out.push_back(at->path().filename().string());
  }
  if (error) return fail(Code::kIo, "cannot read {}: {}", folder, error.message());
  std::ranges::sort(out);
  return out;
}

}  // namespace strake::ops
