#pragma once
// The versions that a kind has beside the one of a request: fields are owned in the version they
// were written in.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "schema/node.h"
#include "value/value.h"

namespace strake::patch {

class OtherVersions {
 public:
  virtual ~OtherVersions() = default;
  // The schema of a version ("example.com/v1"), which may be null; nothing when the kind does not
  // have it.
  virtual std::optional<const schema::Node*> schema(std::string_view api_version) const = 0;
  // The object, at whatever version it says it is, as it is at this one.
  virtual Result<value::Value> convert(const value::Value& object, std::string_view api_version,
                                       Arena& arena) const = 0;
};

// Versions that differ in nothing but their name: conversion strategy None.
class SameShapeVersions final : public OtherVersions {
 public:
  explicit SameShapeVersions(std::vector<std::pair<std::string, schema::NodePtr>> versions)
      : versions_(std::move(versions)) {}

  std::optional<const schema::Node*> schema(std::string_view api_version) const override;
  Result<value::Value> convert(const value::Value& object, std::string_view api_version,
                               Arena& arena) const override;

 private:
  std::vector<std::pair<std::string, schema::NodePtr>> versions_;
};

}  // namespace strake::patch
