# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
# Installs the build folder BUILD below ROOT, which is emptied first.
file(REMOVE_RECURSE "${ROOT}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${ROOT}" --strip OUTPUT_QUIET
  COMMAND_ERROR_IS_FATAL ANY)
