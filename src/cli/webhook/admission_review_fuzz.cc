// Any bytes as a review: it is answered or refused in words, and an answer is a review of its own.
#include <stdlib.h>
#include <unistd.h>

#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "cli/webhook/admission_review.h"
#include "validate/test_crd.h"
#include "value/fields.h"
#include "value/json_reader.h"

using namespace strake;

namespace {

// With the schema of gardens, from a file that is gone when it has been read.
Result<std::shared_ptr<const cli::WebhookJudge>> load_judge() {
  std::string name = "/tmp/strake-fuzz-XXXXXX.yaml";
  const int fd = ::mkstemps(name.data(), 5);
  STRAKE_ASSERT(fd >= 0);
  STRAKE_ASSERT(::write(fd, validate::kGardenCrd.data(), validate::kGardenCrd.size()) > 0);
  ::close(fd);
  static cli::StringInput in("");
  static cli::StringOutput out;
  static cli::StringOutput err;
  static cli::Io io{.in = in, .out = out, .err = err};
  static const cli::DiskFiles files(io);
  cli::ValidateOptions options;
  options.schemas = {name};
  options.check.ignore_missing_schemas = true;
  auto loaded = cli::WebhookJudge::load(options, files, io);
  ::unlink(name.c_str());
  return loaded;
}

const cli::WebhookJudge& judge() {
  static const auto loaded = load_judge();
  STRAKE_ASSERT(loaded.has_value());
  return **loaded;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto answer = cli::answer_review(text, judge());
  if (!answer) {
    STRAKE_ASSERT(answer.error().code() == Code::kBadRequest);
    return 0;
  }
  const auto read = value::read_json(answer->json);
  STRAKE_ASSERT(read.has_value());
  const value::Value& response = read->root().get("response");
  STRAKE_ASSERT(!value::text_of(response, "uid").empty());
  STRAKE_ASSERT(value::flag_of(response, "allowed") == answer->allowed);
  return 0;
}
