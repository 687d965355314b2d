#include "cli/crd/crd_files.h"

#include <algorithm>

#include "cli/io/documents.h"
#include "cli/io/files.h"
#include "validate/checker.h"
#include "value/fields.h"
#include "value/read_options.h"

namespace strake::cli {
namespace {

using value::Document;
using value::Value;

constexpr std::string_view kGroup = "apiextensions.k8s.io/";

FieldPath joined(FieldPath path, const FieldPath& more) {
  for (const FieldPath::Step& step : more.steps()) {
    switch (step.kind) {
      case FieldPath::Kind::kField: path.push_field(step.name); break;
      case FieldPath::Kind::kKey: path.push_key(step.name); break;
      case FieldPath::Kind::kIndex: path.push_index(step.index); break;
    }
  }
  return path;
}

ReportEntry entry_at(const CrdFile& file, const Document& document, FieldPath path,
                     std::string_view code) {
  ReportEntry out{.code = std::string(code), .file = file.name};
  const Value* v = document.at(path);
  // The key of a map or list tells more than its first line does.
  const bool by_key = v != nullptr && (v->is_object() || v->is_array()) && !path.empty();
  out.position = by_key ? document.key_position(path) : document.position(path);
  out.path = std::move(path);
  out.source_line = line_at(file.text, *out.position);
  return out;
}

class CrdCollector {
 public:
  void add_file(const std::string& name, Io& io) {
    auto text = read_input(name, kMostCrdBytes, io);
    if (!text) return add_lost(name, text.error());
    add_text(name, *std::move(text));
  }

  void add_text(const std::string& name, std::string packed) {
    out_.files.push_back({.name = name});
    auto text = validate::plain_text(std::move(packed), kMostCrdBytes);
    if (!text) return refuse(entry_from(text.error(), name, ""), ExitCode::kInput);
    value::ReadOptions options;
    options.positions = true;
    options.limits.bytes = kMostCrdBytes;
    const std::string_view plain_name =
        name.ends_with(".gz") ? std::string_view(name).substr(0, name.size() - 3) : name;
    auto documents = read_documents(*text, plain_name, options);
    if (!documents) return refuse(entry_from(documents.error(), name, *text), ExitCode::kInput);
    const auto file = std::make_shared<const CrdFile>(
        CrdFile{.name = name, .text = std::move(*text), .documents = std::move(documents->items)});
    out_.files.back().documents = file->documents.size();
    for (const Document& document : file->documents) add(file, document, document.root(), {});
  }

  // A name that leads nowhere.
  void add_lost(const std::string& name, const Error& error) {
    out_.files.push_back({.name = name});
    refuse(entry_from(error, name, ""), ExitCode::kInput);
  }

  CrdFiles take() { return std::move(out_); }

 private:
  void refuse(ReportEntry finding, ExitCode code) {
    out_.worst = std::max(out_.worst, code);
    out_.findings.push_back(std::move(finding));
  }

  // `list` is the list that v is an item of: those of a kind may leave out what the list says for
  // all of them.
  void add(const std::shared_ptr<const CrdFile>& file, const Document& document, const Value& v,
           FieldPath at, const Value* list = nullptr) {
    if (!v.is_object()) return;
    if (at.empty() && (v.find("openapi") != nullptr || v.find("swagger") != nullptr)) {
      out_.descriptions.push_back({file, &document});
      return;
    }
    std::string_view kind = text_of(v, "kind");
    std::string_view api = text_of(v, "apiVersion");
    if (const Value* items = v.find("items");
        at.empty() && kind.ends_with("List") && items != nullptr && items->is_array()) {
      for (std::size_t i = 0; i < items->size(); ++i)
        add(file, document, items->items()[i], FieldPath() / "items" / i, &v);
      return;
    }
    if (list != nullptr && kind.empty() &&
        text_of(*list, "kind") == "CustomResourceDefinitionList") {
      kind = "CustomResourceDefinition";
      api = text_of(*list, "apiVersion");
    }
    if (kind != "CustomResourceDefinition" || !api.starts_with(kGroup)) return;
    if (api != "apiextensions.k8s.io/v1") {
      ReportEntry finding = entry_at(*file, document, at / "apiVersion", "crd-invalid");
      finding.message = fmt::format("no server has {} any more", api);
      finding.hint = "apiextensions.k8s.io/v1 has had every feature since Kubernetes 1.16";
      return refuse(std::move(finding), ExitCode::kFindings);
    }
    // Reading edits the value; the document keeps the positions.
    Document copy;
    copy.root() = value::deep_copy(v, copy.arena());
    copy.root().set("apiVersion", Value::string("apiextensions.k8s.io/v1"), copy.arena());
    copy.root().set("kind", Value::string("CustomResourceDefinition"), copy.arena());
    std::vector<std::string> unknown;
    auto crd = crd::Crd::read(std::move(copy), &unknown);
    if (!crd) {
      ReportEntry finding = entry_at(*file, document, at, "crd-invalid");
      finding.message = crd.error().message();
      return refuse(std::move(finding), ExitCode::kFindings);
    }
    crd->prepare_for_create();
    out_.crds.push_back({.file = file,
                         .document = &document,
                         .at = std::move(at),
                         .unknown = std::move(unknown),
                         .crd = *std::move(crd)});
  }

  CrdFiles out_;
};

}  // namespace

ReportEntry FoundCrd::entry(std::string_view code, const FieldPath& path) const {
  return entry_at(*file, *document, joined(at, path), code);
}

CrdFiles read_crd_files(std::span<const std::string> operands, Io& io) {
  CrdCollector collector;
  for (const std::string& operand : operands) {
    const auto names = find_inputs({&operand, 1}, io);
    if (!names) {
      collector.add_lost(operand, names.error());
      continue;
    }
    for (const std::string& name : *names) collector.add_file(name, io);
  }
  return collector.take();
}

CrdFiles read_crd_texts(std::vector<NamedText> texts) {
  CrdCollector collector;
  for (NamedText& one : texts) collector.add_text(one.name, std::move(one.text));
  return collector.take();
}

}  // namespace strake::cli
