#pragma once
// Takes what can be read out of a damaged store.
#include <string>
#include <vector>

#include "store/sqlite/maintenance.h"

namespace strake::store::sqlite {

struct Salvaged {
  FileReport file;  // the new one
  // Keys whose newest value is damaged or missing. They are left out: an older value would be
  // wrong.
  std::vector<std::string> lost_keys;
  // Not all keys are known: what was lost may be more, and what was deleted may stand again.
  bool keys_unknown = false;
  bool leases_lost = false;  // nothing in the new file expires
  // Revisions up to here were acknowledged; those after `newest` cannot be read.
  Revision acknowledged = 0;
  Revision newest = 0;
};

// Writes every key whose newest value matches its checksum to a store of its own, without history.
// The damaged file is only read. kAlreadyExists when something has the target's name, unless it may
// be overwritten; kIo when nothing at all can be read.
Result<Salvaged> salvage(const std::string& path, const std::string& target, bool overwrite);

}  // namespace strake::store::sqlite
