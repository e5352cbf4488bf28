// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace remat {

namespace {

constexpr MessageCode kCannotRead{
    "file-cannot-be-read", REMAT_TR("The file cannot be read: {0}."), REMAT_TR("Check the path and the permissions.")};
constexpr MessageCode kTooLarge{"file-too-large", REMAT_TR("The file has {0}; at most {1} are read."),
    REMAT_TR("Open a model, chain, plan, document or report file of this program, or a config.json.")};
constexpr MessageCode kCannotWrite{"file-cannot-be-written", REMAT_TR("The file cannot be written: {0}."),
    REMAT_TR("Choose a folder that exists, is writable and has room.")};

Error writeError(const std::string& path, int number)
{
    return {&kCannotWrite, path, {std::string(std::strerror(number))}};
}

class Descriptor {
public:
    explicit Descriptor(int fd) : m_fd(fd) { }
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return m_fd; }
    int close()
    {
        const int result = m_fd >= 0 ? ::close(m_fd) : 0;
        m_fd = -1;
        return result;
    }

private:
    int m_fd;
};

bool writeAll(int fd, std::string_view content)
{
    while (!content.empty()) {
        const ssize_t n = ::write(fd, content.data(), content.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        content.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

} // namespace

Result<std::string> readFile(const std::string& path)
{
    const auto readError = [&](int number) { return Error{&kCannotRead, path, {std::string(std::strerror(number))}}; };
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0)
        return readError(errno);
    struct stat status { };
    if (::fstat(file.get(), &status) != 0)
        return readError(errno);
    if (S_ISDIR(status.st_mode))
        return readError(EISDIR);
    std::string content;
    char buffer[1 << 16];
    for (;;) {
        const ssize_t n = ::read(file.get(), buffer, sizeof buffer);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return readError(errno);
        if (n == 0)
            return content;
        content.append(buffer, static_cast<std::size_t>(n));
        if (static_cast<std::int64_t>(content.size()) > kMaxFileBytes.value) {
            const Bytes seen{std::max<std::int64_t>(status.st_size, static_cast<std::int64_t>(content.size()))};
            return Error{&kTooLarge, path, {seen, kMaxFileBytes}};
        }
    }
}

Result<void> writeFileAtomically(const std::string& path, std::string_view content)
{
    // A symbolic link is written through, so that the link itself survives the rename.
    std::error_code ignored;
    std::string target = path;
    if (std::filesystem::is_symlink(path, ignored)) {
        const auto resolved = std::filesystem::weakly_canonical(path, ignored);
        if (!ignored)
            target = resolved.string();
    }
    if (std::filesystem::is_directory(target, ignored))
        return writeError(path, EISDIR);

    std::string temporary = target + ".XXXXXX";
    Descriptor file(::mkstemp(temporary.data()));
    if (file.get() < 0)
        return writeError(path, errno);
    struct stat old { };
    const mode_t mask = ::umask(0);
    ::umask(mask);
    const mode_t mode = ::stat(target.c_str(), &old) == 0 ? old.st_mode & 0777 : 0666 & ~mask;
    const bool written = ::fchmod(file.get(), mode) == 0 && writeAll(file.get(), content) && ::fsync(file.get()) == 0
        && file.close() == 0 && ::rename(temporary.c_str(), target.c_str()) == 0;
    if (!written) {
        const int number = errno;
        ::unlink(temporary.c_str());
        return writeError(path, number);
    }
    const std::string folder = std::filesystem::path(target).parent_path().string();
    Descriptor directory(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() >= 0)
        ::fsync(directory.get());
    return {};
}

} // namespace remat
