// System calls that fail, end the process or write half, at the n-th call below one directory.
//
// Loaded before the C library (LD_PRELOAD). A process arms it with `faults_arm`, or the
// environment does at the start: FAULT_ROOT, FAULT_MODE, FAULT_AT and FAULT_LOG.
// Counted are the calls of a mode's class on files below the root. While it is armed, a sync
// only pretends: a killed process loses nothing of the page cache, and tests need not wait.
//
// Not seen: writes to mapped memory (SQLite's -shm file), stdio inside the C library
// (`fwrite`), and programs that enter the kernel by themselves.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
// The plain names are to be ours, not aliases of their 64-bit siblings.
#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <vector>

namespace {

enum Mode {
  kOff,
  kFail,      // the n-th call fails with EIO
  kFailFrom,  // all calls from the n-th on fail with EIO
  kFull,      // from the n-th on, calls that need space fail with ENOSPC; the n-th writes half
  kKill,      // the process is killed before the n-th call
  kTear,      // the n-th write writes half, then the process is killed
  kRead,      // from the n-th read on, reads of that file fail with EIO
};

const char *const kModeNames[] = {"off", "fail", "fail-from", "full", "kill", "tear", "read"};

// What a call does: bits, as some do several.
enum : unsigned { kChanges = 1, kGrows = 2, kWrites = 4, kReads = 8 };

enum class Act { kPass, kFail, kHalf, kTear };

std::atomic<int> armed{kOff};
std::atomic<long> counted{0};
long fault_at = 0;
int log_descriptor = -1;
char root[PATH_MAX];
size_t root_length = 0;
const std::string *unreadable = nullptr;

bool below_root(const char *path) {
  return strncmp(path, root, root_length) == 0 &&
         (path[root_length] == '/' || path[root_length] == '\0');
}

std::string path_of(int descriptor) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  return length > 0 ? std::string(path, static_cast<size_t>(length)) : std::string();
}

std::string path_at(int directory, const char *path) {
  if (path == nullptr || path[0] == '/') return path == nullptr ? "" : path;
  if (directory != AT_FDCWD) return path_of(directory) + "/" + path;
  char here[PATH_MAX];
  return syscall(SYS_getcwd, here, sizeof here) > 0 ? std::string(here) + "/" + path : path;
}

bool counts(int mode, unsigned kind) {
  switch (mode) {
    case kFull: return kind & kGrows;
    case kTear: return kind & kWrites;
    case kRead: return kind & kReads;
    default: return kind & kChanges;
  }
}

void note(long number, const char *name, const std::string &path, size_t bytes, const char *what) {
  if (log_descriptor < 0) return;
  char line[PATH_MAX + 128];
  const int length = snprintf(line, sizeof line, "%ld\t%s\t%s\t%zu\t%s\n", number, name,
                              path.c_str() + (below_root(path.c_str()) ? root_length : 0), bytes, what);
  syscall(SYS_write, log_descriptor, line, static_cast<size_t>(length));
}

void die() {
  syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
  for (;;) pause();
}

// Counts a call and says what becomes of it; errno is set where it is to fail.
Act decide(const char *name, const std::string &path, size_t bytes, unsigned kind) {
  const int mode = armed.load();
  if (mode == kOff || !below_root(path.c_str()) || !counts(mode, kind)) return Act::kPass;
  const long number = ++counted;
  const bool on = fault_at > 0 && number == fault_at;
  const bool past = fault_at > 0 && number > fault_at;
  const bool halves = (kind & kWrites) && bytes > 1;
  if (on && mode == kKill) {
    note(number, name, path, bytes, "killed");
    die();
  }
  if (on && mode == kTear && halves) {
    note(number, name, path, bytes, "torn");
    return Act::kTear;
  }
  if (on && mode == kFull && halves) {
    note(number, name, path, bytes, "half");
    return Act::kHalf;
  }
  if (on && mode == kRead) unreadable = new std::string(path);
  const bool from = (on || past) && (mode == kFailFrom || mode == kFull);
  if ((on && mode == kFail) || from || (mode == kRead && unreadable && *unreadable == path)) {
    note(number, name, path, bytes, mode == kFull ? "ENOSPC" : "EIO");
    errno = mode == kFull ? ENOSPC : EIO;
    return Act::kFail;
  }
  note(number, name, path, bytes, "");
  return Act::kPass;
}

template <typename F>
F *real(const char *name) {
  return reinterpret_cast<F *>(dlsym(RTLD_NEXT, name));
}

// A path that does not exist yet needs space.
unsigned opening(int directory, const char *path, int flags) {
  const bool makes = (flags & O_CREAT) &&
                     syscall(SYS_faccessat, directory, path, F_OK) != 0;
  return makes ? kChanges | kGrows : +kChanges;
}

int opened(const char *name, int directory, const char *path, int flags, mode_t mode) {
  if (armed.load() != kOff) {
    const int before = errno;
    const unsigned kind = opening(directory, path, flags);
    errno = before;
    if (decide(name, path_at(directory, path), 0, kind) == Act::kFail) return -1;
  }
  static const auto call = real<int(int, const char *, int, ...)>("openat");
  return call(directory, path, flags, mode);
}

mode_t mode_in(int flags, va_list rest) {
  return (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0;
}

// What writing does, whole or half: `write_some` takes how many bytes may be written.
template <typename F>
ssize_t written(const char *name, int descriptor, size_t bytes, F write_some) {
  if (armed.load() == kOff) return write_some(bytes);
  switch (decide(name, path_of(descriptor), bytes, kChanges | kGrows | kWrites)) {
    case Act::kFail: return -1;
    case Act::kHalf: return write_some(bytes / 2);
    case Act::kTear: write_some(bytes / 2); die(); return -1;
    default: return write_some(bytes);
  }
}

template <typename F>
ssize_t read_from(const char *name, int descriptor, size_t bytes, F read_all) {
  if (armed.load() == kRead &&
      decide(name, path_of(descriptor), bytes, kReads) == Act::kFail) return -1;
  return read_all();
}

size_t total(const struct iovec *parts, int count) {
  size_t sum = 0;
  for (int i = 0; i < count; ++i) sum += parts[i].iov_len;
  return sum;
}

std::vector<struct iovec> cut(const struct iovec *parts, int count, size_t bytes) {
  std::vector<struct iovec> kept;
  for (int i = 0; i < count && bytes > 0; ++i) {
    kept.push_back({parts[i].iov_base, parts[i].iov_len < bytes ? parts[i].iov_len : bytes});
    bytes -= kept.back().iov_len;
  }
  return kept;
}

bool fails(const char *name, const std::string &path, unsigned kind) {
  return decide(name, path, 0, kind) == Act::kFail;
}

int synced(const char *name, int descriptor, int (*call)(int)) {
  if (armed.load() == kOff) return call(descriptor);
  const std::string path = path_of(descriptor);
  if (fails(name, path, kChanges)) return -1;
  return below_root(path.c_str()) ? 0 : call(descriptor);
}

}  // namespace

extern "C" {

// Counts from here on; `mode` is one of the names above, and `at` 0 lets every call through.
int faults_arm(const char *directory, const char *log, const char *mode, long at) {
  armed.store(kOff);
  int found = -1;
  for (int i = 0; i <= kRead; ++i) {
    if (strcmp(mode, kModeNames[i]) == 0) found = i;
  }
  if (found < 0 || strlen(directory) >= sizeof root) return -1;
  strcpy(root, directory);
  root_length = strlen(root);
  if (log_descriptor >= 0) syscall(SYS_close, log_descriptor);
  log_descriptor = -1;
  if (log != nullptr && *log) {
    log_descriptor = static_cast<int>(
        syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  }
  counted.store(0);
  fault_at = at;
  unreadable = nullptr;
  armed.store(found);
  return 0;
}

__attribute__((constructor)) static void arm_by_environment() {
  const char *directory = getenv("FAULT_ROOT"), *mode = getenv("FAULT_MODE");
  const char *at = getenv("FAULT_AT");
  if (directory != nullptr && mode != nullptr) {
    faults_arm(directory, getenv("FAULT_LOG"), mode, at == nullptr ? 0 : atol(at));
  }
}

ssize_t write(int fd, const void *data, size_t size) {
  static const auto call = real<ssize_t(int, const void *, size_t)>("write");
  return written("write", fd, size, [&](size_t some) { return call(fd, data, some); });
}

#define PWRITE(NAME, OFFSET)                                                                   \
  ssize_t NAME(int fd, const void *data, size_t size, OFFSET at) {                              \
    static const auto call = real<ssize_t(int, const void *, size_t, OFFSET)>(#NAME);           \
    return written(#NAME, fd, size, [&](size_t some) { return call(fd, data, some, at); });     \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t writev(int fd, const struct iovec *parts, int count) {
  static const auto call = real<ssize_t(int, const struct iovec *, int)>("writev");
  return written("writev", fd, total(parts, count), [&](size_t some) {
    const auto kept = cut(parts, count, some);
    return call(fd, kept.data(), static_cast<int>(kept.size()));
  });
}

#define PWRITEV(NAME, OFFSET)                                                                  \
  ssize_t NAME(int fd, const struct iovec *parts, int count, OFFSET at) {                       \
    static const auto call = real<ssize_t(int, const struct iovec *, int, OFFSET)>(#NAME);      \
    return written(#NAME, fd, total(parts, count), [&](size_t some) {                           \
      const auto kept = cut(parts, count, some);                                                \
      return call(fd, kept.data(), static_cast<int>(kept.size()), at);                          \
    });                                                                                         \
  }
PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)

#define SENDFILE(NAME, OFFSET)                                                                 \
  ssize_t NAME(int to, int from, OFFSET *at, size_t size) {                                     \
    static const auto call = real<ssize_t(int, int, OFFSET *, size_t)>(#NAME);                  \
    return written(#NAME, to, size, [&](size_t some) { return call(to, from, at, some); });     \
  }
SENDFILE(sendfile, off_t)
SENDFILE(sendfile64, off64_t)

ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t size,
                        unsigned flags) {
  static const auto call =
      real<ssize_t(int, off64_t *, int, off64_t *, size_t, unsigned)>("copy_file_range");
  return written("copy_file_range", to, size, [&](size_t some) {
    return call(from, from_at, to, to_at, some, flags);
  });
}

ssize_t read(int fd, void *data, size_t size) {
  static const auto call = real<ssize_t(int, void *, size_t)>("read");
  return read_from("read", fd, size, [&] { return call(fd, data, size); });
}

#define PREAD(NAME, OFFSET)                                                                    \
  ssize_t NAME(int fd, void *data, size_t size, OFFSET at) {                                    \
    static const auto call = real<ssize_t(int, void *, size_t, OFFSET)>(#NAME);                 \
    return read_from(#NAME, fd, size, [&] { return call(fd, data, size, at); });                \
  }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

#define SYNC(NAME)                                                                             \
  int NAME(int fd) {                                                                            \
    static const auto call = real<int(int)>(#NAME);                                             \
    return synced(#NAME, fd, call);                                                             \
  }
SYNC(fsync)
SYNC(fdatasync)

#define OPEN(NAME)                                                                             \
  int NAME(const char *path, int flags, ...) {                                                  \
    va_list rest;                                                                               \
    va_start(rest, flags);                                                                      \
    const mode_t mode = mode_in(flags, rest);                                                   \
    va_end(rest);                                                                               \
    return opened("open", AT_FDCWD, path, flags, mode);                                         \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(NAME)                                                                           \
  int NAME(int directory, const char *path, int flags, ...) {                                   \
    if (armed.load() != kOff) {                                                                 \
      const int before = errno;                                                                 \
      const unsigned kind = opening(directory, path, flags);                                    \
      errno = before;                                                                           \
      if (decide("openat", path_at(directory, path), 0, kind) == Act::kFail) return -1;         \
    }                                                                                           \
    va_list rest;                                                                               \
    va_start(rest, flags);                                                                      \
    const mode_t mode = mode_in(flags, rest);                                                   \
    va_end(rest);                                                                               \
    static const auto call = real<int(int, const char *, int, ...)>(#NAME);                     \
    return call(directory, path, flags, mode);                                                  \
  }
OPENAT(openat)
OPENAT(openat64)

int __open_2(const char *path, int flags) { return opened("open", AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return opened("open", AT_FDCWD, path, flags, 0); }
int creat(const char *path, mode_t mode) {
  return opened("open", AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

#define FOPEN(NAME)                                                                            \
  FILE *NAME(const char *path, const char *how) {                                               \
    if (armed.load() != kOff) {                                                                 \
      const int flags = *how == 'r' ? 0 : O_CREAT;                                              \
      if (fails("fopen", path_at(AT_FDCWD, path), opening(AT_FDCWD, path, flags)))              \
        return nullptr;                                                                         \
    }                                                                                           \
    static const auto call = real<FILE *(const char *, const char *)>(#NAME);                   \
    return call(path, how);                                                                     \
  }
FOPEN(fopen)
FOPEN(fopen64)

#define BY_PATH(NAME, KIND, PARAMETERS, ARGUMENTS)                                             \
  int NAME PARAMETERS {                                                                         \
    if (armed.load() != kOff && fails(#NAME, path_at(AT_FDCWD, path), KIND)) return -1;         \
    static const auto call = real<int PARAMETERS>(#NAME);                                       \
    return call ARGUMENTS;                                                                      \
  }
BY_PATH(unlink, kChanges, (const char *path), (path))
BY_PATH(rmdir, kChanges, (const char *path), (path))
BY_PATH(mkdir, kChanges | kGrows, (const char *path, mode_t mode), (path, mode))
BY_PATH(truncate, kChanges, (const char *path, off_t size), (path, size))
BY_PATH(truncate64, kChanges, (const char *path, off64_t size), (path, size))
BY_PATH(chmod, kChanges, (const char *path, mode_t mode), (path, mode))

#define AT_PATH(NAME, KIND, PARAMETERS, ARGUMENTS)                                             \
  int NAME PARAMETERS {                                                                         \
    if (armed.load() != kOff && fails(#NAME, path_at(directory, path), KIND)) return -1;        \
    static const auto call = real<int PARAMETERS>(#NAME);                                       \
    return call ARGUMENTS;                                                                      \
  }
AT_PATH(unlinkat, kChanges, (int directory, const char *path, int flags), (directory, path, flags))
AT_PATH(mkdirat, kChanges | kGrows, (int directory, const char *path, mode_t mode),
        (directory, path, mode))

// Of two names, the one that is made decides.
#define TO_PATH(NAME, KIND, PARAMETERS, ARGUMENTS)                                             \
  int NAME PARAMETERS {                                                                         \
    if (armed.load() != kOff && fails(#NAME, path_at(AT_FDCWD, to), KIND)) return -1;           \
    static const auto call = real<int PARAMETERS>(#NAME);                                       \
    return call ARGUMENTS;                                                                      \
  }
TO_PATH(rename, kChanges, (const char *from, const char *to), (from, to))
TO_PATH(link, kChanges | kGrows, (const char *from, const char *to), (from, to))

#define TO_PATH_AT(NAME, KIND, PARAMETERS, ARGUMENTS)                                          \
  int NAME PARAMETERS {                                                                         \
    if (armed.load() != kOff && fails(#NAME, path_at(there, to), KIND)) return -1;              \
    static const auto call = real<int PARAMETERS>(#NAME);                                       \
    return call ARGUMENTS;                                                                      \
  }
TO_PATH_AT(renameat, kChanges, (int here, const char *from, int there, const char *to),
           (here, from, there, to))
TO_PATH_AT(renameat2, kChanges,
           (int here, const char *from, int there, const char *to, unsigned flags),
           (here, from, there, to, flags))
TO_PATH_AT(linkat, kChanges | kGrows,
           (int here, const char *from, int there, const char *to, int flags),
           (here, from, there, to, flags))

#define BY_DESCRIPTOR(NAME, KIND, PARAMETERS, ARGUMENTS)                                       \
  int NAME PARAMETERS {                                                                         \
    if (armed.load() != kOff && fails(#NAME, path_of(fd), KIND)) return -1;                     \
    static const auto call = real<int PARAMETERS>(#NAME);                                       \
    return call ARGUMENTS;                                                                      \
  }
BY_DESCRIPTOR(ftruncate, kChanges, (int fd, off_t size), (fd, size))
BY_DESCRIPTOR(ftruncate64, kChanges, (int fd, off64_t size), (fd, size))
BY_DESCRIPTOR(fchmod, kChanges, (int fd, mode_t mode), (fd, mode))
BY_DESCRIPTOR(fallocate, kChanges | kGrows, (int fd, int how, off_t at, off_t size),
              (fd, how, at, size))
BY_DESCRIPTOR(fallocate64, kChanges | kGrows, (int fd, int how, off64_t at, off64_t size),
              (fd, how, at, size))

// These two give the error instead of setting errno.
#define ALLOCATE(NAME, OFFSET)                                                                 \
  int NAME(int fd, OFFSET at, OFFSET size) {                                                    \
    if (armed.load() != kOff && fails(#NAME, path_of(fd), kChanges | kGrows)) return errno;     \
    static const auto call = real<int(int, OFFSET, OFFSET)>(#NAME);                             \
    return call(fd, at, size);                                                                  \
  }
ALLOCATE(posix_fallocate, off_t)
ALLOCATE(posix_fallocate64, off64_t)

}  // extern "C"
