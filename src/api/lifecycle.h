#pragma once
// Kinds that do not go at once when they are deleted: what holds them is noted on the object, and a
// controller clears it.
#include "api/answer.h"
#include "api/call.h"
#include "value/document.h"

namespace strake::api {

// Finalizers that say how dependents are treated; the collector of garbage clears them.
inline constexpr std::string_view kOrphanFinalizer = "orphan";
inline constexpr std::string_view kForegroundFinalizer = "foregroundDeletion";
inline constexpr std::string_view kCrdCleanup = "customresourcecleanup.apiextensions.k8s.io";

// Edits an object that is to be deleted. True when it must stay until a controller is done with it;
// 403 when it may not be deleted at all.
Answer<bool> prepare_delete(const Call& call, value::Document& document, bool already_deleting);

}  // namespace strake::api
