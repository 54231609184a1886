/* Remembers what of a directory has reached the disk.
 *
 * Preloaded (LD_PRELOAD) into a process, it keeps beside the directory FLUSH_RECORD_DIR a shadow FLUSH_RECORD_SHADOW that
 * holds of each file only what was flushed by fsync or fdatasync. After a SIGKILL the directory shows what the process
 * wrote; the shadow shows what would be left had the power gone instead. What differs may, sector by sector, be either.
 *
 * The model is strict: a name that was removed is gone only once its directory was flushed, and a file that was never
 * flushed does not exist. A flush that was cut short leaves a part of it, as a disk would.
 *
 * A file can lose its end, or be replaced by a new one, and grow again before it is flushed. Its length alone then no longer
 * shows which sectors may be old. A note beside the shadow, NAME.cut, says so: the shortest length since the last flush,
 * or "new" for a new file under a flushed name. It is written after the cut and before the next write, and is gone once
 * the shadow was cut, too; a file that is shorter than its shadow and has no note was killed in between.
 *
 * FLUSH_RECORD_DELAY_US makes each flush slow; FLUSH_RECORD_FAIL=N makes the N-th fail with EIO; while the file
 * FLUSH_RECORD_FULL is there, every write to the directory fails because there is no space.
 * Once the file FLUSH_RECORD_DEATH is there with the text "N" or "N SUFFIX", the process kills itself after N more
 * operations on files of the directory (whose names end so): creating, writing, cutting, removing, flushing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 64, RANGES = 2048, DESCRIPTORS = 65536 };

struct range {
    off_t from, to;
};

struct file {
    char name[256]; /* within the directory; empty when free */
    int shadow;     /* descriptor of the shadow, -1 until the first flush */
    int removed;    /* its name was removed, and the directory not flushed since */
    int replaced;   /* a new file under a flushed name */
    off_t cut;      /* the shortest length since the last flush; -1: none shorter */
    int ranges;
    struct range dirty[RANGES];
};

static struct file files[FILES];
static short file_of[DESCRIPTORS]; /* index + 1; 0: not ours */
static char directory[PATH_MAX];
static int shadow = -1; /* descriptor of the shadow's directory */
static size_t directory_length;
static long delay_us, fail_at, flushes;
static const char *full, *death;
static long operations_left; /* until death; 0: not sentenced */
static char death_suffix[64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int (*real_open)(const char *, int, ...);
static int (*real_openat)(int, const char *, int, ...);
static int (*real_close)(int);
static int (*real_unlink)(const char *);
static int (*real_fsync)(int);
static int (*real_ftruncate)(int, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);

__attribute__((constructor)) static void begin(void) {
    real_open = dlsym(RTLD_NEXT, "open");
    real_openat = dlsym(RTLD_NEXT, "openat");
    real_close = dlsym(RTLD_NEXT, "close");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate");
    real_write = dlsym(RTLD_NEXT, "write");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite");
    const char *from = getenv("FLUSH_RECORD_DIR"), *to = getenv("FLUSH_RECORD_SHADOW");
    if (to)
        shadow = real_open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (!from || !realpath(from, directory) || shadow < 0) {
        fprintf(stderr, "flush_recorder: FLUSH_RECORD_DIR and FLUSH_RECORD_SHADOW must be directories\n");
        abort();
    }
    directory_length = strlen(directory);
    const char *delay = getenv("FLUSH_RECORD_DELAY_US"), *fail = getenv("FLUSH_RECORD_FAIL");
    delay_us = delay ? atol(delay) : 0;
    fail_at = fail ? atol(fail) : 0;
    full = getenv("FLUSH_RECORD_FULL");
    death = getenv("FLUSH_RECORD_DEATH");
}

/* The name within the directory of what a path means, or NULL. */
static const char *name_within(const char *path) {
    if (strncmp(path, directory, directory_length) != 0 || path[directory_length] != '/')
        return NULL;
    const char *name = path + directory_length + 1;
    size_t length = strlen(name);
    /* Shared memory and locks mean nothing after a restart. */
    int ignored = (length > 4 && strcmp(name + length - 4, "-shm") == 0) ||
                  (length > 5 && strcmp(name + length - 5, ".lock") == 0);
    return length == 0 || length >= sizeof files[0].name || strchr(name, '/') || ignored ? NULL : name;
}

static struct file *find(const char *name) {
    for (int i = 0; i < FILES; i++)
        if (files[i].name[0] && strcmp(files[i].name, name) == 0)
            return &files[i];
    return NULL;
}

static void complain(const char *what) {
    perror(what);
    abort();
}

/* After each operation on a file of that name: the process ends here, if it was told to. With the lock held. */
static void perhaps_die(const char *name) {
    if (!death)
        return;
    if (operations_left == 0) {
        char order[96] = "";
        int fd = real_open(death, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            return;
        if (read(fd, order, sizeof order - 1) < 0)
            complain("flush_recorder: death");
        real_close(fd);
        if (sscanf(order, "%ld %63s", &operations_left, death_suffix) < 1 || operations_left < 1) {
            fprintf(stderr, "flush_recorder: FLUSH_RECORD_DEATH has \"%s\" where a number from 1 belongs\n", order);
            abort();
        }
    }
    size_t length = strlen(name), suffix = strlen(death_suffix);
    if (suffix > length || strcmp(name + length - suffix, death_suffix) != 0)
        return;
    if (--operations_left == 0) {
        kill(getpid(), SIGKILL);
        for (;;)
            pause();
    }
}

static void name_of_note(char *note, size_t size, const struct file *file) {
    snprintf(note, size, "%.255s.cut", file->name);
}

/* Writes the note of a file that lost its end or was replaced, as a whole or not at all. */
static void write_note(const struct file *file) {
    char note[sizeof file->name + 8], text[32] = "new";
    name_of_note(note, sizeof note, file);
    if (!file->replaced)
        snprintf(text, sizeof text, "%lld", (long long)file->cut);
    int fd = real_openat(shadow, "unfinished.cut", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0 || real_write(fd, text, strlen(text)) < 0 || real_close(fd) != 0 ||
        renameat(shadow, "unfinished.cut", shadow, note) != 0)
        complain("flush_recorder: note");
}

/* Reads the note that an earlier process left. */
static void read_note(struct file *file) {
    char note[sizeof file->name + 8], text[32] = "";
    name_of_note(note, sizeof note, file);
    int fd = real_openat(shadow, note, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (read(fd, text, sizeof text - 1) < 0)
        complain("flush_recorder: note");
    real_close(fd);
    if (strcmp(text, "new") == 0)
        file->replaced = 1;
    else
        file->cut = atoll(text);
}

static void note_cut(struct file *file, off_t length) {
    if (file->replaced || (file->cut >= 0 && file->cut <= length))
        return;
    file->cut = length;
    write_note(file);
}

static void note_replaced(struct file *file) {
    file->replaced = 1;
    write_note(file);
}

static int is_flushed_name(const char *name) {
    return faccessat(shadow, name, F_OK, 0) == 0;
}

static struct file *file_at(int fd) {
    return fd >= 0 && fd < DESCRIPTORS && file_of[fd] ? &files[file_of[fd] - 1] : NULL;
}

static void soil(struct file *file, off_t from, off_t to) {
    struct range *last = file->ranges ? &file->dirty[file->ranges - 1] : NULL;
    if (last && from <= last->to && to >= last->from) {
        last->from = from < last->from ? from : last->from;
        last->to = to > last->to ? to : last->to;
        return;
    }
    if (file->ranges == RANGES) { /* too many: one range that has them all */
        for (int i = 0; i < RANGES; i++) {
            from = file->dirty[i].from < from ? file->dirty[i].from : from;
            to = file->dirty[i].to > to ? file->dirty[i].to : to;
        }
        file->ranges = 0;
    }
    file->dirty[file->ranges++] = (struct range){from, to};
}

static void opened(int fd, int flags, int created) {
    if (fd < 0 || fd >= DESCRIPTORS)
        return;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    struct stat status;
    if (length <= 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return;
    path[length] = 0;
    const char *name = name_within(path);
    if (!name)
        return;
    pthread_mutex_lock(&lock);
    struct file *file = find(name);
    if (file && file->removed) {
        file->removed = 0;
        file->ranges = 0;
        soil(file, 0, status.st_size);
    }
    for (int i = 0; !file && i < FILES; i++) {
        if (files[i].name[0])
            continue;
        file = &files[i];
        strcpy(file->name, name);
        file->shadow = -1;
        file->ranges = file->removed = file->replaced = 0;
        file->cut = -1;
        read_note(file);
        /* Written by an earlier process: not known to be flushed. */
        soil(file, 0, status.st_size);
    }
    if (!file) {
        fprintf(stderr, "flush_recorder: more than %d files\n", FILES);
        abort();
    }
    file_of[fd] = (short)(file - files + 1);
    /* Its name was removed by this process or an earlier one; what was flushed under it was another file. */
    if (created && is_flushed_name(name))
        note_replaced(file);
    else if (flags & O_TRUNC)
        note_cut(file, 0);
    if (created || flags & O_TRUNC)
        perhaps_die(name);
    pthread_mutex_unlock(&lock);
}

static void flush_file(int fd, struct file *file) {
    static char buffer[1 << 16];
    if (file->shadow < 0) {
        file->shadow = real_openat(shadow, file->name, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        if (file->shadow < 0)
            complain("flush_recorder: shadow");
    }
    if (file->replaced || file->cut >= 0) {
        /* First of all the old end: from here on the file is as short as it was at its shortest. */
        off_t length = file->replaced ? 0 : file->cut;
        struct stat flushed;
        char note[sizeof file->name + 8];
        name_of_note(note, sizeof note, file);
        if (fstat(file->shadow, &flushed) != 0 ||
            (flushed.st_size > length && real_ftruncate(file->shadow, length) != 0))
            complain("flush_recorder: ftruncate");
        unlinkat(shadow, note, 0);
        file->replaced = 0;
        file->cut = -1;
    }
    for (int i = 0; i < file->ranges; i++) {
        for (off_t at = file->dirty[i].from; at < file->dirty[i].to;) {
            off_t left = file->dirty[i].to - at;
            size_t want = left < (off_t)sizeof buffer ? (size_t)left : sizeof buffer;
            ssize_t got = pread(fd, buffer, want, at);
            if (got <= 0)
                break; /* cut off since */
            if (real_pwrite(file->shadow, buffer, (size_t)got, at) != got)
                complain("flush_recorder: pwrite");
            at += got;
        }
    }
    file->ranges = 0;
    struct stat status;
    if (fstat(fd, &status) != 0 || real_ftruncate(file->shadow, status.st_size) != 0)
        complain("flush_recorder: size");
}

static void flush_names(void) {
    for (int i = 0; i < FILES; i++) {
        if (!files[i].name[0] || !files[i].removed)
            continue;
        char note[sizeof files[i].name + 8];
        name_of_note(note, sizeof note, &files[i]);
        unlinkat(shadow, files[i].name, 0);
        unlinkat(shadow, note, 0);
        if (files[i].shadow >= 0)
            real_close(files[i].shadow);
        files[i].name[0] = 0;
    }
}

static int is_directory(int fd) {
    struct stat here, there;
    return fstat(fd, &here) == 0 && stat(directory, &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

int fsync(int fd) {
    if (delay_us)
        usleep((useconds_t)delay_us);
    pthread_mutex_lock(&lock);
    struct file *file = file_at(fd);
    int result = 0;
    if (file && ++flushes == fail_at) {
        errno = EIO;
        result = -1;
    } else if (file) {
        /* The shadow is the disk of this experiment: the real one need not work. */
        flush_file(fd, file);
        perhaps_die(file->name);
    } else if (is_directory(fd)) {
        flush_names();
        perhaps_die("");
    } else {
        result = real_fsync(fd);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

int fdatasync(int fd) { return fsync(fd); }

static int no_space(int fd) {
    if (!full || !file_at(fd) || access(full, F_OK) != 0)
        return 0;
    errno = ENOSPC;
    return 1;
}

ssize_t write(int fd, const void *bytes, size_t count) {
    if (no_space(fd))
        return -1;
    ssize_t written = real_write(fd, bytes, count);
    if (written > 0 && file_at(fd)) {
        int kept = errno;
        off_t end = lseek(fd, 0, SEEK_CUR);
        pthread_mutex_lock(&lock);
        soil(file_at(fd), end - written, end);
        perhaps_die(file_at(fd)->name);
        pthread_mutex_unlock(&lock);
        errno = kept;
    }
    return written;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
    if (no_space(fd))
        return -1;
    ssize_t written = real_pwrite(fd, bytes, count, at);
    if (written > 0 && file_at(fd)) {
        pthread_mutex_lock(&lock);
        soil(file_at(fd), at, at + written);
        perhaps_die(file_at(fd)->name);
        pthread_mutex_unlock(&lock);
    }
    return written;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) { return pwrite(fd, bytes, count, at); }

int ftruncate(int fd, off_t length) {
    struct stat status;
    struct file *file = file_at(fd);
    int shorter = file && fstat(fd, &status) == 0 && status.st_size > length;
    int result = real_ftruncate(fd, length);
    int kept = errno;
    if (shorter && result == 0) {
        pthread_mutex_lock(&lock);
        soil(file, length, status.st_size);
        note_cut(file, length);
        perhaps_die(file->name);
        pthread_mutex_unlock(&lock);
    }
    errno = kept;
    return result;
}

int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }

int close(int fd) {
    if (fd >= 0 && fd < DESCRIPTORS)
        file_of[fd] = 0;
    return real_close(fd);
}

int unlink(const char *path) {
    int result = real_unlink(path);
    int kept = errno;
    const char *name = result == 0 ? name_within(path) : NULL;
    if (name) {
        pthread_mutex_lock(&lock);
        struct file *file = find(name);
        if (file)
            file->removed = 1;
        perhaps_die(name);
        pthread_mutex_unlock(&lock);
    }
    errno = kept;
    return result;
}

#define WITH_MODE(flags, mode)                   \
    mode_t mode = 0;                             \
    if ((flags) & (O_CREAT | O_TMPFILE)) {       \
        va_list rest;                            \
        va_start(rest, flags);                   \
        mode = va_arg(rest, mode_t);             \
        va_end(rest);                            \
    }

/* Whether an open that succeeds will have made the file. */
static int creates(int at, const char *path, int flags) {
    return (flags & O_CREAT) && faccessat(at, path, F_OK, 0) != 0;
}

int open(const char *path, int flags, ...) {
    WITH_MODE(flags, mode)
    int created = creates(AT_FDCWD, path, flags);
    int fd = real_open(path, flags, mode);
    opened(fd, flags, created);
    return fd;
}

int open64(const char *path, int flags, ...) {
    WITH_MODE(flags, mode)
    int created = creates(AT_FDCWD, path, flags);
    int fd = real_open(path, flags | O_LARGEFILE, mode);
    opened(fd, flags, created);
    return fd;
}

int openat(int at, const char *path, int flags, ...) {
    WITH_MODE(flags, mode)
    int created = creates(at, path, flags);
    int fd = real_openat(at, path, flags, mode);
    opened(fd, flags, created);
    return fd;
}

int openat64(int at, const char *path, int flags, ...) {
    WITH_MODE(flags, mode)
    int created = creates(at, path, flags);
    int fd = real_openat(at, path, flags | O_LARGEFILE, mode);
    opened(fd, flags, created);
    return fd;
}
