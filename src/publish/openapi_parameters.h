#pragma once
// The parameters that operations take, as OpenAPI v3 and v2 write them.
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace strake::publish {

// In the order of their names, which is the order in which they are published.
enum class Parameter : std::uint8_t {
  kAllowWatchBookmarks,
  kBody,  // stands among the parameters in v2 only
  kContinue,
  kDryRun,
  kFieldManager,
  kFieldManagerOfPatch,  // the same name with another description
  kFieldSelector,
  kFieldValidation,
  kForce,
  kGracePeriodSeconds,
  kIgnoreStoreReadError,
  kLabelSelector,
  kLimit,
  kName,
  kNamespace,
  kOrphanDependents,
  kPretty,
  kPropagationPolicy,
  kResourceVersion,
  kResourceVersionMatch,
  kSendInitialEvents,
  kShardSelector,
  kTimeoutSeconds,
  kWatch,
};
inline constexpr int kParameterCount = 24;

class ParameterSet {
 public:
  constexpr ParameterSet() = default;
  constexpr ParameterSet(std::initializer_list<Parameter> all) {
    for (const Parameter one : all) bits_ |= bit(one);
  }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool has(Parameter one) const { return (bits_ & bit(one)) != 0; }
  constexpr ParameterSet operator|(ParameterSet other) const {
    return from_bits(bits_ | other.bits_);
  }
  constexpr ParameterSet operator&(ParameterSet other) const {
    return from_bits(bits_ & other.bits_);
  }
  constexpr ParameterSet without(ParameterSet other) const {
    return from_bits(bits_ & ~other.bits_);
  }
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::uint32_t left = bits_; left != 0; left &= left - 1)
      visit(static_cast<Parameter>(std::countr_zero(left)));
  }

 private:
  static constexpr std::uint32_t bit(Parameter one) {
    return std::uint32_t{1} << static_cast<unsigned>(one);
  }
  static constexpr ParameterSet from_bits(std::uint32_t bits) {
    ParameterSet out;
    out.bits_ = bits;
    return out;
  }
  std::uint32_t bits_ = 0;
};

// JSON texts. `kind` is whose name kName is. Neither is for kBody.
std::string_view parameter_v3(Parameter parameter);
std::string name_parameter_v3(std::string_view kind);
// A reference where the document shares the parameter, else the parameter itself.
std::string_view parameter_v2(Parameter parameter);
std::string name_parameter_v2(std::string_view kind);

// The members of `parameters` of the v2 document: `"continue-QfD61s0i":{...},...`.
const std::string& shared_parameters_v2();
// How the bodies of deletions and patches are named there.
inline constexpr std::string_view kDeleteBodyV2 = R"({"$ref":"#/parameters/body-2Y1dVQaQ"})";
inline constexpr std::string_view kPatchBodyV2 = R"({"$ref":"#/parameters/body-78PwaGsr"})";

}  // namespace strake::publish
