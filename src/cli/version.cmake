# Writes version.cc with the version and the commit, and leaves the file alone when nothing changed, so that only a
# new commit costs a compile. Run at every build: cmake -DVERSION= -DLIBRARIES= -DSOURCE_DIR= -DOUT= -P version.cmake
execute_process(COMMAND git -C "${SOURCE_DIR}" describe --tags --always --dirty
                OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
set(text "${VERSION}")
if(NOT failed AND commit)
  set(text "${VERSION} (${commit})")
endif()
set(content "#include \"cli/command/version.h\"

namespace strake::cli {

std::string_view version_number() { return \"${VERSION}\"; }
std::string_view version_text() { return \"${text}\"; }
std::string_view linked_libraries() { return \"${LIBRARIES}\"; }

}  // namespace strake::cli
")
if(EXISTS "${OUT}")
  file(READ "${OUT}" before)
endif()
if(NOT "${before}" STREQUAL "${content}")
  file(WRITE "${OUT}" "${content}")
endif()
