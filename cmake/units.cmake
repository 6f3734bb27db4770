# soba_units(LIBRARY FOLDER NAME…) adds FOLDER/NAME.cpp to LIBRARY and FOLDER/NAME_test.cpp to the unit
# tests; at least one of the two must exist. FOLDER is relative to src/, and paths in CMake's lists stay
# relative to it. Tests of folders whose arithmetic depends on how the compiler optimises are numeric: they
# are built in every configuration.
set(SOBA_NUMERIC_FOLDERS covariance linalg)

function(soba_units library folder)
  # A test that turns up later configures anew: otherwise it would not be built, and nobody would notice.
  file(GLOB tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*_test.cpp)
  foreach(name IN LISTS ARGN)
    set(source ${PROJECT_SOURCE_DIR}/src/${folder}/${name}.cpp)
    set(test ${PROJECT_SOURCE_DIR}/src/${folder}/${name}_test.cpp)
    if(EXISTS ${source})
      target_sources(${library} PRIVATE ${source})
      set_property(GLOBAL APPEND PROPERTY SOBA_SOURCES_${folder} ${source})
    elseif(NOT test IN_LIST tests)
      message(FATAL_ERROR "src/${folder}: neither ${name}.cpp nor ${name}_test.cpp")
    endif()
    if(NOT test IN_LIST tests)
      continue()
    endif()
    if(folder IN_LIST SOBA_NUMERIC_FOLDERS)
      set_property(GLOBAL APPEND PROPERTY SOBA_NUMERIC_TESTS ${test})
    else()
      set_property(GLOBAL APPEND PROPERTY SOBA_UNIT_TESTS ${test})
    endif()
  endforeach()
endfunction()
