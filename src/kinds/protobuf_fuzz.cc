// Any bytes as an object in the API's protobuf envelope, and as the object within one; what was
// read is written as JSON, which must read back the same.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "kinds/protobuf.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace {

void check(std::string_view body) {
  using namespace strake;
  const Result<value::Document> document = kinds::decode_protobuf(body);
  if (!document) return;
  const Result<value::Document> again = value::read_json(value::to_json(document->root()));
  if (!again || !value::equal(document->root(), again->root())) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check(bytes);
  std::string body("k8s\0", 4);
  body.append(bytes);
  check(body);
  return 0;
}
