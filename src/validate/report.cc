#include "validate/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_writer.h"

namespace strake::validate {
namespace {

using value::Value;

// Makes objects whose keys are literals. Text that is not UTF-8 is made so, since the formats have
// no other way.
class ReportMaker {
 public:
  ReportMaker(Arena& arena, const ReportOptions& options) : arena_(arena), options_(options) {}

  // With the results themselves, or with an empty list in their place.
  Value report(std::span<const FileResult> results, bool listed) {
    std::vector<Value> items;
    std::vector<Value> passed_over;
    for (const FileResult& file : results) {
      if (file.passed_over != NotManifest::kNo) {
        Value one = Value::object({});
        set(one, "file", file.file);
        set(one, "reason", explain(file.passed_over, options_.locale));
        passed_over.push_back(one);
      }
      if (!listed) continue;
      for (const DocumentResult& document : file.documents) items.push_back(result(file, document));
    }
    const Summary sum = summarize(results);
    Value summary = Value::object({});
    set(summary, "documents", sum.documents);
    set(summary, "errors", sum.errors);
    set(summary, "invalid", sum.invalid);
    set(summary, "skipped", sum.skipped);
    set(summary, "truncated", sum.truncated);
    if (sum.unknown > 0) set(summary, "unknown", sum.unknown);
    if (sum.unlisted > 0) set(summary, "unlisted", sum.unlisted);
    set(summary, "valid", sum.valid);
    Value root = Value::object({});
    if (!passed_over.empty()) set(root, "passedOver", array(passed_over));
    set(root, "results", array(items));
    set(root, "summary", summary);
    set(root, "version", std::size_t{1});
    return root;
  }

  Value result(const FileResult& file, const DocumentResult& document) {
    Value out = Value::object({});
    set(out, "file", file.file);
    set(out, "document", document.document);
    if (!document.items.empty()) {
      std::vector<Value> indices;
      for (const std::size_t i : document.items) indices.push_back(Value::unsigned_integer(i));
      set(out, "items", array(indices));
    }
    set_unless_empty(out, "apiVersion", document.api_version);
    set_unless_empty(out, "kind", document.kind);
    set_unless_empty(out, "namespace", document.namespace_name);
    set_unless_empty(out, "name", document.name);
    set(out, "status", to_string(document.status));
    set_unless_empty(out, "reason", explain(document.skipped_as, options_.locale));
    std::vector<Value> issues;
    for (const Finding& finding : document.findings)
      issues.push_back(issue(file, document, finding));
    set(out, "issues", array(issues));
    if (!document.defaults.empty()) {
      std::vector<Value> places;
      for (const std::string& place : document.defaults) places.push_back(text(place));
      set(out, "defaults", array(places));
    }
    if (options_.presence) set(out, "presence", presence(document));
    return out;
  }

 private:
  Value issue(const FileResult& file, const DocumentResult& document, const Finding& finding) {
    const Fault& fault = finding.fault;
    Value out = Value::object({});
    set(out, "code", to_string(fault.issue));
    set(out, "severity", to_string(fault.severity));
    set(out, "path", finding.path.to_pointer());
    if (options_.paths != PathRender::kPointer)
      set_unless_empty(out, "fieldPath", fault.path.to_k8s());
    set(out, "message", message_of(fault, options_.locale));
    set_unless_empty(out, "hint", hint_of(fault, options_.locale));
    if (!fault.params.empty()) set(out, "params", params(fault));
    set_unless_empty(out, "rule", fault.rule);
    set_unless_empty(out, "schemaPath", fault.schema_path);
    if (finding.position) {
      Value source = Value::object({});
      set(source, "file", file.file);
      set(source, "document", document.document);
      set(source, "line", std::size_t{finding.position->line});
      set(source, "column", std::size_t{finding.position->column});
      set(source, "offset", static_cast<std::size_t>(finding.position->offset));
      if (finding.length > 0) set(source, "length", static_cast<std::size_t>(finding.length));
      set(out, "source", source);
    }
    set_unless_empty(out, "fragment", finding.fragment);
    if (!fault.reason.empty()) {
      Value k8s = Value::object({});
      set(k8s, "type", fault.reason);
      set(k8s, "detail", fault.message);
      set(out, "k8s", k8s);
    }
    return out;
  }

  // By pointer: the flags that are set.
  Value presence(const DocumentResult& document) {
    auto* members = arena_.allocate_array<value::Member>(document.presence.size());
    std::size_t count = 0;
    for (const Presence& one : document.presence) {
      std::vector<Value> flags;
      if (one.seen) flags.push_back(Value::string("seen"));
      if (one.was_null) flags.push_back(Value::string("wasNull"));
      if (one.default_applied) flags.push_back(Value::string("defaultApplied"));
      members[count++] = {text(one.pointer).as_string(), array(flags)};
    }
    const auto by_key = [](const value::Member& a, const value::Member& b) {
      return a.key < b.key;
    };
    std::sort(members, members + count, by_key);
    return Value::object({members, count});
  }

  Value params(const Fault& fault) {
    Value out = Value::object({});
    for (const Param& param : fault.params) {
      const auto parsed = value::read_json(param.json);
      if (parsed)
        out.set(arena_.copy(param.name), value::deep_copy(parsed->root(), arena_), arena_);
    }
    return out;
  }

  Value array(const std::vector<Value>& items) {
    Value* kept = arena_.allocate_array<Value>(items.size());
    std::copy(items.begin(), items.end(), kept);
    return Value::array({kept, items.size()});
  }
  Value text(std::string_view v) { return Value::string(arena_.copy(utf8::replace_invalid(v))); }
  void set(Value& object, std::string_view key, Value v) { object.set(key, v, arena_); }
  void set(Value& object, std::string_view key, std::size_t v) {
    object.set(key, Value::unsigned_integer(v), arena_);
  }
  void set(Value& object, std::string_view key, std::string_view v) {
    object.set(key, text(v), arena_);
  }
  void set_unless_empty(Value& object, std::string_view key, std::string_view v) {
    if (!v.empty()) set(object, key, v);
  }

  Arena& arena_;
  const ReportOptions& options_;
};

// The lines behind the first, moved to the right.
std::string indented(std::string_view text, std::string_view front) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') out += front;
  }
  return out;
}

}  // namespace

Summary summarize(std::span<const FileResult> results) {
  Summary sum;
  for (const FileResult& file : results) {
    sum.documents += file.document_count();
    sum.valid += file.unlisted_valid;
    sum.invalid += file.unlisted_invalid;
    sum.unlisted += file.unlisted_errors + file.unlisted_warnings;
    for (const DocumentResult& document : file.documents) {
      sum.truncated += document.truncated;
      switch (document.status) {
        case Status::kValid: ++sum.valid; break;
        case Status::kInvalid: ++sum.invalid; break;
        case Status::kError: ++sum.errors; break;
        case Status::kSkipped: ++sum.skipped; break;
        case Status::kUnknown: ++sum.unknown; break;
      }
    }
  }
  return sum;
}

value::Document report_document(std::span<const FileResult> results, const ReportOptions& options) {
  value::Document out;
  out.root() = ReportMaker(out.arena(), options).report(results, true);
  return out;
}

void write_report(std::span<const FileResult> results, const ReportOptions& options,
                  ReportText text, const std::function<void(std::string_view)>& write) {
  const bool json = text == ReportText::kJson;
  value::Document frame;
  frame.root() = ReportMaker(frame.arena(), options).report(results, false);
  const std::string around =
      json ? value::to_json(frame.root(), {.indent = 2}) + "\n" : value::to_yaml(frame.root());
  // No text in it can hold such a line: JSON has no line breaks in strings, and YAML indents them.
  const std::string_view mark = json ? "  \"results\": []" : "results: []\n";
  std::size_t at = around.find(mark);
  while (at != std::string::npos && at > 0 && around[at - 1] != '\n')
    at = around.find(mark, at + 1);
  const bool empty =
      std::ranges::all_of(results, [](const FileResult& file) { return file.documents.empty(); });
  if (empty || at == std::string::npos) return write(around);
  const std::string_view before = std::string_view(around).substr(0, at);
  const std::string_view after = std::string_view(around).substr(at + mark.size());
  write(before);
  write(json ? "  \"results\": [" : "results:\n");
  bool first = true;
  for (const FileResult& file : results) {
    for (const DocumentResult& document : file.documents) {
      Arena arena;
      Value one = ReportMaker(arena, options).result(file, document);
      if (json) {
        write(first ? "\n    " : ",\n    ");
        write(indented(value::to_json(one, {.indent = 2}), "    "));
      } else {
        write(value::to_yaml(Value::array({&one, 1})));
      }
      first = false;
    }
  }
  if (json) write("\n  ]");
  write(after);
}

std::string shown_path(const Finding& finding, PathRender paths) {
  const Fault& fault = finding.fault;
  // The server has no path for faults of a whole schema, but names it in the message, and so it is
  // known.
  const bool nil = fault.field == "<nil>";
  const std::string k8s = nil ? fault.path.to_k8s() : fault.field;
  if (paths == PathRender::kK8s) return k8s;
  const std::string pointer = finding.path.to_pointer();
  if (paths == PathRender::kPointer) return pointer;
  if (k8s.empty() || pointer.empty()) return k8s.empty() ? pointer : k8s;
  return fmt::format("{} ({})", k8s, pointer);
}

}  // namespace strake::validate
