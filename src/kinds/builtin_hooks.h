#pragma once
// What most built-in kinds have in common: all that follows from the declaration of their type, and
// for the rest the plainest answer. A kind says only where it differs.
#include <vector>

#include "kinds/derive.h"
#include "kinds/hooks.h"

namespace strake::kinds {

class BuiltinHooks : public Hooks {
 public:
  explicit BuiltinHooks(std::string_view full_type_name);

  const meta::Shape& shape() const final { return *shape_; }
  const patch::MergeFields& merge_fields() const final { return *merge_fields_; }
  // A DNS subdomain, as most objects are named.
  meta::Messages check_name(std::string_view name, bool prefix) const override;

  void apply_defaults(value::Value&, Arena&) const override {}
  void prepare_create(value::Value&, Arena&) const override {}
  void prepare_update(value::Value&, const value::Value&, Arena&) const override {}
  value::FieldErrors validate_create(const value::Value&) const override { return {}; }
  value::FieldErrors validate_update(const value::Value& object,
                                     const value::Value& old) const override;
  // The spec stays.
  void prepare_status(value::Value& object, const value::Value& old, Arena& arena) const override;
  value::FieldErrors validate_status(const value::Value&, const value::Value&) const override {
    return {};
  }
  std::vector<std::string> warnings(const value::Value&, const value::Value*) const override {
    return {};
  }

  std::span<const Column> columns() const final { return columns_; }
  void cells(const value::Value&, WallTime, std::vector<value::Value>&, Arena&) const override {}
  std::span<const std::string_view> field_labels() const override { return {}; }
  std::string field(const value::Value&, std::string_view) const override { return {}; }

 protected:
  void set_columns(std::vector<Column> columns) { columns_ = std::move(columns); }

 private:
  const meta::Shape* shape_;
  const patch::MergeFields* merge_fields_;
  std::vector<Column> columns_;
};

}  // namespace strake::kinds
