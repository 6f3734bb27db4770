# The page of soba evaluate, which needs no chart library: ${SOBA_EVALUATION_PAGE}.
set(evaluation_folder ${PROJECT_SOURCE_DIR}/apps/report)
foreach(part evaluation.html evaluation.js page.css)
  file(READ ${evaluation_folder}/${part} SOBA_EVALUATION_${part})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${evaluation_folder}/${part})
endforeach()
string(REPLACE "@STYLE@" "${SOBA_EVALUATION_page.css}" page "${SOBA_EVALUATION_evaluation.html}")
string(REPLACE "@SCRIPT@" "${SOBA_EVALUATION_evaluation.js}" SOBA_EVALUATION_TEXT "${page}")
set(SOBA_EVALUATION_PAGE ${CMAKE_CURRENT_BINARY_DIR}/evaluation_template.cpp)
configure_file(${evaluation_folder}/evaluation.cpp.in ${SOBA_EVALUATION_PAGE} @ONLY)

# The page of soba report with everything in it, as a C++ file: ${SOBA_REPORT_PAGE}.
include(${PROJECT_SOURCE_DIR}/cmake/npm.cmake)
set(page_folder ${PROJECT_SOURCE_DIR}/apps/report)
set(page_modules ${CMAKE_CURRENT_BINARY_DIR}/report)
set(SOBA_REPORT_PAGE ${CMAKE_CURRENT_BINARY_DIR}/report_assets.cpp)
soba_npm_install(${page_folder} ${page_modules})
add_custom_command(OUTPUT ${SOBA_REPORT_PAGE}
  COMMAND ${SOBA_NODE} ${page_folder}/embed.mjs ${page_modules}/node_modules ${SOBA_REPORT_PAGE}
  DEPENDS ${page_modules}/installed
          ${page_folder}/embed.mjs ${page_folder}/page.html ${page_folder}/page.css
          ${page_folder}/text.js ${page_folder}/charts.js ${page_folder}/bound.js
          ${page_folder}/page.js
  COMMENT "Making the page of soba report"
  VERBATIM)
