# Texts of files as a source: strake_embed(<variable> <header> <function> <files>...) sets the variable to a generated
# source that defines the function, which the header declares as
#
#   std::span<const std::pair<std::string_view, std::string_view>> function();   names and texts, in the order given
#
# in namespace strake::ops. The build makes it again when a file changes, which ccache would not notice of #embed.
function(strake_embed variable header function)
  set(out "${CMAKE_CURRENT_BINARY_DIR}/${function}.cc")
  list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" OUTPUT_VARIABLE files)
  list(JOIN files "|" joined)
  add_custom_command(OUTPUT "${out}"
    COMMAND ${CMAKE_COMMAND} "-DOUT=${out}" "-DHEADER=${header}" "-DFUNCTION=${function}" "-DFILES=${joined}"
            -P "${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake"
    DEPENDS ${files} "${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake" VERBATIM)
  set(${variable} "${out}" PARENT_SCOPE)
endfunction()
