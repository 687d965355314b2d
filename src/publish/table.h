#pragma once
// Objects as tables and as bare metadata: what kubectl prints from. Written straight as JSON text.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/time.h"
#include "kinds/resource.h"
#include "value/value.h"

namespace strake::publish {

enum class IncludeObject : std::uint8_t { kMetadata, kObject, kNone };

// Prints one version of a resource; keeps the JSONPaths of its columns compiled. May be used from
// many threads.
class TablePrinter {
 public:
  // The strategy must outlive it.
  TablePrinter(kinds::ResourcePtr resource, const kinds::ServedVersion& version,
               const kinds::Strategy& strategy);
  // Prints its scale subresource: the rows are autoscaling/v1 Scales.
  static TablePrinter of_scale(kinds::ResourcePtr resource, const kinds::ServedVersion& version);
  TablePrinter(TablePrinter&&) noexcept;
  TablePrinter& operator=(TablePrinter&&) noexcept;
  ~TablePrinter();

  // {"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":<list_metadata>,"columnDefinitions":[...],"rows":[
  // `list_metadata` is JSON text. Without columns for the later events of a watch:
  // "columnDefinitions":null.
  void begin(std::string& out, std::string_view list_metadata, bool with_columns) const;
  // One row, without a comma. `object` is parsed from `bytes`, the JSON text of the object in this
  // version, which only kObject looks at.
  void row(std::string& out, const value::Value& object, std::string_view bytes,
           IncludeObject include, WallTime now) const;
  void end(std::string& out) const;  // ]}

 private:
  struct Impl;
  explicit TablePrinter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// {"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{...}}
void partial_object_metadata(std::string& out, const value::Value& object);

}  // namespace strake::publish
