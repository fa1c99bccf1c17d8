/* A list of refused calls, not of allowed ones: bots come in all languages, their runtimes use
 * calls that nobody here has thought of, and one that is missing shows as a failure far from its
 * cause. What a later kernel adds is refused by its number (FIRST_UNKNOWN), so the list cannot
 * grow old unnoticed. ENOSYS is for calls that runtimes can do without, EPERM for the others. */
#define _GNU_SOURCE /* memfd_create, F_SETLEASE, CLONE_NEWUSER */
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Calls from this number on are newer than the lists below. From 424 on, numbers are the same on
 * all architectures that Linux supports since 5.1; x32 calls have higher numbers, too. */
enum { FIRST_UNKNOWN = 451 };

enum {
    ANY = -1,           /* whatever its arguments */
    LINUX_FCNTL = 1024, /* F_LINUX_SPECIFIC_BASE */
    NAMESPACES = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
                 CLONE_NEWUTS | CLONE_NEWCGROUP,
};

/* A call that fails whatever its arguments are. */
static const struct refused {
    const char *name; /* a name that libseccomp does not know is newer than it, and left out */
    int error;
} refused[] = {
    /* namespaces; clone3's flags are in memory, where a filter cannot read them; without clone3
     * glibc uses clone for threads */
    {"clone3", ENOSYS},
    {"unshare", EPERM},
    {"setns", EPERM},
    /* mounts and roots */
    {"mount", EPERM},
    {"umount", EPERM},
    {"umount2", EPERM},
    {"pivot_root", EPERM},
    {"chroot", EPERM},
    {"move_mount", EPERM},
    {"open_tree", EPERM},
    {"fsopen", EPERM},
    {"fsconfig", EPERM},
    {"fsmount", EPERM},
    {"fspick", EPERM},
    {"mount_setattr", EPERM},
    {"name_to_handle_at", EPERM},
    {"open_by_handle_at", EPERM},
    {"swapon", EPERM},
    {"swapoff", EPERM},
    {"quotactl", EPERM},
    {"quotactl_fd", EPERM},
    /* other processes' memory and descriptors */
    {"ptrace", EPERM},
    {"process_vm_readv", EPERM},
    {"process_vm_writev", EPERM},
    {"process_madvise", EPERM},
    {"kcmp", EPERM},
    {"pidfd_getfd", EPERM},
    /* keyrings: all of a user's processes share them */
    {"keyctl", EPERM},
    {"add_key", EPERM},
    {"request_key", EPERM},
    /* large parts of the kernel that no engine needs; runtimes try io_uring and do without */
    {"bpf", EPERM},
    {"perf_event_open", EPERM},
    {"userfaultfd", EPERM},
    {"io_uring_setup", ENOSYS},
    {"io_uring_enter", ENOSYS},
    {"io_uring_register", ENOSYS},
    {"modify_ldt", ENOSYS},
    {"vm86", ENOSYS},
    {"vm86old", ENOSYS},
    {"remap_file_pages", ENOSYS},
    /* the machine */
    {"kexec_load", EPERM},
    {"kexec_file_load", EPERM},
    {"init_module", EPERM},
    {"finit_module", EPERM},
    {"delete_module", EPERM},
    {"create_module", EPERM},
    {"reboot", EPERM},
    {"iopl", EPERM},
    {"ioperm", EPERM},
    {"acct", EPERM},
    {"settimeofday", EPERM},
    {"stime", EPERM},
    {"clock_settime", EPERM},
    {"clock_adjtime", EPERM},
    {"adjtimex", EPERM},
    {"sethostname", EPERM},
    {"setdomainname", EPERM},
    {"syslog", EPERM}, /* all processes share the kernel's log, and a crash writes to it */
    {"vhangup", EPERM},
    {"uselib", ENOSYS},
    {"ustat", ENOSYS},
    {"sysfs", ENOSYS},
    {"_sysctl", ENOSYS},
    {"lookup_dcookie", ENOSYS},
    {"nfsservctl", ENOSYS},
};

/* A call that fails if (argument & mask) == value. The kernel uses only the lower 32 bits of these
 * arguments, so a mask has no others. */
static const struct part {
    const char *name;
    unsigned argument;
    uint32_t mask, value;
    int error;
} parts[] = {
    /* who opens a file on which somebody else has a lease waits for up to 45 s */
    {"fcntl", 1, ~0U, F_SETLEASE, EINVAL},
    {"fcntl", 1, ~0U, LINUX_FCNTL + 16, EINVAL}, /* F_SETDELEG: a lease of a folder */
    {"ioctl", 1, ~0U, TIOCSTI, EPERM},
    {"ioctl", 1, ~0U, TIOCLINUX, EPERM},
    {"ioctl", 1, ~0U, TIOCSETD, EPERM},
};

static bool rule(int *failed, scmp_filter_ctx filter, int number, int error, unsigned count,
                 const struct scmp_arg_cmp *compare)
{
    if (*failed == 0 && number != __NR_SCMP_ERROR) {
        *failed =
            seccomp_rule_add_array(filter, SCMP_ACT_ERRNO((uint16_t)error), number, count, compare);
    }
    return *failed == 0;
}

static struct scmp_arg_cmp is(unsigned argument, uint32_t mask, uint32_t value)
{
    return (struct scmp_arg_cmp){argument, SCMP_CMP_MASKED_EQ, mask, value};
}

/* Refuses clone with any flag for a namespace; threads and processes are allowed. */
static void add_clone(int *failed, scmp_filter_ctx filter)
{
    for (unsigned bit = 0; bit < 32; bit++) {
        uint32_t flag = UINT32_C(1) << bit;
        struct scmp_arg_cmp compare = is(0, flag, flag);

        if ((NAMESPACES & flag) != 0) {
            rule(failed, filter, seccomp_syscall_resolve_name("clone"), EPERM, 1, &compare);
        }
    }
}

/* Allows sockets of the four families. A comparison with a 64-bit range would miss high bits that
 * the kernel ignores, so each refused family has its own rule. */
static void add_sockets(int *failed, scmp_filter_ctx filter)
{
    int number = seccomp_syscall_resolve_name("socket");

    for (uint32_t family = 0; family < 64; family++) {
        struct scmp_arg_cmp compare = is(0, ~0U, family);

        if (family != AF_UNIX && family != AF_INET && family != AF_INET6 && family != AF_NETLINK) {
            rule(failed, filter, number, EAFNOSUPPORT, 1, &compare);
        }
    }
    for (uint32_t protocol = 1; protocol < MAX_LINKS; protocol++) {
        struct scmp_arg_cmp compare[] = {is(0, ~0U, AF_NETLINK), is(2, ~0U, protocol)};

        rule(failed, filter, number, EPROTONOSUPPORT, 2, compare);
    }
}

static int add_rules(scmp_filter_ctx filter)
{
    int failed = 0;

    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        rule(&failed, filter, seccomp_syscall_resolve_name(refused[i].name), refused[i].error, 0,
             NULL);
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        struct scmp_arg_cmp compare = is(parts[i].argument, parts[i].mask, parts[i].value);

        rule(&failed, filter, seccomp_syscall_resolve_name(parts[i].name), parts[i].error, 1,
             &compare);
    }
    add_clone(&failed, filter);
    add_sockets(&failed, filter);
    return failed;
}

/* Writes instructions before libseccomp's program, for calls that libseccomp does not know. */
static bool write_head(int fd)
{
    const struct sock_filter head[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_UNKNOWN, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    };

    return write(fd, head, sizeof head) == (ssize_t)sizeof head;
}

bool filter_is_known(void)
{
    uint32_t action = SECCOMP_RET_ERRNO;

    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

enum bg_status filter_open(int *out, struct bg_error *err)
{
    enum bg_status status = BG_E_SYSTEM;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    int fd = memfd_create("bgref-filter", MFD_CLOEXEC);

    if (filter == NULL || fd < 0) {
        bg_error_set(err, BG_E_SYSTEM, "sandbox: filter of system calls: %s", strerror(errno));
        goto done;
    }
    /* Programs for another architecture use other call numbers. */
    if (seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS)) != 0 ||
        seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2) != 0 || add_rules(filter) != 0 ||
        !write_head(fd) || seccomp_export_bpf(filter, fd) != 0 || lseek(fd, 0, SEEK_SET) != 0) {
        bg_error_set(err, BG_E_SYSTEM,
                     "sandbox: libseccomp could not make the filter of system calls");
        goto done;
    }
    status = BG_OK;
    *out = fd;
    fd = -1; /* now the caller's */
done:
    if (fd >= 0) {
        close(fd);
    }
    seccomp_release(filter);
    return status;
}
