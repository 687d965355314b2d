#pragma once
// The declarations of built-in types, by API group, in the language of describe.h.
#include <string_view>

namespace strake::kinds {

extern const std::string_view kMetaTypes;
extern const std::string_view kRuntimeTypes;
extern const std::string_view kCoreTypes;
extern const std::string_view kEventsTypes;
extern const std::string_view kCoordinationTypes;
extern const std::string_view kApiExtensionsTypes;
extern const std::string_view kApiRegistrationTypes;
extern const std::string_view kAdmissionTypes;
extern const std::string_view kRbacTypes;
extern const std::string_view kAuthenticationTypes;
extern const std::string_view kAuthorizationTypes;

}  // namespace strake::kinds
