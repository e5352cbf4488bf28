# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
# Build options, the one warnings target, and what this machine offers.
include(FeatureSummary)

set(REMAT_GUI "AUTO" CACHE STRING "Build the window (needs Qt 6 with Charts): AUTO, ON or OFF")
set(REMAT_CUDA "AUTO" CACHE STRING "Build the CUDA machine (needs the CUDA toolkit): AUTO, ON or OFF")
set_property(CACHE REMAT_GUI REMAT_CUDA PROPERTY STRINGS AUTO ON OFF)
set(REMAT_CPU_KERNELS "native" CACHE STRING
  "CPU kernels beside those of x86-64-v2, v3 and v4: native (this very processor) or dispatch (none, for packages)")
set_property(CACHE REMAT_CPU_KERNELS PROPERTY STRINGS native dispatch)
if(NOT REMAT_CPU_KERNELS MATCHES "^(native|dispatch)$")
  message(FATAL_ERROR "REMAT_CPU_KERNELS is native or dispatch, not ${REMAT_CPU_KERNELS}")
endif()
option(REMAT_WERROR "Treat warnings as errors" OFF)
set(REMAT_SANITIZE "" CACHE STRING "Sanitizers to build with, for example address,undefined or thread")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(REMAT_CCACHE ccache)
if(REMAT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without these ccache gives up on files that use precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros "${REMAT_CCACHE}")
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
endif()

add_library(remat_warnings INTERFACE)
target_compile_features(remat_warnings INTERFACE cxx_std_20)
target_compile_options(remat_warnings INTERFACE
  # Designated initializers leave fields at their defaults on purpose.  (nvcc has warnings of its own: cuda/device.)
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wnon-virtual-dtor>"
  "$<$<COMPILE_LANGUAGE:CXX>:-Wno-missing-field-initializers>"
  # GCC 12 sees overlaps and writes past the end inside std::string that cannot be (GCC bugs 105329, 105651).
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>"
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${REMAT_WERROR}>>:-Werror>)

if(REMAT_SANITIZE)
  add_compile_options(
    "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${REMAT_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>")
  add_link_options(-fsanitize=${REMAT_SANITIZE})
endif()

# What moc and rcc generate is not ours to tidy; clang-tidy insists on at least one check.
if(CMAKE_CXX_CLANG_TIDY)
  file(WRITE "${CMAKE_BINARY_DIR}/.clang-tidy" "Checks: '-*,misc-definitions-in-headers'\n")
endif()

# Qt Test (QtCore only) carries the core tests; Widgets and Charts carry the window.
find_package(Qt6 6.4 QUIET OPTIONAL_COMPONENTS Core Test)
set(REMAT_HAVE_QT_TEST ${Qt6Test_FOUND})
set(REMAT_HAVE_GUI OFF)
if(NOT REMAT_GUI STREQUAL "OFF")
  find_package(Qt6 6.4 QUIET OPTIONAL_COMPONENTS Widgets Charts Svg PrintSupport LinguistTools)
  if(Qt6Widgets_FOUND AND Qt6Charts_FOUND AND Qt6Svg_FOUND AND Qt6PrintSupport_FOUND AND Qt6LinguistTools_FOUND)
    set(REMAT_HAVE_GUI ON)
  elseif(REMAT_GUI STREQUAL "ON")
    message(FATAL_ERROR "REMAT_GUI=ON needs Qt 6.4 with Widgets, Charts, Svg, PrintSupport and LinguistTools "
                        "(Debian: qt6-base-dev qt6-charts-dev libqt6opengl6-dev qt6-svg-dev qt6-tools-dev qt6-l10n-tools)")
  endif()
endif()
add_feature_info(Window REMAT_HAVE_GUI "rematscope, the Qt window")
add_feature_info(Tests REMAT_HAVE_QT_TEST "tests with Qt Test")

# The kernels for GPUs, whose sources are also compiled for the emulator everywhere (cuda/CMakeLists.txt).
set(REMAT_HAVE_CUDA OFF)
if(NOT REMAT_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  # Named before CUDA is enabled, or CMake would pick the oldest that nvcc knows.  "80" is machine code for Ampere's
  # first and PTX that the driver turns into code for everything later; packages name more.
  set(CMAKE_CUDA_ARCHITECTURES "80" CACHE STRING "GPU architectures to compile kernels for")
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    # CMake 3.25 does not know that nvcc has C++20.
    if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    endif()
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
      set(REMAT_HAVE_CUDA ON)
    endif()
  endif()
  if(REMAT_CUDA STREQUAL "ON" AND NOT REMAT_HAVE_CUDA)
    message(FATAL_ERROR "REMAT_CUDA=ON needs the CUDA toolkit, version 12 or later: nvcc on PATH or CUDACXX naming it")
  endif()
endif()
add_feature_info(CUDA REMAT_HAVE_CUDA "kernels for NVIDIA GPUs")
