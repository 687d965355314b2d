#pragma once
// The indexes that a resource's selectors have asked for, by version and field. Each is made once,
// by whoever first needs it. Safe from any thread.
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/cache/field_index.h"
#include "kinds/resource.h"

namespace strake::api {

class FieldIndexes {
 public:
  // Null when there is none, or none any more.
  std::shared_ptr<FieldIndex> find(const kinds::ServedVersion& version,
                                   std::string_view field) const;

  // Held by whoever makes one, for as long as that takes; without done() it was given up.
  class Making {
   public:
    Making(Making&& other) noexcept
        : indexes_(std::exchange(other.indexes_, nullptr)), key_(std::move(other.key_)) {}
    Making& operator=(Making&&) = delete;
    Making(const Making&) = delete;
    Making& operator=(const Making&) = delete;
    ~Making();
    void done(std::shared_ptr<FieldIndex> index);

   private:
    friend FieldIndexes;
    using Key = std::pair<const kinds::ServedVersion*, std::string>;
    Making(const FieldIndexes& indexes, Key key) : indexes_(&indexes), key_(std::move(key)) {}
    const FieldIndexes* indexes_;
    Key key_;
  };
  // Nothing when there is one, or somebody is at it.
  std::optional<Making> begin(const kinds::ServedVersion& version, std::string_view field) const;

 private:
  mutable std::mutex mu_;
  // Guarded by mu_. Null while one is made.
  mutable std::map<Making::Key, std::shared_ptr<FieldIndex>> indexes_;
};

}  // namespace strake::api
