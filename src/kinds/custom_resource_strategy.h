#pragma once
// The strategy of all custom resources: their definitions say the rest.
#include "kinds/strategy.h"
#include "resource/rule_runner.h"

namespace strake::kinds {

class CustomResourceStrategy final : public Strategy {
 public:
  // The rules must outlive it; without them, the rules of schemas are not run.
  explicit CustomResourceStrategy(const resource::RuleRunner* rules) : rules_(rules) {}

  const Wire& wire() const override;
  Result<> decode(value::Value& object, Arena& arena, const ServedVersion& version,
                  const DecodeOptions& options) const override;
  const value::Value* zero() const override { return nullptr; }

  void prepare_create(value::Value& object, Arena& arena,
                      const WriteRequest& request) const override;
  Result<resource::Verdict> check_create(const value::Value& object,
                                         const WriteRequest& request) const override;
  void prepare_update(value::Value& object, const value::Value& old, Arena& arena,
                      const WriteRequest& request) const override;
  Result<resource::Verdict> check_update(const value::Value& object, const value::Value& old,
                                         const WriteRequest& request) const override;
  void prepare_status(value::Value& object, const value::Value& old, Arena& arena,
                      const WriteRequest& request) const override;
  Result<resource::Verdict> check_status(const value::Value& object, const value::Value& old,
                                         const WriteRequest& request) const override;
  void prepare_other(value::Value&, const value::Value&, Arena&,
                     const WriteRequest&) const override {}
  Result<resource::Verdict> check_other(const value::Value& object, const value::Value& old,
                                        const WriteRequest& request) const override;
  // By what the object says it is, which may be the very fault.
  meta::GroupKind refused_as(const value::Value& object,
                             const WriteRequest& request) const override;
  std::vector<std::string> warnings(const value::Value& object,
                                    const value::Value* old) const override;
  void after_accept(value::Value&, Arena&) const override {}
  Deletion prepare_delete(value::Value&, bool, Arena&, const WriteRequest&) const override {
    return {};
  }
  bool is_held(const value::Value&) const override { return false; }
  bool decides_what_is_served() const override { return false; }

  std::span<const Column> columns() const override { return {}; }
  void cells(const value::Value&, WallTime, std::vector<value::Value>&, Arena&) const override {}
  bool offers_field(std::string_view label, const ServedVersion& version) const override;
  std::string field(const value::Value& object, std::string_view label) const override;
  const StrategicMerge* strategic_merge() const override { return nullptr; }
  void to_stored(value::Value&, Arena&) const override {}
  void from_stored(value::Value&, Arena&) const override {}

 private:
  const resource::RuleRunner* rules_;
};

}  // namespace strake::kinds
