#pragma once
// A file layer of SQLite (a VFS) for the connection that writes. SQLite hands its write-ahead log
// over in pieces, two for each page, and makes the file longer with every commit, whose flush then
// has to write the file's metadata too. This layer joins the pieces to one write, and lets the file
// grow ahead in zeros, so that most commits overwrite what is there. What the log says is the same:
// zeros are no frame.
//
// Joined pieces must not outlive the lock under which they were written: only for connections that
// write to the log in commits alone and flush every commit, which is what kSqlOfLogLayer sees to.
#include <string>

namespace strake::store::sqlite {

// The name of such a layer over another one (empty: the usual one), made when it is first asked
// for. The name below when there is none of that name: opening a file says so. Any thread.
std::string log_layer_over(const std::string& below);

// Pages that are written before their transaction ends would be pieces without a flush.
inline constexpr const char* kSqlOfLogLayer = "PRAGMA synchronous = FULL; PRAGMA cache_spill = OFF";

}  // namespace strake::store::sqlite
