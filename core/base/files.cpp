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

/// Read once, before any thread starts: the system tells it only by changing it.
const mode_t kFileModeMask = [] {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return mask;
}();

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

/// Where a file is really written.
struct Target {
    std::string path;
    bool exists = false;
    struct stat old { };
    bool isSpecial() const { return exists && !S_ISREG(old.st_mode); }
};

/// A symbolic link is written through, so that the link itself survives the rename.
Result<Target> targetOf(const std::string& path)
{
    Target target{path, false, {}};
    std::error_code ignored;
    if (std::filesystem::is_symlink(path, ignored)) {
        const auto resolved = std::filesystem::weakly_canonical(path, ignored);
        if (!ignored)
            target.path = resolved.string();
    }
    target.exists = ::stat(target.path.c_str(), &target.old) == 0;
    if (target.exists && S_ISDIR(target.old.st_mode))
        return writeError(path, EISDIR);
    return target;
}

Result<void> writeStraight(const std::string& path, const std::string& target, std::string_view content)
{
    Descriptor file(::open(target.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0 || ::fcntl(file.get(), F_SETFL, 0) != 0 || !writeAll(file.get(), content) || file.close() != 0)
        return writeError(path, errno);
    return {};
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
    // Opened without waiting, so that a pipe that nobody writes to is no trap; what is being written is waited for.
    if (S_ISFIFO(status.st_mode) && ::fcntl(file.get(), F_SETFL, 0) != 0)
        return readError(errno);
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

Result<void> checkWritable(const std::string& path)
{
    if (path.empty())
        return writeError(path, ENOENT);
    const Result<Target> target = targetOf(path);
    if (!target)
        return target.error();
    if (target->isSpecial())
        return ::access(target->path.c_str(), W_OK) == 0 ? Result<void>() : writeError(path, errno);
    std::string temporary = target->path + ".XXXXXX";
    Descriptor file(::mkstemp(temporary.data()));
    if (file.get() < 0)
        return writeError(path, errno);
    ::unlink(temporary.c_str());
    return {};
}

std::string firstLineOf(const std::string& path)
{
    const Result<std::string> content = readFile(path);
    return content ? content->substr(0, content->find('\n')) : "";
}

Result<void> writeFileAtomically(const std::string& path, std::string_view content)
{
    const Result<Target> target = targetOf(path);
    if (!target)
        return target.error();
    // A rename would put a plain file in the place of a device or a pipe.
    if (target->isSpecial())
        return writeStraight(path, target->path, content);

    std::string temporary = target->path + ".XXXXXX";
    Descriptor file(::mkstemp(temporary.data()));
    if (file.get() < 0)
        return writeError(path, errno);
    const mode_t mode = target->exists ? target->old.st_mode & 0777 : 0666 & ~kFileModeMask;
    const bool written = ::fchmod(file.get(), mode) == 0 && writeAll(file.get(), content) && ::fsync(file.get()) == 0
        && file.close() == 0 && ::rename(temporary.c_str(), target->path.c_str()) == 0;
    if (!written) {
        const int number = errno;
        ::unlink(temporary.c_str());
        return writeError(path, number);
    }
    const std::string folder = std::filesystem::path(target->path).parent_path().string();
    Descriptor directory(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() >= 0)
        ::fsync(directory.get());
    return {};
}

} // namespace remat
