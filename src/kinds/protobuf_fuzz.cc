// Any bytes as an object in the API's protobuf envelope, and as the object within one, of any kind
// that is declared; what was read is written as JSON, which must read back the same, and as
// protobuf, which must then stay as it is.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "kinds/protobuf.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace {

void check(std::string_view body) {
  using namespace strake;
  const Result<value::Document> document = kinds::decode_protobuf(body);
  if (!document) return;
  const Result<value::Document> again = value::read_json(value::to_json(document->root()));
  if (!again || !value::equal(document->root(), again->root())) std::abort();
  const std::string_view api_version = value::text_of(document->root(), "apiVersion");
  const std::string_view kind = value::text_of(document->root(), "kind");
  const kinds::ProtoMessage* message = kinds::find_message(api_version, kind);
  if (message == nullptr) std::abort();
  const auto read_and_write = [&](const std::string& bytes) {
    const Result<value::Document> read =
        kinds::decode_protobuf(kinds::in_envelope(api_version, kind, bytes));
    if (!read) std::abort();
    return kinds::encode_message(read->root(), *message);
  };
  const std::string written = kinds::encode_message(document->root(), *message);
  const std::string settled = read_and_write(written);
  // The first moment of Unix time is written as kube-apiserver 1.36 writes it: as zeros, which are
  // read as no time at all. Only that may change, and only once.
  const bool has_epoch = value::to_json(document->root()).contains("1970-01-01T00:00:00");
  if (settled != written && (!has_epoch || read_and_write(settled) != settled)) std::abort();
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
