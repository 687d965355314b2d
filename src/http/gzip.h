#pragma once
// Compresses bodies as they are sent, and reads those that came compressed. Internal to http.
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace strake::http {

// Whether an Accept-Encoding header allows gzip.
bool accepts_gzip(std::string_view accept_encoding);

// One gzip member, level 1: the API server's choice between time and size.
class GzipWriter {
 public:
  GzipWriter();
  ~GzipWriter();
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;

  // Both append to `out` what is ready; at the end it is whole.
  void add(std::string_view plain, std::string& out);
  void finish(std::string& out);

 private:
  void run(std::string_view plain, int flush, std::string& out);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The plain text of all members. Fails with kParse, and with kLimit past so many bytes.
Result<std::string> gunzip(std::string_view packed, std::size_t max_bytes);

}  // namespace strake::http
