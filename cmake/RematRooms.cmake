# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
# A room is one folder of core: a static library that may only use the rooms named here, so that links enforce the
# direction of the road (docs/architecture.md).

# remat_share_headers(<target> <group> header...): the first target of a group compiles these headers, the others use its
# result.  All targets of a group must be compiled with the same options.
function(remat_share_headers target group)
  get_property(first GLOBAL PROPERTY remat_headers_of_${group})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
    set_property(GLOBAL PROPERTY remat_headers_of_${group} ${target})
  endif()
endfunction()

# remat_room(<name> [USES room...] [LINKS target...])
function(remat_room name)
  cmake_parse_arguments(ROOM "" "" "USES;LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "*.cpp" "*.h")
  add_library(remat_${name} STATIC ${sources})
  target_include_directories(remat_${name} PUBLIC
    "$<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>" "$<INSTALL_INTERFACE:${REMAT_INSTALL_HEADERS}>")
  target_link_libraries(remat_${name} PRIVATE "$<BUILD_INTERFACE:remat_warnings>")
  remat_install_library(${name})
  # The standard headers that nearly every room reads, parsed once for all rooms.
  remat_share_headers(remat_${name} core
    <algorithm> <array> <cstdint> <functional> <memory> <optional> <span> <string> <string_view> <vector>)
  list(JOIN ROOM_USES "," uses)
  set_property(GLOBAL APPEND PROPERTY remat_room_uses "${name}=${uses}")
  foreach(room IN LISTS ROOM_USES)
    target_link_libraries(remat_${name} PUBLIC remat_${room})
  endforeach()
  if(ROOM_LINKS)
    target_link_libraries(remat_${name} PUBLIC ${ROOM_LINKS})
  endif()
endfunction()

# Qt Test defines every folder's name for QFINDTESTDATA, which no test here uses; without it all folders share headers.
if(REMAT_HAVE_QT_TEST)
  get_target_property(definitions Qt6::Test INTERFACE_COMPILE_DEFINITIONS)
  list(FILTER definitions EXCLUDE REGEX "QT_TESTCASE_")
  set_target_properties(Qt6::Test PROPERTIES INTERFACE_COMPILE_DEFINITIONS "${definitions}")
endif()

# Tests of core, label "unit".  The preset asan builds only this target.
add_custom_target(remat_unit_tests)
# Those among them, label "memory", that read what people or other programs write or that lay out memory by hand: what
# sanitizers see first.  ./dev check --quick builds only these under them.
add_custom_target(remat_memory_tests)

# remat_test(<target> SOURCES file... [LINKS target...] [LABELS label...] [MEMORY]): one Qt Test executable, always
# offscreen.
function(remat_test target)
  cmake_parse_arguments(TEST "MEMORY" "" "SOURCES;LINKS;LABELS" ${ARGN})
  add_executable(${target} ${TEST_SOURCES})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  target_include_directories(${target} PRIVATE "${CMAKE_SOURCE_DIR}")
  target_compile_definitions(${target} PRIVATE
    REMAT_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data" REMAT_BIN="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  target_link_libraries(${target} PRIVATE remat_warnings Qt6::Test ${TEST_LINKS})
  # A test runs once per build: full optimization would cost a third more compile time and return less than that.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  add_test(NAME ${target} COMMAND ${target})
  if(NOT TEST_LABELS)
    set(TEST_LABELS unit)
    add_dependencies(remat_unit_tests ${target})
    if(TEST_MEMORY)
      list(APPEND TEST_LABELS memory)
      add_dependencies(remat_memory_tests ${target})
    endif()
  endif()
  # How long is too long is ctest's to say: Qt Test's own five minutes are few for a long form on a busy machine.
  set_tests_properties(${target} PROPERTIES LABELS "${TEST_LABELS}"
    ENVIRONMENT "QTEST_FUNCTION_TIMEOUT=3600000;QTEST_DISABLE_STACK_DUMP=1;QT_QPA_PLATFORM=offscreen;QT_SCALE_FACTOR=1;LC_ALL=C.UTF-8" TIMEOUT 600)
endfunction()

# Threaded parts are tested by plain programs without Qt, because Qt itself is not built for the thread sanitizer:
# every *_threads.cpp, label "threads"; exit code 0 means passed.  The preset tsan builds only this target.
add_custom_target(remat_thread_programs)

# remat_tests_here([LINKS target...] [LABELS label...] [MEMORY]): every *_test.cpp of this folder becomes one executable,
# and so does every *_threads.cpp.
function(remat_tests_here)
  cmake_parse_arguments(HERE "MEMORY" "" "LINKS;LABELS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "*_test.cpp")
  # What every test includes is compiled once: most of a test's compile time is Qt Test's headers.  Tests of the window
  # have more definitions, hence headers of their own.
  set(group tests)
  if("gui" IN_LIST HERE_LABELS)
    set(group gui_tests)
  endif()
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME_WE)
    remat_test(${name} SOURCES "${source}" ${ARGN})
    remat_share_headers(${name} ${group}
      <QTest> <algorithm> <cmath> <functional> <map> <optional> <random> <string> <vector>)
    # A test includes its own .moc.  Without include folders moc reads that one file, and takes a twentieth of AUTOMOC's
    # second per test.
    set(moc "${CMAKE_CURRENT_BINARY_DIR}/${name}.moc")
    add_custom_command(OUTPUT "${moc}" COMMAND Qt6::moc -o "${moc}" "${source}" DEPENDS "${source}" VERBATIM)
    target_sources(${name} PRIVATE "${moc}")
    target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
  endforeach()
  file(GLOB programs CONFIGURE_DEPENDS "*_threads.cpp")
  foreach(source IN LISTS programs)
    get_filename_component(name "${source}" NAME_WE)
    add_executable(${name} "${source}")
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
    target_link_libraries(${name} PRIVATE remat_warnings Threads::Threads ${HERE_LINKS})
    add_dependencies(remat_thread_programs ${name})
    add_dependencies(remat_unit_tests ${name})
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS "unit;threads" TIMEOUT 600)
  endforeach()
endfunction()
