#include "base/cancel_scope.h"

namespace strake {
namespace {

thread_local const CancelScope* current_scope = nullptr;

}  // namespace

CancelScope::CancelScope(CancelToken one, CancelToken other)
    : one_(std::move(one)), other_(std::move(other)), outer_(current_scope) {
  current_scope = this;
}

CancelScope::~CancelScope() { current_scope = outer_; }

bool CancelScope::is_cancelled() {
  for (const CancelScope* scope = current_scope; scope != nullptr; scope = scope->outer_) {
    if (scope->one_.cancelled() || scope->other_.cancelled()) return true;
  }
  return false;
}

}  // namespace strake
