"""Network namespaces for the nodes of a cluster, joined by a bridge. Linux only.

The script moves into PID, mount and network namespaces of its own first. When it ends, however it ends, the kernel ends
every process in them and removes the namespaces and links, so that nothing is left.
"""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import tempfile

# Flags of unshare(2) and setns(2).
NEW_MOUNT, NEW_USER, NEW_PID, NEW_NET = 0x20000, 0x10000000, 0x20000000, 0x40000000
# For the names of network namespaces, and for the Swift runtime, which reads the processes of its own namespace.
MOUNTS = "mount --make-rprivate / && mount -t tmpfs tmpfs /run && mount -t proc proc /proc"
# The second byte of addresses: 10.77.NODE.x.
NETWORK = 77


def isolate():
    """Moves the script into namespaces: returns in a child process, whose exit status the script ends with.

    Returns the reason instead, in the same process, if namespaces are not available.
    """
    if sys.platform != "linux":
        return "they need Linux"
    if reason := _try_in_child():
        return reason
    parent = os.getpid()
    _enter()
    child = os.fork()
    if child == 0:
        # NB: A session of its own: Ctrl-C reaches the parent, which sends it on once.
        os.setsid()
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
        subprocess.run(MOUNTS, shell=True, check=True)
        return None
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: os.kill(child, number))
    _, status = os.waitpid(child, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _enter():
    user, group = os.geteuid(), os.getegid()
    library = ctypes.CDLL(None, use_errno=True)
    flags = NEW_MOUNT | NEW_PID | NEW_NET | (NEW_USER if user else 0)
    if library.unshare(flags) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    if user:
        for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)


def _try_in_child():
    """Returns the reason why namespaces cannot be used, or nothing."""
    with tempfile.TemporaryFile("w+") as answer:
        if (child := os.fork()) == 0:
            try:
                _enter()
                # The first child is the init process of the new PID namespace.
                tried = subprocess.run(
                    f"{MOUNTS} && ip link add hub type bridge && ip netns add a"
                    " && ip link add x type veth peer name eth0 netns a", shell=True, capture_output=True, text=True)
                answer.write(tried.stderr.strip() if tried.returncode else "")
            except OSError as error:
                answer.write(str(error))
            answer.flush()
            os._exit(0)
        os.waitpid(child, 0)
        answer.seek(0)
        return answer.read()


class Namespaces:
    """One namespace for each node. Call `isolate` before."""

    def __init__(self, names, addresses=1):
        self.numbers = {name: number for number, name in enumerate(names, 1)}
        self.library = ctypes.CDLL(None, use_errno=True)
        self.home = os.open("/proc/self/ns/net", os.O_RDONLY)
        _run("ip link set lo up", "ip link add hub type bridge", "ip link set hub up")
        for name in names:
            inside = f"ip -n {name}"
            _run(f"ip netns add {name}", f"ip link add l-{name} type veth peer name eth0 netns {name}",
                 f"ip link set l-{name} master hub up", f"{inside} link set lo up", f"{inside} link set eth0 up")
            # The last node has the clients: each has an address of its own.
            for number in range(1, 1 + (addresses if name == names[-1] else 1)):
                _run(f"{inside} addr add {self.host(name, number)}/16 dev eth0")
        self.files = {name: os.open(f"/run/netns/{name}", os.O_RDONLY) for name in names}

    def host(self, name, number=1):
        return f"10.{NETWORK}.{self.numbers[name]}.{number}"

    def prefix(self, name):
        return ["nsenter", f"--net=/run/netns/{name}"]

    def socket(self, name):
        """Returns a socket in the namespace of a node. It stays there."""
        self._set(self.files[name])
        try:
            return socket.socket()
        finally:
            self._set(self.home)

    def _set(self, file):
        if self.library.setns(file, NEW_NET) != 0:
            raise OSError(ctypes.get_errno(), "setns")

    def cut(self, name):
        """Takes the link of a node down: what is sent is lost, and no connection is reset."""
        _run(f"ip link set l-{name} down")

    def join(self, name):
        _run(f"ip link set l-{name} up")

    @staticmethod
    def can_slow():
        """Returns true if the rate of a link can be limited: the kernel may lack the queue for it."""
        tried = subprocess.run("tc qdisc add dev lo root tbf rate 8gbit burst 1mb latency 1s && tc qdisc del dev lo root",
                               shell=True, capture_output=True)
        return tried.returncode == 0

    def slow(self, name, rate):
        """Limits the link of a node to so many kbit/s in each direction. What waits for more than 2 s is lost."""
        limit = f"root tbf rate {rate}kbit burst 8kb latency 2s"
        _run(f"tc qdisc add dev l-{name} {limit}", f"tc -n {name} qdisc add dev eth0 {limit}")

    def speed_up(self, name):
        _run(f"tc qdisc del dev l-{name} root", f"tc -n {name} qdisc del dev eth0 root")


def _run(*commands):
    for command in commands:
        if subprocess.run(command.split()).returncode:
            raise OSError(f"'{command}' failed: see the line above")
