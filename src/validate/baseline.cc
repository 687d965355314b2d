#include "validate/baseline.h"

#include <algorithm>

#include "validate/phrases.h"
#include "value/known_keys.h"
#include "value/yaml_reader.h"
#include "value/yaml_writer.h"

// Known findings are recognised by file, object, code and path, not by line or message, so that
// edits elsewhere in the file do not bring them back. Equal findings are counted: one more than
// before is new.

namespace strake::validate {
namespace {

using value::Document;
using value::Value;

constexpr std::size_t kMostEntries = 1'000'000;

bool can_be_known(const Finding& finding) {
  const Issue issue = finding.fault.issue;
  return issue != Issue::kParseError && issue != Issue::kUnreadable && issue != Issue::kOverflow &&
         issue != Issue::kTruncated;
}

std::string resource_of(const DocumentResult& document) {
  std::string out = document.api_version;
  for (const std::string& part : {document.kind, document.namespace_name, document.name}) {
    if (part.empty()) continue;
    if (!out.empty()) out += '/';
    out += part;
  }
  return out;
}

Baseline::Entry entry_of(const FileResult& file, const DocumentResult& document,
                         const Finding& finding, const Baseline::FileName& name) {
  return {.file = name(file.file),
          .resource = resource_of(document),
          .code = std::string(to_string(finding.fault.issue)),
          .path = finding.fault.path.to_pointer()};
}

// A text member of an entry, or nothing when it is not there.
Result<std::string> text_member(const Document& document, const FieldPath& at, const Value& entry,
                                std::string_view key) {
  const Value* v = entry.find(key);
  if (v == nullptr) return std::string();
  if (!v->is_string()) {
    return std::unexpected(Error(Code::kInvalid, say(Phrase::kMemberMustBeString, key))
                               .at(document.position(at / key)));
  }
  return std::string(v->as_string());
}

constexpr std::string_view kRootKeys[] = {"version", "findings"};
constexpr std::string_view kEntryKeys[] = {"file", "resource", "code", "path", "count"};

}  // namespace

Result<Baseline> Baseline::read(std::string_view text, const std::string& source) {
  value::ReadOptions options;
  options.positions = true;
  options.source_name = source;
  STRAKE_TRY(const Document document, value::read_yaml(text, options));
  const auto placed = [&](Error error) { return std::unexpected(std::move(error).in(source)); };
  const Value& root = document.root();
  if (auto fine = value::check_known_keys(document, FieldPath(), kRootKeys); !fine)
    return placed(std::move(fine).error());
  const Value* version = root.find("version");
  if (version == nullptr || version->type() != value::Type::kInt || version->as_int() != 1)
    return placed(Error(Code::kInvalid, say(Phrase::kVersionMustBe))
                      .at(document.position(FieldPath() / "version")));
  Baseline out;
  const Value* findings = root.find("findings");
  if (findings == nullptr || findings->is_null()) return out;
  const FieldPath list = FieldPath() / "findings";
  if (!findings->is_array())
    return placed(
        Error(Code::kInvalid, say(Phrase::kMustBeList, "findings")).at(document.position(list)));
  if (findings->size() > kMostEntries)
    return placed(Error(Code::kLimit, say(Phrase::kMoreThanFindings, kMostEntries)));
  for (std::size_t i = 0; i < findings->size(); ++i) {
    const Value& item = findings->items()[i];
    const FieldPath at = list / i;
    if (auto fine = value::check_known_keys(document, at, kEntryKeys); !fine)
      return placed(std::move(fine).error());
    Entry entry;
    for (const auto& [key, into] :
         {std::pair<std::string_view, std::string*>("file", &entry.file),
          std::pair<std::string_view, std::string*>("resource", &entry.resource),
          std::pair<std::string_view, std::string*>("code", &entry.code),
          std::pair<std::string_view, std::string*>("path", &entry.path)}) {
      auto read = text_member(document, at, item, key);
      if (!read) return placed(std::move(read).error());
      *into = *std::move(read);
    }
    std::size_t count = 1;
    if (const Value* times = item.find("count")) {
      if (times->type() != value::Type::kInt || times->as_int() < 1)
        return placed(Error(Code::kInvalid, say(Phrase::kMustBeCount, "count"))
                          .at(document.position(at / "count")));
      count = static_cast<std::size_t>(times->as_int());
    }
    out.counts_[entry] += count;
  }
  return out;
}

Baseline Baseline::of(std::span<const FileResult> results, const FileName& name) {
  Baseline out;
  for (const FileResult& file : results) {
    for (const DocumentResult& document : file.documents) {
      for (const Finding& finding : document.findings) {
        if (can_be_known(finding)) ++out.counts_[entry_of(file, document, finding, name)];
      }
    }
  }
  return out;
}

std::string Baseline::to_yaml() const {
  Arena arena;
  Value list = Value::array({});
  for (const auto& [entry, count] : counts_) {
    Value item = Value::object({});
    item.set("file", Value::string(entry.file), arena);
    if (!entry.resource.empty()) item.set("resource", Value::string(entry.resource), arena);
    item.set("code", Value::string(entry.code), arena);
    if (!entry.path.empty()) item.set("path", Value::string(entry.path), arena);
    if (count > 1) item.set("count", Value::unsigned_integer(count), arena);
    list.append(item, arena);
  }
  Value root = Value::object({});
  root.set("version", Value::integer(1), arena);
  root.set("findings", list, arena);
  std::string out =
      "# Findings that strake validate does not report. --write-baseline makes it anew.\n";
  value::write_yaml(root, out);
  return out;
}

std::vector<Baseline::Entry> Baseline::apply(
    std::vector<FileResult>& results, const FileName& name,
    const std::function<bool(const std::string&)>& exists) const {
  std::map<Entry, std::size_t> left = counts_;
  std::set<std::string> checked;
  for (FileResult& file : results) {
    checked.insert(name(file.file));
    for (DocumentResult& document : file.documents) {
      const std::size_t count = std::erase_if(document.findings, [&](const Finding& finding) {
        if (!can_be_known(finding)) return false;
        const auto known = left.find(entry_of(file, document, finding, name));
        if (known == left.end() || known->second == 0) return false;
        --known->second;
        return true;
      });
      file.ignored += count;
      if (count > 0) settle_status(document);
    }
  }
  std::vector<Entry> stale;
  for (const auto& [entry, count] : left) {
    // An entry is stale only when its file was checked or is gone; a run over part of the tree says
    // nothing about the rest.
    if (count > 0 && (checked.contains(entry.file) || !exists(entry.file))) stale.push_back(entry);
  }
  return stale;
}

std::size_t Baseline::size() const {
  std::size_t sum = 0;
  for (const auto& [entry, count] : counts_) sum += count;
  return sum;
}

}  // namespace strake::validate
