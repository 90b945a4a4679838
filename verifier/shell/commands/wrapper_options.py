"""The options of wrappers: which take a value, so that the command behind them is found.

From the manual pages of coreutils 9.1, util-linux 2.38, numactl 2.0.16, sudo 1.9, Open MPI 5,
MPICH 4 (hydra), Slurm 24.11 with pyxis 0.20, Docker 27 and Nsight Systems 2024.
"""

from __future__ import annotations

from collections.abc import Mapping

from verifier.model.record import NamedTuple


class Spec(NamedTuple):
    """How a wrapper's options look.

    `valued` options take that many words; `optional` ones a value only behind `=` (long) or
    attached (short). `single_dash`: long options may begin with one dash. `attached`: with
    `single_dash`, short options whose value may be attached. `digits`: `-10` is fine.
    `any_long`: unknown `--x=y` are harmless. `positionals` words stand before the command.
    With one of `no_command` given nothing is run.
    """

    flags: frozenset[str] = frozenset()
    valued: Mapping[str, int] = {}
    optional: frozenset[str] = frozenset()
    single_dash: bool = False
    attached: tuple[str, ...] = ()
    digits: bool = False
    any_long: bool = False
    positionals: int = 0
    no_command: tuple[str, ...] = ()
    subcommand: str = ""


def _spec(flags: str = "", valued: str = "", optional: str = "", **more: object) -> Spec:
    """Options by name without dashes: one letter is short, more are long."""
    spec = Spec(
        frozenset(map(_dashed, flags.split())),
        {_dashed(name): 1 for name in valued.split()},
        frozenset(map(_dashed, optional.split())),
    )
    return spec._replace(**more)  # type: ignore[arg-type]


def _dashed(name: str) -> str:
    return ("-" if len(name) == 1 else "--") + name


_MPI_FLAGS = """
    allow-run-as-root oversubscribe nooversubscribe report-bindings tag-output timestamp-output
    display-map display-allocation display-devel-map v verbose q quiet V l
    genvall use-hwthread-cpus
    bind-to-core bind-to-none bind-to-socket bycore bynode bysocket byslot pernode
    merge-stderr-to-stdout
    nolocal enable-recovery do-not-launch forward-signals index-argv-by-rank novm xterm
    stream-buffering
    prepend-rank host-unaware no-oversubscribe
"""
_MPI_VALUED = """
    n np c H host hostfile machinefile f x bind-to map-by rank-by N npernode ppn prefix wdir wd
    output-filename output timeout launch-agent stdin rf rankfile cpus-per-proc cpu-set
    cpu-list path
    preload-files app personality am tune display mca-base-env-list genvlist envlist iface launcher
    bootstrap hosts rmk configfile tmpdir dvm-uri plm pset runtime-options
"""


def _mpi() -> Spec:
    flags = {d + n for n in _MPI_FLAGS.split() for d in ("-", "--")}
    valued = {d + n: 1 for n in _MPI_VALUED.split() for d in ("-", "--")}
    for name in ("mca", "gmca", "genv", "env", "prtemca", "pmixmca", "omca"):
        valued[f"-{name}"] = valued[f"--{name}"] = 2
    return Spec(frozenset(flags), valued, single_dash=True)


_SRUN_FLAGS = """
    E H h I k l O Q s u v V X Z exact exclusive overlap label unbuffered overcommit
    oversubscribe pty
    quiet verbose no-kill preserve-env multi-prog no-allocate test-only contiguous reboot spread-job
    use-min-nodes disable-status interactive container-writable container-readonly
    container-mount-home no-container-mount-home container-remap-root no-container-remap-root
    container-entrypoint no-container-entrypoint container-entrypoint-log
    no-container-entrypoint-log
"""
_SRUN_VALUED = """
    A a B b c C d D e G g i J L m M n N o p q r S t T w W x
    account acctg-freq bb bbf begin bcast-exclude chdir cluster-constraint clusters comment
    constraint container container-id container-image container-mounts container-name
    container-save container-workdir container-env core-spec cores-per-socket cpu-bind cpu-freq
    cpus-per-gpu cpus-per-task cpus_per_task deadline delay-boot dependency distribution epilog
    error exclude export export-file extra extra-node-info gid gpu-bind gpu-freq gpus
    gpus-per-node gpus-per-socket gpus-per-task gres gres-flags het-group hint input job-name
    jobid licenses mail-type mail-user mcs-label mem mem-bind mem-per-cpu mem-per-gpu mincpus
    mpi msg-timeout network nodelist nodefile nodes ntasks ntasks-per-core ntasks-per-gpu
    ntasks-per-node ntasks-per-socket ntasks-per-tres open-mode output partition power prefer
    priority profile prolog qos relative reservation segment signal slurmd-debug
    sockets-per-node switches task-epilog task-prolog thread-spec threads threads-per-core time
    time-min tmp tree-width tres-bind tres-per-task uid wait wckey
"""
_DOCKER_FLAGS = """
    d i t P q detach init interactive tty rm privileged read-only no-healthcheck
    oom-kill-disable publish-all sig-proxy disable-content-trust quiet no-hosts replace
"""
_DOCKER_VALUED = """
    a c e h l m p u v w add-host annotation attach blkio-weight cap-add cap-drop cgroup-parent
    cgroupns cidfile cpu-period cpu-quota cpu-shares cpus cpuset-cpus cpuset-mems detach-keys
    device device-cgroup-rule device-read-bps device-write-bps dns dns-option dns-search
    domainname entrypoint env env-file expose gpus group-add health-cmd health-interval
    health-retries health-timeout hostname ip ip6 ipc isolation kernel-memory label label-file
    link link-local-ip log-driver log-opt mac-address memory memory-reservation memory-swap
    memory-swappiness mount name net net-alias network network-alias oom-score-adj pid
    pids-limit platform publish pull restart runtime security-opt shm-size stop-signal
    stop-timeout storage-opt sysctl tmpfs ulimit user userns uts volume volume-driver
    volumes-from workdir
"""

SPECS: dict[str, Spec] = {
    "env": _spec("i 0 v ignore-environment null debug list-signal-handling",
                 "u C S a unset chdir split-string argv0",
                 "block-signal default-signal ignore-signal"),
    "exec": _spec("c l", "a"),
    "nohup": _spec(no_command=("--help", "--version")),
    "timeout": _spec("v p f foreground verbose preserve-status", "k s kill-after signal",
                     positionals=1),
    "numactl": _spec("l a b localalloc all balancing s show H hardware touch dump "
                     "dump-nodes strict",
                     "i p P C N m w c o L f interleave preferred preferred-many physcpubind "
                     "cpunodebind membind weighted-interleave cpubind offset length file shm "
                     "shmmode shmid",
                     no_command=("-s", "--show", "-H", "--hardware")),
    "taskset": _spec("a c p all-tasks cpu-list pid", positionals=1,
                     no_command=("-p", "--pid")),
    "stdbuf": _spec("", "i o e input output error"),
    "nice": _spec("", "n adjustment", digits=True),
    "ionice": _spec("t ignore", "c n p P u class classdata pid pgid uid",
                    no_command=("-p", "-P", "-u", "--pid", "--pgid", "--uid")),
    "setsid": _spec("c f w ctty fork wait"),
    "chrt": _spec("f r o b i d v R a p m fifo rr other batch idle deadline verbose all-tasks pid "
                  "reset-on-fork max",
                  "T P D sched-runtime sched-period sched-deadline",
                  positionals=1, no_command=("-p", "--pid", "-m", "--max")),
    "flock": _spec("s x e n u o F v shared exclusive nonblock nb unlock close no-fork verbose",
                   "w E timeout wait conflict-exit-code"),
    "time": _spec("p v a q portability verbose append quiet", "o f output format"),
    "command": _spec("p v V", no_command=("-v", "-V")),
    "builtin": _spec(),
    "prlimit": _spec("", any_long=True, no_command=("-p", "--pid")),
    "trtllm-llmapi-launch": _spec(),
    "catchsegv": _spec(),
    "ccache": _spec(),
    "unbuffer": _spec("p"),
    "gosu": _spec(positionals=1),
    "su-exec": _spec(positionals=1),
    "tini": _spec("s v w g", "p e"),
    "dumb-init": _spec("v c verbose single-child", "r rewrite"),
    "nsys": _spec("", "b c d e f h k m n o p q s t w x y env-var trace output sample duration "
                  "delay "
                  "capture-range capture-range-end cuda-graph-trace force-overwrite stats "
                  "trace-fork-before-exec cuda-memory-usage gpu-metrics-devices "
                  "gpu-metrics-device session-new wait kill stop-on-exit export nvtx-capture",
                  any_long=True, subcommand="profile"),
    "conda": _spec("v no-capture-output live-stream verbose", "n p name prefix cwd",
                   subcommand="run"),
    "uv": _spec("no-sync no-project active isolated frozen locked quiet q v verbose",
                "p python with extra group project directory env-file package index-url",
                subcommand="run"),
    "sudo": _spec("A b E e H i k K l n P S s v preserve-env login shell non-interactive set-home "
                  "stdin background validate list edit",
                  "u g h p C D R r t T U user group host prompt chdir chroot role type "
                  "command-timeout other-user close-from",
                  "preserve-env"),
    "xargs": _spec("0 r t p x null no-run-if-empty verbose interactive exit",
                   "n P I L d a E s max-args max-procs delimiter arg-file max-lines max-chars "
                   "process-slot-var",
                   "i l e replace eof"),
    "mpirun": _mpi(),
    "srun": _spec(_SRUN_FLAGS, _SRUN_VALUED,
                  "K exclusive kill-on-bad-exit immediate propagate bcast resv-ports nice x11 "
                  "send-libs compress"),
    "docker": _spec("D debug tls tlsverify", "c H l config context host log-level tlscacert "
                    "tlscert "
                    "tlskey"),
    "docker run": _spec(_DOCKER_FLAGS, _DOCKER_VALUED, _DOCKER_FLAGS),
}  # fmt: skip
