# Compiler, flags, linker, ccache: everything that applies to every target.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
  message(FATAL_ERROR
    "Strake is built with clang 19 (found ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}): "
    "g++ 12 miscompiles coroutines. Use `make build`, or a preset of CMakePresets.json.")
endif()

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# One setting for libraries and programs, so that they can share precompiled headers.
add_compile_options(-fPIE -pthread)
add_link_options(-pie -pthread)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1 -fno-omit-frame-pointer")

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                    -Wnon-virtual-dtor -Wold-style-cast -Wno-missing-designated-field-initializers -Woverloaded-virtual -Wimplicit-fallthrough)
if(STRAKE_WERROR)
  add_compile_options(-Werror)
endif()
if(STRAKE_SANITIZE)
  add_compile_options(-fsanitize=${STRAKE_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${STRAKE_SANITIZE})
endif()
if(STRAKE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# A library that a program does not use would still be loaded with it, and everything it needs in turn.
add_link_options(-fuse-ld=lld -Wl,--gc-sections -Wl,--as-needed)
add_compile_options(-ffunction-sections -fdata-sections)
set_property(GLOBAL PROPERTY JOB_POOLS link=1)
set(CMAKE_JOB_POOL_LINK link)

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_SOURCE_DIR}/cmake/compile" "${CMAKE_SOURCE_DIR}" "${CCACHE}")
  # Without a time stamp in the precompiled header, clang does not compare it with those of the files it was made from.
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()
