# One call describes a module: its library, its tests, its benchmarks, its fuzz targets.
#
#   strake_module(NAME value
#     DEPS base                     modules whose headers this one includes (see tools/layers.txt)
#     HEADERS document.h ...        every header; each is also compiled by itself
#     SOURCES document.cc ...
#     LIBS PkgConfig::LIBYAML       third-party libraries, seen by this module's .cc files only
#     TESTS document_test.cc ...    one test binary per module: <module>_test
#     TEST_DEPS cli                 further modules that only the tests, benchmarks and fuzz targets use
#     BENCHES json_bench.cc         <module>_bench
#     FUZZ json_fuzz.cc)            one binary per file, corpus in testdata/fuzz/<name>/ replayed as a test
#
# Releases compile a module in unity batches, so helpers of its files need names of their own. To see all clashes at
# once, also those that a new file would bring by shifting the batches: -DCMAKE_UNITY_BUILD_BATCH_SIZE=0.

# Precompiled headers are made once and reused. No header may rely on them: the header check builds without.
function(strake_pch_target name)
  cmake_parse_arguments(PCH "" "" "LIBS;HEADERS" ${ARGN})
  file(WRITE "${CMAKE_BINARY_DIR}/pch/${name}.cc" "// Carries a precompiled header.\n")
  add_library(${name} OBJECT "${CMAKE_BINARY_DIR}/pch/${name}.cc")
  target_link_libraries(${name} PRIVATE ${PCH_LIBS})
  target_precompile_headers(${name} PRIVATE ${PCH_HEADERS})
endfunction()

set(STRAKE_STD_HEADERS <algorithm> <array> <bit> <charconv> <chrono> <cstdint> <cstring> <expected> <functional>
    <limits> <memory> <optional> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>
    <fmt/format.h>)

function(strake_module)
  cmake_parse_arguments(M "" "NAME" "DEPS;HEADERS;SOURCES;LIBS;TESTS;TEST_DEPS;BENCHES;FUZZ" ${ARGN})
  if(NOT TARGET strake_pch_std)
    strake_pch_target(strake_pch_std LIBS strake_fmt HEADERS ${STRAKE_STD_HEADERS})
    strake_pch_target(strake_pch_test LIBS strake_fmt GTest::gtest GTest::gmock
      HEADERS ${STRAKE_STD_HEADERS} <gtest/gtest.h> <gmock/gmock.h>)
    add_library(strake_fuzz_replay OBJECT "${CMAKE_SOURCE_DIR}/tests/support/fuzz_replay.cc")
    target_include_directories(strake_fuzz_replay PRIVATE "${CMAKE_SOURCE_DIR}/tests")
  endif()

  string(REPLACE "/" "_" M_NAME "${M_NAME}")
  set(target "strake_${M_NAME}")
  list(TRANSFORM M_DEPS PREPEND strake_ OUTPUT_VARIABLE deps)
  string(REPLACE "/" "_" deps "${deps}")
  add_library(${target} STATIC ${M_SOURCES})
  add_library(strake::${M_NAME} ALIAS ${target})
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS "${CMAKE_SOURCE_DIR}/src" FILES ${M_HEADERS})
  set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  target_link_libraries(${target} PUBLIC ${deps} strake_fmt PRIVATE ${M_LIBS})
  target_precompile_headers(${target} REUSE_FROM strake_pch_std)

  list(TRANSFORM M_TEST_DEPS PREPEND strake_ OUTPUT_VARIABLE test_deps)
  string(REPLACE "/" "_" test_deps "${test_deps}")
  if(M_TESTS)
    add_executable(${M_NAME}_test ${M_TESTS})
    target_link_libraries(${M_NAME}_test PRIVATE ${target} ${test_deps} strake_test_support ${M_LIBS}
                          GTest::gtest GTest::gmock GTest::gtest_main)
    target_compile_definitions(${M_NAME}_test PRIVATE
      STRAKE_TESTDATA_DIR="${CMAKE_CURRENT_SOURCE_DIR}/testdata")
    target_precompile_headers(${M_NAME}_test REUSE_FROM strake_pch_test)
    # Tests may each have a helper of the same name.
    set_target_properties(${M_NAME}_test PROPERTIES UNITY_BUILD OFF)
    add_test(NAME ${M_NAME} COMMAND ${M_NAME}_test --gtest_brief=1)
  endif()

  if(M_BENCHES AND benchmark_FOUND AND NOT STRAKE_SANITIZE)
    add_executable(${M_NAME}_bench ${M_BENCHES})
    target_link_libraries(${M_NAME}_bench PRIVATE ${target} ${test_deps} strake_test_support ${M_LIBS}
                          benchmark::benchmark benchmark::benchmark_main)
    set_property(GLOBAL APPEND PROPERTY STRAKE_BENCHES ${M_NAME}_bench)
  endif()

  foreach(source ${M_FUZZ})
    cmake_path(GET source STEM fuzz_name)
    # Its corpus is replayed as a test; with STRAKE_FUZZ by libFuzzer, which can then also look for new inputs.
    set(driver "")
    if(NOT STRAKE_FUZZ)
      set(driver $<TARGET_OBJECTS:strake_fuzz_replay>)
    endif()
    add_executable(${fuzz_name} ${source} ${driver})
    target_link_libraries(${fuzz_name} PRIVATE ${target} ${test_deps} strake_test_support ${M_LIBS})
    set(corpus "${CMAKE_CURRENT_SOURCE_DIR}/testdata/fuzz/${fuzz_name}")
    if(STRAKE_FUZZ)
      target_link_options(${fuzz_name} PRIVATE -fsanitize=fuzzer)
      set_property(GLOBAL APPEND PROPERTY STRAKE_FUZZERS ${fuzz_name})
      add_test(NAME ${fuzz_name}_corpus COMMAND ${fuzz_name} -runs=0 "${corpus}")
    else()
      add_test(NAME ${fuzz_name}_corpus COMMAND ${fuzz_name} "${corpus}")
    endif()
  endforeach()
endfunction()
