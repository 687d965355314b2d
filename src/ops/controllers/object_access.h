#pragma once
// What controllers ask of the server whose objects they follow, and write there: status, finalizers
// and events. May be used from any thread.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/time.h"
#include "kube/client.h"
#include "ops/controllers/declared.h"
#include "value/value.h"

namespace strake::ops {

enum class EventType : std::uint8_t { kNormal, kWarning };

class ObjectAccess {
 public:
  virtual ~ObjectAccess() = default;
  // As it is now: a watch may be behind what was written last. Null when it is not there.
  virtual Result<DeclaredPtr> read(const ObjectKey& key) = 0;
  // Members of the status that are null go; those that are not named stay. What is so already is
  // not sent. Success when the object is not there any more.
  virtual Result<> write_status(const DeclaredObject& object, const value::Value& status) = 0;
  // Whether the object has our finalizer. Fails with kConflict when it is another version than what
  // was read, and as the server does when it may not get one, since it is being deleted.
  virtual Result<> set_finalizer(const DeclaredObject& object, bool wanted) = 0;
  // Tells people; what was told before is counted. Failures are logged.
  virtual void tell(const DeclaredObject& object, EventType type, std::string_view reason,
                    std::string_view message) = 0;
};

class KubeAccess final : public ObjectAccess {
 public:
  // Both must outlive it.
  KubeAccess(const kube::Client& server, const Clock& clock) : server_(server), clock_(clock) {}
  Result<DeclaredPtr> read(const ObjectKey& key) override;
  Result<> write_status(const DeclaredObject& object, const value::Value& status) override;
  Result<> set_finalizer(const DeclaredObject& object, bool wanted) override;
  void tell(const DeclaredObject& object, EventType type, std::string_view reason,
            std::string_view message) override;

 private:
  Result<> record(const DeclaredObject& object, EventType type, std::string_view reason,
                  std::string_view message);

  const kube::Client& server_;
  const Clock& clock_;
};

// Where the API has objects of a kind, and one of them.
std::string collection_path(OperatedKind kind);
std::string object_path(const ObjectKey& key);

inline constexpr std::string_view kOperateComponent = "strake-operate";

}  // namespace strake::ops
