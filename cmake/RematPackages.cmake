# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
# What "cpack" makes: Debian packages rematscope (the window) and remat (command line and worker), and one archive that
# also holds the library.  No file of NVIDIA is in them: the CUDA libraries are taken from the machine that runs.
set(CPACK_PACKAGE_NAME "rematscope")
set(CPACK_PACKAGE_VENDOR "The RematScope authors")
set(CPACK_PACKAGE_CONTACT "The RematScope authors <maintainers@rematscope.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
set(CPACK_GENERATOR "DEB;TGZ")

set(CPACK_COMPONENTS_ALL tools)
if(REMAT_HAVE_GUI)
  list(APPEND CPACK_COMPONENTS_ALL window)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION "science")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME "remat")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION
  "Plans activation recomputation in Transformer training on the command line
 Tells where the memory of a training step goes, plans what to recompute
 so that it fits a budget, and measures a real step with remat-worker.")

set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME "rematscope")
# Icons are SVG, which Qt reads with a plugin that no program links.
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS "remat (= ${PROJECT_VERSION}), libqt6svg6")
# The window speaks Chinese, too.
set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS "fonts-noto-cjk, qt6-translations-l10n")
set(CPACK_COMPONENT_WINDOW_DESCRIPTION
  "Explorer for activation recomputation in Transformer training
 Shows live how much memory and how many FLOPs each sublayer of a
 Transformer takes, and plans what to recompute under a memory budget.")

set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
include(CPack)
