#pragma once
// What a built-in kind does beyond what its schema says. Custom resources have none: their schema
// says all. Hooks are constants without state; they may be called from any thread.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/time.h"
#include "meta/names.h"
#include "meta/shape.h"
#include "patch/strategic_merge.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// A column of a printed table. Custom resources fill it by JSONPath, built-in kinds by
// Hooks::cells(). The column Name of custom resources is understood.
struct Column {
  std::string name;
  std::string type;  // string, integer, number, boolean, date
  std::string format;
  std::string description;
  std::int32_t priority = 0;
  std::string json_path;
};

class Hooks {
 public:
  virtual ~Hooks() = default;

  // How a request body is decoded: the whole object with apiVersion, kind and metadata.
  virtual const meta::Shape& shape() const = 0;
  virtual meta::Messages check_name(std::string_view name, bool prefix) const = 0;

  // In this order on a create: decode by shape, apply_defaults, prepare_create (drop what clients
  // may not set, fill what the server sets), validate_create. metadata is judged by the caller, who
  // has made the name before prepare_create when there was only a generateName. Every write is
  // decoded and defaulted, patches too. Objects are edited in place.
  virtual void apply_defaults(value::Value& object, Arena& arena) const = 0;
  virtual void prepare_create(value::Value& object, Arena& arena) const = 0;
  virtual void prepare_update(value::Value& object, const value::Value& old,
                              Arena& arena) const = 0;
  virtual value::FieldErrors validate_create(const value::Value& object) const = 0;
  virtual value::FieldErrors validate_update(const value::Value& object,
                                             const value::Value& old) const = 0;
  // A write of the subresource "status": prepare keeps everything but what the subresource may
  // change from `old`.
  virtual void prepare_status(value::Value& object, const value::Value& old,
                              Arena& arena) const = 0;
  virtual value::FieldErrors validate_status(const value::Value& object,
                                             const value::Value& old) const = 0;
  // The same for the subresource "finalize", which only namespaces have.
  virtual void prepare_finalize(value::Value&, const value::Value&, Arena&) const {}
  virtual value::FieldErrors validate_finalize(const value::Value&, const value::Value&) const {
    return {};
  }
  // Told to the client with an accepted write. `old` is null on a create.
  virtual std::vector<std::string> warnings(const value::Value& object,
                                            const value::Value* old) const = 0;

  // All columns of the printed table, Name included. None when the kind has no table of its own: it
  // is then printed as Name and Created At.
  virtual std::span<const Column> columns() const = 0;
  // One value for each column.
  virtual void cells(const value::Value& object, WallTime now, std::vector<value::Value>& out,
                     Arena& arena) const = 0;

  // Labels that a field selector may name beside metadata.name and metadata.namespace.
  virtual std::span<const std::string_view> field_labels() const = 0;
  virtual std::string field(const value::Value& object, std::string_view label) const = 0;

  virtual const patch::MergeFields& merge_fields() const = 0;

  // For a kind that is stored as another version of itself (events of events.k8s.io are stored as
  // core events): the object as it is stored, and back as it is served. Other kinds are left as
  // they are.
  virtual void to_stored(value::Value&, Arena&) const {}
  virtual void from_stored(value::Value&, Arena&) const {}
};

}  // namespace strake::kinds
