#include "value/yaml_parser.h"

#include "value/yaml_libyaml.h"

namespace strake::value {

YamlParser::YamlParser(std::string_view text, const ReadOptions& options)
    : text_(text),
      schema_(options.yaml),
      scanner_(text, internal::LibyamlParser::flow_budget_for(text)),
      scanning_(scanner_.usable()) {}
YamlParser::~YamlParser() = default;

bool YamlParser::failed(Error error) {
  error_ = std::move(error);
  return false;
}

bool YamlParser::next_from_libyaml(YamlEvent& out) {
  if (scanning_ || libyaml_ == nullptr) {
    scanning_ = false;
    const internal::YamlScanner::Restart& from = scanner_.restart();
    // After the document before this one libyaml stands where it has to start.
    if (libyaml_ == nullptr || libyaml_offset_ != from.offset) {
      libyaml_ = std::make_unique<internal::LibyamlParser>(
          text_, schema_,
          internal::LibyamlParser::From{from.offset, from.line, from.flow_budget, scanner_.usable(),
                                        scanner_.ascii()});
    }
    for (std::uint64_t i = 0; i < from.events; ++i) {
      if (Result<> again = libyaml_->next(out); !again) return failed(std::move(again).error());
    }
  }
  if (Result<> more = libyaml_->next(out); !more) return failed(std::move(more).error());
  if (out.kind == YamlEventKind::kDocumentEnd && scanner_.resume(out.at, libyaml_->flow_budget())) {
    libyaml_offset_ = out.at.offset;
    scanning_ = true;
  }
  return true;
}

}  // namespace strake::value
