#include <gtest/gtest.h>

#include "kinds/pods/check_test_pods.h"

namespace strake::kinds::testing {
namespace {

std::string context_with(std::string_view members) {
  return container_with(R"("securityContext":{)" + std::string(members) + "}");
}
std::string pod_context_with(std::string_view members, std::string_view more = "") {
  return pod_with(R"("securityContext":{)" + std::string(members) + "}" + std::string(more));
}

TEST(SecurityContextChecks, WantUsersAndGroupsInRange) {
  EXPECT_EQ(errors_of_pod(context_with(R"("runAsUser":-1,"runAsGroup":2147483648)")),
            "spec.containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0 "
            "and 2147483647, inclusive; spec.containers[0].securityContext.runAsGroup: Invalid "
            "value: 2147483648: must be between 0 and 2147483647, inclusive");
  EXPECT_EQ(errors_of_pod(pod_context_with(R"("fsGroup":-1,"supplementalGroups":[0,-2])")),
            "spec.securityContext.fsGroup: Invalid value: -1: must be between 0 and 2147483647, "
            "inclusive; spec.securityContext.supplementalGroups[1]: Invalid value: -2: must be "
            "between 0 and 2147483647, inclusive");
}

TEST(SecurityContextChecks, ShowTheContextThatContradictsItself) {
  EXPECT_EQ(
      errors_of_pod(context_with(R"("allowPrivilegeEscalation":false,"privileged":true,
                "capabilities":{"add":["CAP_SYS_ADMIN"]},"seLinuxOptions":{"level":"s0"})")),
      R"(spec.containers[0].securityContext: Invalid value: {"Capabilities":{"Add":)"
      R"(["CAP_SYS_ADMIN"],"Drop":null},"Privileged":true,"SELinuxOptions":{"User":"",)"
      R"("Role":"","Type":"","Level":"s0"},"WindowsOptions":null,"RunAsUser":null,)"
      R"("RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,)"
      R"("AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":null,)"
      R"("AppArmorProfile":null}: cannot set `allowPrivilegeEscalation` to false and )"
      R"(`privileged` to true; spec.containers[0].securityContext: Invalid value: )"
      R"({"Capabilities":{"Add":["CAP_SYS_ADMIN"],"Drop":null},"Privileged":true,)"
      R"("SELinuxOptions":{"User":"","Role":"","Type":"","Level":"s0"},"WindowsOptions":null,)"
      R"("RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,)"
      R"("ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,)"
      R"("SeccompProfile":null,"AppArmorProfile":null}: cannot set )"
      "`allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
}

TEST(SecurityContextChecks, WantProfilesThatFitTheirType) {
  EXPECT_EQ(errors_of_pod(context_with(R"("seccompProfile":{"type":"Unconfined",
                "localhostProfile":"a"},"appArmorProfile":{"type":"Localhost",
                "localhostProfile":" a"})")),
            R"(spec.containers[0].securityContext.seccompProfile.localhostProfile: Invalid value: )"
            R"({"Type":"Unconfined","LocalhostProfile":"a"}: can only be set when seccomp type is )"
            R"(Localhost; spec.containers[0].securityContext.appArmorProfile.localhostProfile: )"
            R"(Invalid value: " a": must not be padded with whitespace)");
  EXPECT_EQ(errors_of_pod(pod_context_with(R"("seccompProfile":{"type":"Localhost",
                "localhostProfile":"/a"},"appArmorProfile":{})")),
            R"(spec.securityContext.seccompProfile.localhostProfile: Invalid value: "/a": must be )"
            "a relative path; spec.securityContext.appArmorProfile.type: Required value: type is "
            "required when appArmorProfile is set");
}

TEST(SecurityContextChecks, WantWindowsUsersThatExist) {
  const auto errors = [](std::string_view user) {
    return errors_of_pod(
        pod_context_with(R"("windowsOptions":{"runAsUserName":")" + std::string(user) + R"("})"));
  };
  EXPECT_EQ(errors("user"), "");
  EXPECT_EQ(errors(R"(DOMAIN\\user)"), "");
  EXPECT_EQ(errors(R"(a.example.com\\user)"), "");
  EXPECT_EQ(errors(R"(a\\b\\c)"),
            R"(spec.securityContext.windowsOptions.runAsUserName: Invalid value: "a\\b\\c": )"
            "runAsUserName cannot contain more than one backslash");
  EXPECT_EQ(errors(R"(.a\\. .)"),
            R"(spec.securityContext.windowsOptions.runAsUserName: Invalid value: ".a\\. .": )"
            "runAsUserName's Domain doesn't match the NetBios nor the DNS format; "
            R"(spec.securityContext.windowsOptions.runAsUserName: Invalid value: ".a\\. .": )"
            "runAsUserName's User cannot contain only periods or spaces");
  EXPECT_EQ(errors("a@b"),
            R"(spec.securityContext.windowsOptions.runAsUserName: Invalid value: "a@b": )"
            R"(runAsUserName's User cannot contain the following characters: "/\:;|=,+*?<>@[])");
  EXPECT_EQ(errors_of_pod(pod_context_with(R"("windowsOptions":{"gmsaCredentialSpec":""})")),
            R"(spec.securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "": )"
            "gmsaCredentialSpec cannot be an empty string");
}

TEST(SecurityContextChecks, KeepSysctlsOfTheHostAway) {
  const std::string pod = pod_context_with(
      R"("sysctls":[{"name":"net/ipv4/ip_forward"},{"name":"kernel.shmmax"},{"name":"vm.x"},
                    {"name":""}])",
      R"(,"hostNetwork":true,"hostIPC":true)");
  EXPECT_EQ(
      errors_of_pod(pod),
      R"(spec.securityContext.sysctls[0].name: Invalid value: "net/ipv4/ip_forward": may not )"
      R"(be specified when 'hostNetwork' is true; spec.securityContext.sysctls[1].name: )"
      R"(Invalid value: "kernel.shmmax": may not be specified when 'hostIPC' is true; )"
      "spec.securityContext.sysctls[3].name: Required value");
  EXPECT_EQ(errors_of_change(pod, pod), "t.spec.securityContext.sysctls[3].name: Required value");
}

TEST(SecurityContextChecks, AllowOtherLabelPoliciesOnceThereIsOne) {
  const std::string recursive = pod_context_with(R"("seLinuxChangePolicy":"Recursive")");
  const std::string option = pod_context_with(R"("seLinuxChangePolicy":"MountOption")");
  EXPECT_EQ(errors_of_pod(recursive), "");
  EXPECT_EQ(errors_of_template(option),
            R"(t.spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": )"
            R"(supported values: "Recursive")");
  EXPECT_EQ(errors_of_change(recursive, option), "");
}

TEST(SecurityContextChecks, ShareNothingFromAUserNamespace) {
  EXPECT_EQ(errors_of_pod(pod_with(R"("hostUsers":false,"hostPID":true,"hostIPC":true,
                "hostNetwork":true)")),
            "spec.hostNetwork: Forbidden: when `hostUsers` is false; spec.HostPID: Forbidden: when "
            "`hostUsers` is false; spec.HostIPC: Forbidden: when `hostUsers` is false");
  EXPECT_EQ(errors_of_pod(context_with(R"("procMount":"Unmasked")")),
            R"(spec.containers[0].securityContext.procMount: Invalid value: "Unmasked": )"
            "`hostUsers` must be false to use `Unmasked`");
}

TEST(SecurityContextChecks, KnowWhatEachSystemHas) {
  EXPECT_EQ(errors_of_pod(pod_with(R"("os":{"name":"linux"},
                "securityContext":{"windowsOptions":{}})")),
            "spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a "
            "linux pod");
  EXPECT_EQ(errors_of_pod(pod_with(R"("os":{"name":"windows"},"hostUsers":true,"hostPID":false,
                "hostIPC":true,"securityContext":{"fsGroup":1,"sysctls":[]})")),
            "spec.hostUsers: Forbidden: cannot be set for a windows pod; spec.hostIPC: Forbidden: "
            "cannot be set for a windows pod; spec.securityContext.fsGroup: Forbidden: cannot be "
            "set for a windows pod");
  EXPECT_EQ(errors_of_pod(pod_with(R"("os":{"name":"beos"})")),
            R"(spec.os: Unsupported value: "beos": supported values: "linux", "windows")");
  EXPECT_EQ(errors_of_pod(context_with(R"("windowsOptions":{"hostProcess":true})")),
            "spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any "
            "hostProcess containers");
}

}  // namespace
}  // namespace strake::kinds::testing
