#pragma once
// The fast way through YAML: a scanner for the part of the language that manifests are written in.
// That is block mappings and sequences, plain, quoted and block scalars, flow collections,
// comments, anchors and aliases of values, and several documents. It emits exactly the events that
// libyaml emits for the same text, without copying what can be shown in place.
//
// Whatever else it meets (tags, anchors of keys, directives, `?` keys, tabs between tokens,
// carriage returns, and every error) it declines, before it has emitted anything wrong. The caller
// then has libyaml read on from restart(), where the events so far are repeated first; so the rules
// of the language that lead to errors, and their words, are libyaml's alone.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "value/yaml_event.h"

namespace strake::value::internal {

class YamlScanner {
 public:
  // The text must outlive the scanner. `flow_budget` is what libyaml's wrapper may still spend on
  // nested brackets; the scanner declines where it would run out.
  YamlScanner(std::string_view text, std::uint64_t flow_budget);
  YamlScanner(const YamlScanner&) = delete;
  YamlScanner& operator=(const YamlScanner&) = delete;

  // Whether the text as a whole is fit to be scanned: UTF-8 without control characters, carriage
  // returns, byte order marks and the line breaks of Unicode.
  bool usable() const { return usable_; }
  bool ascii() const { return ascii_; }  // of a usable text

  // The next event; false when the scanner declines. Then only resume() may follow.
  bool next(YamlEvent& out);

  // Where another parser can start afresh and come to the same events: the start of the text or
  // the `---` of a document.
  struct Restart {
    std::size_t offset = 0;
    std::uint32_t line = 1;
    std::uint64_t events = 0;  // emitted since then
    std::uint64_t flow_budget = 0;
  };
  const Restart& restart() const { return restart_; }

  // Goes on at a `---` that another parser has come to; its position is at the start of a line.
  // False when there is none.
  bool resume(const Position& at, std::uint64_t flow_budget);

 private:
  enum class State : std::uint8_t {
    kFirstDocument,  // at the start of the text
    kDocument,       // behind a document
    kRoot,           // behind `---`, or before what starts an implicit document
    kToken,          // before a token that stands first on its line
    kFirstKey,       // a mapping was opened, its first key is scanned
    kValue,          // behind the colon of a block mapping
    kItem,           // behind the dash of a block sequence
    kFlowItem,       // behind [ or the comma of a flow sequence
    kFlowItemEnd,    // behind a nested collection in a flow sequence
    kFlowKey,        // behind { or the comma of a flow mapping
    kFlowValue,      // behind the colon of a flow mapping
    kFlowValueEnd,   // behind a nested collection in a flow mapping
    kStreamEnd,
  };
  enum class Collection : std::uint8_t {
    kBlockMapping,
    kBlockSequence,
    kIndentless,  // a sequence at the indentation of the mapping it is in
    kFlowMapping,
    kFlowSequence,
  };
  struct Frame {
    Collection kind;
    std::int32_t indent;  // of the nearest block collection, for flow ones
  };
  // What ends a document; everything but kNothing makes the token's column -1.
  enum class Boundary : std::uint8_t { kNothing, kText, kStart, kStop };
  struct ScannedScalar {
    std::string_view text;
    bool plain = false;
    bool stable = false;
  };

  bool prepare();

  // Each of the following returns false when the scanner declines.
  bool to_next_token();
  bool end_line(const char* p);
  bool document_start(YamlEvent& out);
  bool token(YamlEvent& out);
  bool key(YamlEvent& out);
  bool value(YamlEvent& out);
  bool item(YamlEvent& out);
  bool node(YamlEvent& out, bool key_allowed);
  bool scalar_or_mapping(YamlEvent& out, bool key_allowed);
  bool anchored(YamlEvent& out, bool key_allowed);
  bool begin_flow(YamlEvent& out, bool key_allowed);
  bool flow_item(YamlEvent& out);
  bool flow_key(YamlEvent& out);
  bool flow_value(YamlEvent& out);
  bool flow_node(YamlEvent& out, char close);
  bool end_flow(YamlEvent& out);
  bool flow_separator(char close);
  bool skip_flow_space();
  bool spend_flow_budget();

  bool scan_quoted(ScannedScalar& out, bool& one_line);
  bool scan_quoted_slowly(char quote, ScannedScalar& out);
  bool scan_escape(const char*& p);
  bool scan_plain_rest(std::string_view first_line, std::int32_t indent, ScannedScalar& out);
  bool scan_block_scalar(ScannedScalar& out);

  // The first place in [p, …) that ends a plain scalar's run on this line: a colon that has a blank
  // behind it, a # that has one before it, the line break, or a tab, which no caller takes.
  const char* find_plain_end(const char* p) const;
  const char* find_flow_plain_end(const char* p) const;
  const char* line_end(const char* p) const;
  bool is_document_mark(const char* p, char c) const;
  bool flow_key_on_line(const char* p);

  void new_line(const char* p) {
    p_ = line_start_ = column_origin_ = counted_ = p;
    ++line_;
  }
  Position place(const char* p);
  Position token_place() const;
  std::int32_t indent() const { return frames_.empty() ? -1 : frames_.back().indent; }
  void emit(YamlEvent& out, YamlEventKind kind, const Position& at) {
    out.kind = kind;
    out.plain = false;
    out.stable = true;
    out.at = at;
    out.text = out.tag = out.anchor = {};
    ++restart_.events;
  }
  void emit_scalar(YamlEvent& out, const ScannedScalar& scalar, const Position& at) {
    out.kind = YamlEventKind::kScalar;
    out.plain = scalar.plain;
    out.stable = scalar.stable;
    out.at = at;
    out.text = scalar.text;
    out.tag = out.anchor = {};
    ++restart_.events;
  }
  void emit_null(YamlEvent& out, const Position& at) {
    emit(out, YamlEventKind::kScalar, at);
    out.plain = true;
  }

  // The text always ends in a line break: one is added to a copy where it does not.
  std::string completed_;
  const char* begin_ = nullptr;
  const char* end_ = nullptr;
  std::size_t length_;  // of the text without the added line break
  bool ascii_ = true;
  bool usable_ = false;
  bool added_break_ = false;
  std::int64_t last_column_ = 0;  // where the text ends, when a break was added

  State state_ = State::kFirstDocument;
  Boundary boundary_ = Boundary::kNothing;
  const char* p_ = nullptr;  // the next byte
  const char* line_start_ = nullptr;
  std::uint32_t line_ = 1;
  std::int32_t column_ = 0;  // of the token at p_, in kToken
  // Columns count code points: the bytes before counted_ that only continue one are left out.
  const char* column_origin_ = nullptr;
  const char* counted_ = nullptr;
  const char* no_flow_key_before_ = nullptr;
  std::vector<Frame> frames_;
  std::uint64_t flow_depth_ = 0;
  std::uint64_t flow_budget_;
  ScannedScalar first_key_;
  Position first_key_at_;
  std::string scratch_;  // of a scalar that does not stand in the text as it is
  Restart restart_;
};

}  // namespace strake::value::internal
