// Any bytes as a kubeconfig, and as what an exec plugin prints: reading must not crash.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kube/exec_credential.h"
#include "kube/kubeconfig.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto config = strake::kube::Kubeconfig::read(text, "folder/config");
  if (config) config->merge(*config);
  static_cast<void>(strake::kube::read_exec_credential(text, "client.authentication.k8s.io/v1"));
  return 0;
}
