#include "publish/table.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "base/number_format.h"
#include "base/rfc3339.h"
#include "kinds/columns.h"
#include "meta/age.h"
#include "meta/object_meta.h"
#include "publish/json_path.h"
#include "publish/json_text.h"
#include "value/json_writer.h"

// Tables as kubectl asks for them. Columns come from the CRD (JSONPath), from the kind's strategy,
// or are name and age; their definitions are written once per printer, rows append to a string. A
// cell whose value does not fit the column's type is null, not an error.

namespace strake::publish {
namespace {

using kinds::Column;
using value::Type;
using value::Value;

constexpr std::string_view kCreationPath = ".metadata.creationTimestamp";

enum class CellType : std::uint8_t { kString, kInteger, kNumber, kBoolean, kDate, kOther };

CellType cell_type(std::string_view type) {
  if (type == "string") return CellType::kString;
  if (type == "integer") return CellType::kInteger;
  if (type == "number") return CellType::kNumber;
  if (type == "boolean") return CellType::kBoolean;
  return type == "date" ? CellType::kDate : CellType::kOther;
}

Column age_column() {
  return {.name = "Age",
          .type = "date",
          .description = std::string(kinds::kCreationDescription),
          .json_path = std::string(kCreationPath)};
}

std::vector<Column> scale_columns(const kinds::ServedVersion& version) {
  const auto column = [](std::string_view name, std::string_view text, std::string_view path) {
    return Column{.name = std::string(name),
                  .type = "integer",
                  .description = std::string(text),
                  .json_path = std::string(path)};
  };
  std::vector<Column> columns;
  if (version.subresource("scale") != nullptr) {
    columns.push_back(column("Desired", "Number of desired replicas", ".spec.replicas"));
    columns.push_back(column("Available", "Number of actual replicas", ".status.replicas"));
  }
  columns.push_back(age_column());
  return columns;
}

void write_column(JsonText& json, const Column& column) {
  json.open_object()
      .field("name", column.name)
      .field("type", column.type)
      .field("format", column.format)
      .field("description", column.description)
      .key("priority")
      .number(column.priority)
      .close_object();
}

void write_name_column(JsonText& json) {
  write_column(json, {.name = "Name",
                      .type = "string",
                      .format = "name",
                      .description = std::string(kinds::kNameDescription)});
}

// A float64 as Go makes an int64 of it; what does not fit becomes the smallest, as on amd64.
std::int64_t truncated(double number) {
  constexpr double kLimit = 9223372036854775808.0;
  if (!(number > -kLimit && number < kLimit)) return INT64_MIN;
  return static_cast<std::int64_t>(number);
}

void write_age(std::string& out, std::string_view time, WallTime now) {
  // As query parameters are read, where "null" is no time; nor is the first moment of year 1.
  constexpr Instant kZeroTime{.seconds = -62135596800};
  if (time == "null") time = {};
  if (time.starts_with("000") && parse_rfc3339(time) == kZeroTime) time = {};
  value::write_json_string(meta::human_age_since(time, now), out);
}

void write_cell(std::string& out, CellType type, const Value& match, WallTime now) {
  const Type is = match.type();
  if (type == CellType::kString) {
    if (match.is_string()) {
      value::write_json_string(match.as_string(), out);
      return;
    }
    std::string text;
    append_printed(text, match);
    value::write_json_string(text, out);
  } else if (type == CellType::kInteger && is == Type::kInt) {
    fmt::format_to(std::back_inserter(out), "{}", match.as_int());
  } else if (type == CellType::kInteger && is == Type::kDouble) {
    fmt::format_to(std::back_inserter(out), "{}", truncated(match.as_double()));
  } else if (type == CellType::kNumber && match.is_number()) {
    append_json_number(out, match.as_double());
  } else if (type == CellType::kBoolean && match.is_bool()) {
    out += match.as_bool() ? "true" : "false";
  } else if (type == CellType::kDate && match.is_string()) {
    write_age(out, match.as_string(), now);
  } else {
    out += "null";
  }
}

}  // namespace

struct TablePrinter::Impl {
  struct PathColumn {
    CellType type;
    JsonPath path;
  };

  kinds::ResourcePtr resource;
  const kinds::Strategy* strategy = nullptr;
  std::vector<PathColumn> columns;  // filled by JSONPath, after the name
  bool has_cells = false;           // the strategy fills the columns
  bool has_paths = false;
  std::string column_definitions;  // JSON, made once

  void use_paths(std::span<const Column> wanted) {
    has_paths = true;
    JsonText json(column_definitions);
    json.open_array();
    write_name_column(json);
    for (const Column& column : wanted) {
      auto path = JsonPath::compile(column.json_path);
      // A path that cannot be read hides its column and all after it.
      if (!path) break;
      columns.push_back({.type = cell_type(column.type), .path = *std::move(path)});
      if (!column.description.empty()) {
        write_column(json, column);
        continue;
      }
      Column described = column;
      described.description = fmt::format(
          "Custom resource definition column (in JSONPath format): {}", column.json_path);
      write_column(json, described);
    }
    json.close_array();
  }

  void use_cells() {
    has_cells = true;
    JsonText json(column_definitions);
    json.open_array();
    for (const Column& column : strategy->columns()) write_column(json, column);
    json.close_array();
  }

  void use_name_and_creation() {
    JsonText json(column_definitions);
    json.open_array();
    write_name_column(json);
    write_column(json, {.name = "Created At",
                        .type = "date",
                        .description = std::string(kinds::kCreationDescription)});
    json.close_array();
  }

  void write_cells(std::string& out, const Value& object, WallTime now) const {
    if (has_cells) {
      Arena arena;
      std::vector<Value> cells;
      strategy->cells(object, now, cells, arena);
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) out += ',';
        value::write_json(cells[i], out);
      }
      return;
    }
    const meta::ObjectMeta metadata = meta::ObjectMeta::of(object);
    value::write_json_string(metadata.name(), out);
    if (!has_paths) {
      out += ',';
      const auto created = parse_rfc3339(metadata.creation_timestamp());
      value::write_json_string(created ? format_rfc3339(*created) : "0001-01-01T00:00:00Z", out);
      return;
    }
    for (const PathColumn& column : columns) {
      out += ',';
      if (const auto match = column.path.first(object)) {
        write_cell(out, column.type, *match, now);
      } else {
        out += "null";
      }
    }
  }
};

TablePrinter::TablePrinter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TablePrinter::TablePrinter(TablePrinter&&) noexcept = default;
TablePrinter& TablePrinter::operator=(TablePrinter&&) noexcept = default;
TablePrinter::~TablePrinter() = default;

TablePrinter::TablePrinter(kinds::ResourcePtr resource, const kinds::ServedVersion& version,
                           const kinds::Strategy& strategy)
    : impl_(std::make_unique<Impl>()) {
  impl_->resource = std::move(resource);
  impl_->strategy = &strategy;
  if (!version.columns.empty()) {
    impl_->use_paths(version.columns);
  } else if (!strategy.columns().empty()) {
    impl_->use_cells();
  } else {
    impl_->use_name_and_creation();
  }
}

TablePrinter TablePrinter::of_scale(kinds::ResourcePtr resource,
                                    const kinds::ServedVersion& version) {
  auto impl = std::make_unique<Impl>();
  impl->resource = std::move(resource);
  impl->use_paths(scale_columns(version));
  return TablePrinter(std::move(impl));
}

void TablePrinter::begin(std::string& out, std::string_view list_metadata,
                         bool with_columns) const {
  out += R"({"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":)";
  out += list_metadata;
  out += R"(,"columnDefinitions":)";
  out += with_columns ? std::string_view(impl_->column_definitions) : "null";
  out += R"(,"rows":[)";
}

void TablePrinter::row(std::string& out, const Value& object, std::string_view bytes,
                       IncludeObject include, WallTime now) const {
  out += R"({"cells":[)";
  impl_->write_cells(out, object, now);
  out += R"(],"object":)";
  switch (include) {
    case IncludeObject::kMetadata: partial_object_metadata(out, object); break;
    case IncludeObject::kObject:
      while (bytes.ends_with('\n')) bytes.remove_suffix(1);
      out += bytes;
      break;
    case IncludeObject::kNone: out += "null"; break;
  }
  out += '}';
}

void TablePrinter::end(std::string& out) const { out += "]}"; }

void partial_object_metadata(std::string& out, const Value& object) {
  out += R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":)";
  const Value* metadata = object.find("metadata");
  if (metadata != nullptr && metadata->is_object()) {
    value::write_json(*metadata, out);
  } else {
    out += "{}";
  }
  out += '}';
}

}  // namespace strake::publish
