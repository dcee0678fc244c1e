package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A fillingDisk is a folder whose disk is full from a certain write on, for one process. The kernel asks this test about
// each system call by which a file may grow (seccomp_unotify(2)). So it takes neither rights nor a disk, and every write can
// be the first that fails. What a process writes to memory it has mapped is no call: TestFullDisk fills a real disk.
type fillingDisk struct {
	dir    string       // everything in it, and nothing else, is on the disk
	from   int64        // the first write that fails, from 1; 0 lets all pass
	writes atomic.Int64 // so far
	first  atomic.Value // what failed first, in words

	unsynced bool // it is not full, but nothing on it can be synced: counts these attempts as writes
}

// growing are the calls by which files grow, with the argument that says which file.
var growing = map[int32]struct {
	name string
	arg  int
	path bool // the argument is a path, else a descriptor
}{
	unix.SYS_OPENAT: {"open", 1, true}, unix.SYS_MKDIRAT: {"mkdir", 1, true}, unix.SYS_RENAMEAT: {"rename", 3, true},
	unix.SYS_WRITE: {"write", 0, false}, unix.SYS_PWRITE64: {"pwrite", 0, false}, unix.SYS_WRITEV: {"writev", 0, false},
	unix.SYS_FTRUNCATE: {"truncate", 0, false}, unix.SYS_FALLOCATE: {"fallocate", 0, false}, unix.SYS_FSYNC: {"sync", 0, false},
	unix.SYS_SENDFILE: {"sendfile", 0, false}, unix.SYS_COPY_FILE_RANGE: {"copy", 2, false}, unix.SYS_SPLICE: {"splice", 2, false},
}

// filtered is set in the environment of a process that is to have its writes watched.
const filtered = "VARVE_E2E_FILTERED"

func init() {
	if os.Getenv(filtered) != "" {
		_ = os.Unsetenv(filtered)
		fmt.Fprintln(os.Stderr, "can't be watched:", becomeWatched(os.Args[1], os.Args[1:]))
		os.Exit(unanswerable)
	}
}

// unanswerable is the exit code of a process that can't be watched here.
const unanswerable = 99

// becomeWatched turns this process into another whose writes are watched by whoever holds the other end of descriptor 3.
func becomeWatched(path string, args []string) error {
	runtime.LockOSThread() // the filter is this thread's, and what the thread executes has it
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	const number, flags = 0, 16 + 2*8 // in struct seccomp_data: of the call, and of openat
	program := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: number}}
	for call := range growing {
		if call == unix.SYS_OPENAT {
			continue
		}
		program = append(program, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: uint32(call), Jf: 1},
			unix.SockFilter{Code: unix.BPF_RET, K: unix.SECCOMP_RET_USER_NOTIF})
	}
	program = append(program,
		unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_OPENAT, Jf: 3},
		unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: flags},
		unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: unix.O_CREAT, Jf: 1},
		unix.SockFilter{Code: unix.BPF_RET, K: unix.SECCOMP_RET_USER_NOTIF},
		unix.SockFilter{Code: unix.BPF_RET, K: unix.SECCOMP_RET_ALLOW})
	fprog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	listener, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER,
		unix.SECCOMP_FILTER_FLAG_NEW_LISTENER|unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
		uintptr(unsafe.Pointer(&fprog)))
	if errno != 0 {
		return fmt.Errorf("seccomp: %w", errno)
	}
	if err := unix.Sendmsg(3, []byte{0}, unix.UnixRights(int(listener)), nil, 0); err != nil {
		return err
	}
	unix.CloseOnExec(3)
	return syscall.Exec(path, args, os.Environ())
}

// asked and answered are struct seccomp_notif and struct seccomp_notif_resp.
type asked struct {
	id         uint64
	pid, flags uint32
	call       int32
	arch       uint32
	ip         uint64
	args       [6]uint64
}

type answered struct {
	id    uint64
	val   int64
	errno int32
	flags uint32
}

// command returns a command that runs varve on the disk, and what has to be called once it has started.
func (d *fillingDisk) command(t *testing.T, args ...string) (cmd *exec.Cmd, watch func()) {
	t.Helper()
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	theirs, ours := os.NewFile(uintptr(ends[1]), "theirs"), os.NewFile(uintptr(ends[0]), "ours")
	conn, err := net.FileConn(ours)
	if err != nil {
		t.Fatal(err)
	}
	ours.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(stop)
	cmd = exec.CommandContext(ctx, self, append([]string{binary}, args...)...)
	cmd.Env = append(os.Environ(), filtered+"=1")
	cmd.ExtraFiles = []*os.File{theirs}
	return cmd, func() {
		theirs.Close()
		defer conn.Close()
		rights := make([]byte, unix.CmsgSpace(4))
		_, n, _, _, err := conn.(*net.UnixConn).ReadMsgUnix(make([]byte, 1), rights)
		if err != nil {
			return // it ended: there is no such filter here
		}
		messages, err := unix.ParseSocketControlMessage(rights[:n])
		if err != nil || len(messages) == 0 {
			return
		}
		fds, err := unix.ParseUnixRights(&messages[0])
		if err != nil {
			return
		}
		go d.answer(fds[0])
	}
}

// answer decides about one write after the other until the process has ended.
func (d *fillingDisk) answer(listener int) {
	defer unix.Close(listener)
	for {
		poll := []unix.PollFd{{Fd: int32(listener), Events: unix.POLLIN}}
		if _, err := unix.Poll(poll, -1); errors.Is(err, unix.EINTR) {
			continue
		} else if err != nil || poll[0].Revents&unix.POLLIN == 0 {
			return
		}
		var q asked
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_RECV,
			uintptr(unsafe.Pointer(&q))); errno != 0 {
			continue // the thread is gone
		}
		a := answered{id: q.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
		switch {
		case !d.unsynced && d.fails(&q):
			a = answered{id: q.id, errno: -int32(unix.ENOSPC)}
		case d.unsynced && q.call == unix.SYS_FSYNC && d.holds(pathOf(&q)):
			d.writes.Add(1)
			a = answered{id: q.id, errno: -int32(unix.EINVAL)}
		}
		_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&a)))
	}
}

// fails reports whether a write fails, and counts it if it is one to the disk.
func (d *fillingDisk) fails(q *asked) bool {
	path := pathOf(q)
	if !d.holds(path) {
		return false
	}
	if _, err := os.Lstat(path); q.call == unix.SYS_OPENAT && err == nil {
		return false // it is there already
	}
	if n := d.writes.Add(1); d.from == 0 || n < d.from {
		return false
	}
	d.first.CompareAndSwap(nil, growing[q.call].name+" "+strings.TrimPrefix(path, d.dir))
	return true
}

func (d *fillingDisk) holds(path string) bool {
	return strings.HasPrefix(path, d.dir+"/") || path == d.dir
}

// pathOf returns the path of the file that a call is about.
func pathOf(q *asked) string {
	call := growing[q.call]
	if call.path {
		return stringOf(q.pid, q.args[call.arg])
	}
	path, _ := os.Readlink("/proc/" + strconv.Itoa(int(q.pid)) + "/fd/" + strconv.Itoa(int(q.args[call.arg])))
	return path
}

// stringOf reads a string from the memory of a process.
func stringOf(pid uint32, at uint64) string {
	f, err := os.Open("/proc/" + strconv.Itoa(int(pid)) + "/mem")
	if err != nil {
		return ""
	}
	defer f.Close()
	b := make([]byte, 4096)
	n, _ := f.ReadAt(b, int64(at))
	s, _, _ := bytes.Cut(b[:n], []byte{0})
	return string(s)
}

// invoke runs a varve command on the disk to its end.
func (d *fillingDisk) invoke(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd, watch := d.command(t, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	watch()
	_ = cmd.Wait()
	skipUnanswerable(t, cmd)
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func skipUnanswerable(t *testing.T, ended *exec.Cmd) {
	t.Helper()
	if ended.ProcessState.ExitCode() == unanswerable {
		t.Skip("here the kernel lets no process decide about another's writes")
	}
}

// newDisk returns a disk that holds a new folder.
func newDisk(t *testing.T) *fillingDisk {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &fillingDisk{dir: dir}
}
