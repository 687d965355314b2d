#pragma once
// What built-in kinds have in common: all that follows from the declaration of their type, and for
// the rest the plainest answer. A kind says only where it differs.
#include <vector>

#include "kinds/derive.h"
#include "kinds/strategy.h"
#include "meta/names.h"
#include "value/document.h"

namespace strake::kinds {

class BuiltinStrategy : public Strategy {
 public:
  explicit BuiltinStrategy(std::string_view full_type_name);
  // For a kind that is decoded by another shape than its declaration has.
  BuiltinStrategy(std::string_view full_type_name, const meta::Shape& shape);

  // How a body is decoded: the whole object with apiVersion, kind and metadata.
  const meta::Shape& shape() const { return merge_.shape; }

  const Wire& wire() const final;
  Result<> decode(value::Value& object, Arena& arena, const ServedVersion& version,
                  const DecodeOptions& options) const final;
  const value::Value* zero() const final { return &zero_.root(); }
  const StrategicMerge* strategic_merge() const final { return &merge_; }
  meta::GroupKind refused_as(const value::Value& object,
                             const WriteRequest& request) const override;

  // metadata by the rules for all kinds, then what the kind says in validate_*.
  Result<resource::Verdict> check_create(const value::Value& object,
                                         const WriteRequest& request) const override;
  Result<resource::Verdict> check_update(const value::Value& object, const value::Value& old,
                                         const WriteRequest& request) const final;
  Result<resource::Verdict> check_status(const value::Value& object, const value::Value& old,
                                         const WriteRequest& request) const final;
  Result<resource::Verdict> check_other(const value::Value& object, const value::Value& old,
                                        const WriteRequest& request) const final;

  // A DNS subdomain, as most objects are named.
  virtual meta::Messages check_name(std::string_view name, bool prefix) const;
  virtual void apply_defaults(value::Value&, Arena&) const {}
  virtual value::FieldErrors validate_create(const value::Value&, const WriteRequest&) const {
    return {};
  }
  virtual value::FieldErrors validate_update(const value::Value& object, const value::Value& old,
                                             const WriteRequest& request) const;
  virtual value::FieldErrors validate_status(const value::Value&, const value::Value&,
                                             const WriteRequest&) const {
    return {};
  }
  virtual value::FieldErrors validate_other(const value::Value&, const value::Value&,
                                            const WriteRequest&) const {
    return {};
  }

  void prepare_create(value::Value&, Arena&, const WriteRequest&) const override {}
  void prepare_update(value::Value&, const value::Value&, Arena&,
                      const WriteRequest&) const override {}
  // The spec stays.
  void prepare_status(value::Value& object, const value::Value& old, Arena& arena,
                      const WriteRequest& request) const override;
  void prepare_other(value::Value&, const value::Value&, Arena&,
                     const WriteRequest&) const override {}
  std::vector<std::string> warnings(const value::Value&, const value::Value*) const override {
    return {};
  }
  void after_accept(value::Value&, Arena&) const override {}
  Deletion prepare_delete(value::Value&, bool, Arena&, const WriteRequest&) const override {
    return {};
  }
  bool is_held(const value::Value&) const override { return false; }
  bool decides_what_is_served() const override { return false; }

  std::span<const Column> columns() const final { return columns_; }
  void cells(const value::Value&, WallTime, std::vector<value::Value>&, Arena&) const override {}
  bool offers_field(std::string_view label, const ServedVersion& version) const final;
  virtual std::span<const std::string_view> field_labels() const { return {}; }
  std::string unknown_field(std::string_view label) const override;
  std::string field(const value::Value&, std::string_view) const override { return {}; }
  void to_stored(value::Value&, Arena&) const override {}
  void from_stored(value::Value&, Arena&) const override {}

 protected:
  void set_columns(std::vector<Column> columns) { columns_ = std::move(columns); }

 private:
  Result<resource::Verdict> check_change(const value::Value& object, const value::Value& old,
                                         value::FieldErrors found) const;

  meta::GroupKind kind_;
  StrategicMerge merge_;
  value::Document zero_;
  std::vector<Column> columns_;
};

// Kinds whose status only the status subresource writes: a new object has an empty one, and an
// update keeps the one there is.
class StatusStrategy : public BuiltinStrategy {
 public:
  // What a write of the status keeps of the object beside its spec.
  enum class Keeps { kNothing, kMetadata };
  explicit StatusStrategy(std::string_view full_type_name, Keeps keeps = Keeps::kNothing)
      : BuiltinStrategy(full_type_name), keeps_(keeps) {}

  void prepare_create(value::Value& object, Arena& arena,
                      const WriteRequest& request) const override;
  void prepare_update(value::Value& object, const value::Value& old, Arena& arena,
                      const WriteRequest& request) const override;
  void prepare_status(value::Value& object, const value::Value& old, Arena& arena,
                      const WriteRequest& request) const override;

 private:
  Keeps keeps_;
};

// Kinds that are asked and answered: nothing is stored, so metadata is not judged.
class ReviewStrategy : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;
  Result<resource::Verdict> check_create(const value::Value& object,
                                         const WriteRequest& request) const final;
};

}  // namespace strake::kinds
