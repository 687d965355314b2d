# What `make install` and `make package` put on a machine: the binary, the man page and the completions. The last two are
# printed by the binary itself, so they show what this build can do.
include(GNUInstallDirs)

# Links under the names of the tools that Strake stands in for would hide the real ones, so they are made only for whoever
# asks: STRAKE_ALIASES="kustomize ..." in the environment of the install step. Wrong names stop it before anything is copied.
# Names join the list once the program does that tool's job (src/cli/commands.cc).
set(STRAKE_KNOWN_ALIASES kompoxops kustomize pulumi-component-to-crd)
configure_file("${CMAKE_CURRENT_LIST_DIR}/aliases.cmake.in" "${CMAKE_BINARY_DIR}/aliases.cmake" @ONLY)
install(CODE "set(STRAKE_ALIAS_STEP check)\ninclude(\"${CMAKE_BINARY_DIR}/aliases.cmake\")")
install(TARGETS strake RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(CODE "set(STRAKE_ALIAS_STEP link)\ninclude(\"${CMAKE_BINARY_DIR}/aliases.cmake\")")

# strake_generated(<file> <where it is installed> <arguments that print it>...)
set(generated_files)
function(strake_generated file destination)
  set(out "${CMAKE_BINARY_DIR}/generated/${file}")
  add_custom_command(OUTPUT "${out}"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${CMAKE_BINARY_DIR}/generated"
    COMMAND strake ${ARGN} > "${out}"
    DEPENDS strake VERBATIM)
  install(FILES "${out}" DESTINATION "${destination}")
  set(generated_files ${generated_files} "${out}" PARENT_SCOPE)
endfunction()

strake_generated(strake.1 "${CMAKE_INSTALL_MANDIR}/man1" internal man)
strake_generated(strake "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" completion bash)
strake_generated(_strake "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions" completion zsh)
strake_generated(strake.fish "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" completion fish)
add_custom_target(generated ALL DEPENDS ${generated_files})

# The service, with the place of the binary in it, which is known only when it is installed; and the configuration to begin with.
install(CODE "
  file(READ \"${CMAKE_SOURCE_DIR}/packaging/strake.service\" unit)
  string(REPLACE @BINDIR@ \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\" unit \"\${unit}\")
  set(unit_file \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/systemd/system/strake.service\")
  message(STATUS \"Installing: \${unit_file}\")
  file(WRITE \"\${unit_file}\" \"\${unit}\")")
install(FILES "${CMAKE_SOURCE_DIR}/packaging/strake.socket" DESTINATION lib/systemd/system)
install(FILES "${CMAKE_SOURCE_DIR}/packaging/strake.yaml" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/strake")

# The library is for those who build against it: `make install-dev`.
install(TARGETS strake_all ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT dev EXCLUDE_FROM_ALL)
install(FILES "${CMAKE_SOURCE_DIR}/include/strake/check.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/strake"
  COMPONENT dev EXCLUDE_FROM_ALL)
configure_file("${CMAKE_CURRENT_LIST_DIR}/strake.pc.in" "${CMAKE_BINARY_DIR}/strake.pc" @ONLY)
install(FILES "${CMAKE_BINARY_DIR}/strake.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT dev EXCLUDE_FROM_ALL)
