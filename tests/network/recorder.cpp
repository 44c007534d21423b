// Records what a process looks up, connects to and writes, one line a call, in the file that
// MNEMOLOG_RECORD names: the call, a tab, and its subject. Paths are absolute.

#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace {

template <typename Function>
Function next(const char *name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// By system calls alone: what is recorded must not be recorded again.
void record(const std::string &call, const std::string &subject) {
    const int kept = errno;
    if (const char *file = getenv("MNEMOLOG_RECORD")) {
        const std::string line = call + "\t" + subject + "\n";
        const long descriptor =
            syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (descriptor >= 0) {
            syscall(SYS_write, descriptor, line.data(), line.size());
            syscall(SYS_close, descriptor);
        }
    }
    errno = kept;
}

std::string link_of(const std::string &link) {
    char target[4096];
    const long size = syscall(SYS_readlinkat, AT_FDCWD, link.c_str(), target, sizeof target);
    return size < 0 ? "?" : std::string(target, static_cast<size_t>(size));
}

std::string absolute(int directory, const char *path) {
    if (path == nullptr || path[0] == '/') {
        return path == nullptr ? "?" : path;
    }
    const std::string below = directory == AT_FDCWD
                                  ? link_of("/proc/self/cwd")
                                  : link_of("/proc/self/fd/" + std::to_string(directory));
    return below + "/" + path;
}

void record_path(const char *call, int directory, const char *path) {
    record(call, absolute(directory, path));
}

bool writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0; }

void record_open(int directory, const char *path, int flags) {
    if (writes(flags)) {
        record_path("open", directory, path);
    }
}

bool writes(const char *mode) { return strpbrk(mode, "wa+") != nullptr; }

void record_address(const char *call, const sockaddr *address) {
    if (address == nullptr) {
        return;
    }
    char text[INET6_ADDRSTRLEN] = "?";
    if (address->sa_family == AF_INET) {
        const auto *inet = reinterpret_cast<const sockaddr_in *>(address);
        inet_ntop(AF_INET, &inet->sin_addr, text, sizeof text);
    } else if (address->sa_family == AF_INET6) {
        const auto *inet = reinterpret_cast<const sockaddr_in6 *>(address);
        inet_ntop(AF_INET6, &inet->sin6_addr, text, sizeof text);
    } else if (address->sa_family == AF_UNIX) {
        record(call, reinterpret_cast<const sockaddr_un *>(address)->sun_path);
        return;
    }
    record(call, text);
}

mode_t mode_of(int flags, va_list rest) {
    return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
}

}  // namespace

extern "C" {

// -- name lookups --------------------------------------------------------------------------

int getaddrinfo(const char *node, const char *service, const addrinfo *hints, addrinfo **found) {
    record("lookup", node == nullptr ? "" : node);
    return next<decltype(&getaddrinfo)>("getaddrinfo")(node, service, hints, found);
}

hostent *gethostbyname(const char *name) {
    record("lookup", name);
    return next<decltype(&gethostbyname)>("gethostbyname")(name);
}

hostent *gethostbyname2(const char *name, int family) {
    record("lookup", name);
    return next<decltype(&gethostbyname2)>("gethostbyname2")(name, family);
}

int gethostbyname_r(const char *name, hostent *entry, char *buffer, size_t size, hostent **found,
                    int *error) {
    record("lookup", name);
    return next<decltype(&gethostbyname_r)>("gethostbyname_r")(name, entry, buffer, size, found,
                                                               error);
}

int gethostbyname2_r(const char *name, int family, hostent *entry, char *buffer, size_t size,
                     hostent **found, int *error) {
    record("lookup", name);
    return next<decltype(&gethostbyname2_r)>("gethostbyname2_r")(name, family, entry, buffer, size,
                                                                 found, error);
}

int getnameinfo(const sockaddr *address, socklen_t length, char *host, socklen_t host_size,
                char *service, socklen_t service_size, int flags) {
    // Numbers as text look nothing up.
    if ((flags & NI_NUMERICHOST) == 0) {
        record_address("lookup", address);
    }
    return next<decltype(&getnameinfo)>("getnameinfo")(address, length, host, host_size, service,
                                                       service_size, flags);
}

#define RESOLVES(function)                                                                     \
    int function(const char *name, int kind, int type, unsigned char *answer, int size) {      \
        record("lookup", name);                                                                \
        return next<int (*)(const char *, int, int, unsigned char *, int)>(#function)(         \
            name, kind, type, answer, size);                                                   \
    }
#define RESOLVES_IN(function)                                                                  \
    int function(void *state, const char *name, int kind, int type, unsigned char *answer,     \
                 int size) {                                                                   \
        record("lookup", name);                                                                \
        return next<int (*)(void *, const char *, int, int, unsigned char *, int)>(#function)( \
            state, name, kind, type, answer, size);                                            \
    }
RESOLVES(res_query)
RESOLVES(res_search)
RESOLVES(__res_query)
RESOLVES(__res_search)
RESOLVES_IN(res_nquery)
RESOLVES_IN(res_nsearch)
RESOLVES_IN(__res_nquery)
RESOLVES_IN(__res_nsearch)

// -- connections ---------------------------------------------------------------------------

int socket(int family, int kind, int protocol) {
    if (family == AF_INET || family == AF_INET6) {
        record("socket", family == AF_INET ? "AF_INET" : "AF_INET6");
    }
    return next<decltype(&socket)>("socket")(family, kind, protocol);
}

int connect(int descriptor, const sockaddr *address, socklen_t length) {
    record_address("connect", address);
    return next<decltype(&connect)>("connect")(descriptor, address, length);
}

ssize_t sendto(int descriptor, const void *bytes, size_t size, int flags, const sockaddr *address,
               socklen_t length) {
    record_address("send", address);
    return next<decltype(&sendto)>("sendto")(descriptor, bytes, size, flags, address, length);
}

ssize_t sendmsg(int descriptor, const msghdr *message, int flags) {
    record_address("send", static_cast<const sockaddr *>(message->msg_name));
    return next<decltype(&sendmsg)>("sendmsg")(descriptor, message, flags);
}

int sendmmsg(int descriptor, mmsghdr *messages, unsigned count, int flags) {
    for (unsigned one = 0; one < count; ++one) {
        record_address("send", static_cast<const sockaddr *>(messages[one].msg_hdr.msg_name));
    }
    return next<decltype(&sendmmsg)>("sendmmsg")(descriptor, messages, count, flags);
}

// -- files ---------------------------------------------------------------------------------

#define OPENS(function)                                                                        \
    int function(const char *path, int flags, ...) {                                           \
        va_list rest;                                                                          \
        va_start(rest, flags);                                                                 \
        const mode_t mode = mode_of(flags, rest);                                              \
        va_end(rest);                                                                          \
        record_open(AT_FDCWD, path, flags);                                                    \
        return next<int (*)(const char *, int, ...)>(#function)(path, flags, mode);            \
    }
#define OPENS_AT(function)                                                                     \
    int function(int directory, const char *path, int flags, ...) {                            \
        va_list rest;                                                                          \
        va_start(rest, flags);                                                                 \
        const mode_t mode = mode_of(flags, rest);                                              \
        va_end(rest);                                                                          \
        record_open(directory, path, flags);                                                   \
        return next<int (*)(int, const char *, int, ...)>(#function)(directory, path, flags,   \
                                                                     mode);                    \
    }
#define CREATES(function)                                                                      \
    int function(const char *path, mode_t mode) {                                              \
        record_path("open", AT_FDCWD, path);                                                   \
        return next<int (*)(const char *, mode_t)>(#function)(path, mode);                     \
    }
#define OPENS_STREAM(function)                                                                 \
    FILE *function(const char *path, const char *mode) {                                       \
        if (writes(mode)) {                                                                    \
            record_path("open", AT_FDCWD, path);                                               \
        }                                                                                      \
        return next<FILE *(*)(const char *, const char *)>(#function)(path, mode);             \
    }
#define OPENS_TEMPORARY(function)                                                              \
    int function(char *pattern) {                                                              \
        record_path("open", AT_FDCWD, pattern);                                                \
        return next<int (*)(char *)>(#function)(pattern);                                      \
    }
OPENS(open)
OPENS(open64)
OPENS_AT(openat)
OPENS_AT(openat64)
CREATES(creat)
CREATES(creat64)
OPENS_STREAM(fopen)
OPENS_STREAM(fopen64)
OPENS_TEMPORARY(mkstemp)
OPENS_TEMPORARY(mkstemp64)

int mkdir(const char *path, mode_t mode) {
    record_path("mkdir", AT_FDCWD, path);
    return next<decltype(&mkdir)>("mkdir")(path, mode);
}

int mkdirat(int directory, const char *path, mode_t mode) {
    record_path("mkdir", directory, path);
    return next<decltype(&mkdirat)>("mkdirat")(directory, path, mode);
}

char *mkdtemp(char *pattern) {
    record_path("mkdir", AT_FDCWD, pattern);
    return next<decltype(&mkdtemp)>("mkdtemp")(pattern);
}

int rename(const char *from, const char *to) {
    record_path("rename", AT_FDCWD, to);
    return next<decltype(&rename)>("rename")(from, to);
}

int renameat(int from_directory, const char *from, int to_directory, const char *to) {
    record_path("rename", to_directory, to);
    return next<decltype(&renameat)>("renameat")(from_directory, from, to_directory, to);
}

int link(const char *from, const char *to) {
    record_path("link", AT_FDCWD, to);
    return next<decltype(&link)>("link")(from, to);
}

int linkat(int from_directory, const char *from, int to_directory, const char *to, int flags) {
    record_path("link", to_directory, to);
    return next<decltype(&linkat)>("linkat")(from_directory, from, to_directory, to, flags);
}

int symlink(const char *target, const char *to) {
    record_path("link", AT_FDCWD, to);
    return next<decltype(&symlink)>("symlink")(target, to);
}

int shm_open(const char *name, int flags, mode_t mode) {
    record("open", std::string("/dev/shm") + name);
    return next<decltype(&shm_open)>("shm_open")(name, flags, mode);
}

}
