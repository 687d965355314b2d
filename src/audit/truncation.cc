#include "audit/truncation.h"

#include <string_view>

#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::audit {

using value::Value;

std::string truncated(std::string line, std::size_t most_bytes) {
  if (line.size() <= most_bytes) return line;
  Result<value::Document> read = value::read_json(std::string_view(line));
  if (!read || !read->root().is_object()) return {};
  Value& event = read->root();
  const std::string_view level = value::text_of(event, "level");
  if (level != "Request" && level != "RequestResponse") return {};
  event.remove("requestObject");
  event.remove("responseObject");
  event.object_at("annotations", read->arena())
      .set("audit.k8s.io/truncated", Value::string("true"), read->arena());
  std::string out = value::to_json(event) + "\n";
  if (out.size() > most_bytes) return {};
  return out;
}

}  // namespace strake::audit
