# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
# Where things are installed.  Components: "tools" (remat, remat-worker, manual pages, completions), "window" (rematscope)
# and "library" (remat_core for find_package(RematCore): static libraries, headers, CMake files).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(REMAT_INSTALL_HEADERS "${CMAKE_INSTALL_INCLUDEDIR}/rematscope")
set(REMAT_INSTALL_CMAKE "${CMAKE_INSTALL_LIBDIR}/cmake/RematCore")

# remat_install_library(<name>): the target remat_<name>, as RematCore::remat_<name>, with the headers of its folder.
function(remat_install_library name)
  install(TARGETS remat_${name} EXPORT RematCore ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library)
  file(RELATIVE_PATH folder "${CMAKE_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "*.h")
  foreach(header IN LISTS headers)
    get_filename_component(inside "${header}" DIRECTORY)
    install(FILES "${header}" DESTINATION "${REMAT_INSTALL_HEADERS}/${folder}/${inside}" COMPONENT library)
  endforeach()
endfunction()

install(EXPORT RematCore NAMESPACE RematCore:: DESTINATION "${REMAT_INSTALL_CMAKE}" FILE RematCoreTargets.cmake
  COMPONENT library)
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/RematCoreConfig.cmake.in"
  "${CMAKE_CURRENT_BINARY_DIR}/RematCoreConfig.cmake" INSTALL_DESTINATION "${REMAT_INSTALL_CMAKE}")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/RematCoreConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/RematCoreConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/RematCoreConfigVersion.cmake" DESTINATION "${REMAT_INSTALL_CMAKE}" COMPONENT library)
