#pragma once
// Keeps of a passing object what is judged apart from its schema: its type, its metadata, and what
// scaling looks at.
#include <optional>
#include <string>
#include <vector>

#include "resource/kind.h"
#include "schema/stream/stream_tee.h"
#include "value/builder.h"
#include "value/document.h"
#include "value/events.h"

namespace strake::validate {

class StreamStub final : public value::EventSink {
 public:
  // The kind must outlive the stub.
  StreamStub(const resource::Kind& kind, std::size_t most_bytes);

  bool begin_object(const Position& at) override { return begin(true, at); }
  bool begin_array(const Position& at) override { return begin(false, at); }
  bool end_object(const Position& at) override { return end(true, at); }
  bool end_array(const Position& at) override { return end(false, at); }
  bool key(std::string_view name, const Position& at) override;
  bool scalar(const value::Value& v, const Position& at) override;
  bool end_document(const Position&) override { return true; }

  // An object with these members alone. Nothing when they were too large, or did not end.
  std::optional<value::Document> take();

 private:
  struct Open {
    bool object;
    std::string key;
  };

  bool begin(bool object, const Position& at);
  bool end(bool object, const Position& at);
  bool kept() const;
  bool fits(std::size_t bytes);
  // The path of the value that begins now, when it stands where scaling looks for something.
  // `inner` says that it can have what is looked for inside of it.
  std::optional<FieldPath> wanted_for_scale(bool inner) const;
  void keep(FieldPath path, const value::Value& v);

  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::vector<Open> path_;
  const resource::Kind& kind_;
  std::vector<FieldPath> scale_;
  std::vector<std::pair<FieldPath, value::Document>> found_;
  value::DocumentBuilder builder_;
  // What stands in the place of a number or a text.
  std::optional<schema::StreamTee> odd_;
  FieldPath odd_path_;
  std::size_t odd_depth_ = 0;
};

}  // namespace strake::validate
