# Packages from npm, as a lock file pins them, in the build tree.
find_program(SOBA_NODE node REQUIRED)
find_program(SOBA_NPM npm REQUIRED)

# Installs what FOLDER/package-lock.json names into INTO/node_modules; INTO/installed depends on it.
function(soba_npm_install folder into)
  set(manifest ${folder}/package.json ${folder}/package-lock.json)
  add_custom_command(OUTPUT ${into}/installed
    COMMAND ${CMAKE_COMMAND} -E make_directory ${into}
    COMMAND ${CMAKE_COMMAND} -E copy ${manifest} ${into}
    COMMAND ${SOBA_NPM} ci --prefix ${into} --ignore-scripts --no-audit --no-fund --prefer-offline
            --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${into}/installed
    DEPENDS ${manifest}
    WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
    COMMENT "Installing the npm packages of ${folder}"
    VERBATIM)
endfunction()
