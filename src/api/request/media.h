#pragma once
// Which form a client wants, and which it sends: the Accept and Content-Type headers as the API
// server reads them.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strake::api {

enum class Encoding : std::uint8_t { kJson, kYaml, kProtobuf };
enum class Form : std::uint8_t { kObject, kTable, kPartial, kPartialList };

struct Wanted {
  Encoding encoding = Encoding::kJson;
  Form form = Form::kObject;
  bool pretty = false;
};

// What the server has of the thing that is asked for.
struct Offers {
  bool watch = false;     // a stream, which is no YAML
  bool tables = true;     // it can be shown as a table
  bool protobuf = false;  // objects have a protobuf form; bare metadata always has
};
// The first form in the order of the client's preference that the server has; nothing when it has
// none.
std::optional<Wanted> negotiate(std::string_view accept, const Offers& offers);
// How the client is told of a failure: JSON when it accepts nothing else that we have.
Encoding encoding_of_status(std::string_view accept);

// True when the header asks for this very form, with its parameters: aggregated discovery.
bool accepts_as(std::string_view accept, std::string_view as, std::string_view group,
                std::string_view version);
// The first of `types` that the client's most wanted range names, and so on down the ranges; an
// empty header takes the first. Nothing when none is acceptable.
std::optional<std::string_view> first_accepted(std::string_view accept,
                                               std::span<const std::string_view> types);

// The media type of a header without its parameters, in lower case: "application/json".
std::string media_type(std::string_view content_type);

extern const std::vector<std::string> kReadable;         // of request bodies and answers
extern const std::vector<std::string> kStreamable;       // of watches
extern const std::vector<std::string> kPatchesOfCustom;  // of PATCH on custom resources
extern const std::vector<std::string> kPatchesOfBuiltin;

}  // namespace strake::api
