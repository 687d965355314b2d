#pragma once
// The program by the name of etcd, for test harnesses that start one beside kube-apiserver and wait
// until it is healthy. It keeps keys in memory for whoever asks it: strake by the name of
// kube-apiserver keeps its objects itself.
#include <span>
#include <string>

#include "cli/io/exit_code.h"
#include "cli/io/io.h"

namespace strake::cli {

ExitCode run_etcd(std::span<const std::string> args, Io& io);

}  // namespace strake::cli
