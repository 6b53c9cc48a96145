"""Runners evaluate many pairs of files: in this process, in a pool of processes, or on other machines.

A runner has one method, `map(config, pairs)`, which yields each pair with the results of its pages. `config`
is the `RunConfig`: how a pair is read and evaluated. All runners guarantee this:

- Order: results come in the order of the pairs. Pairs are taken from their iterator as they are needed, and
  only a bounded number of results waits for an earlier one. Memory does not grow with the number of pages.
- Isolation: what goes wrong with a pair becomes the error of its result and affects no other pair. Only wrong
  usage, which would fail every page, ends the run.

`InProcess` evaluates one pair after the other.

`Pool` runs worker processes on this machine. The parent process (`pool`, `processes`) sends each worker a few
pairs at a time through a pipe. The worker (`worker_process`) evaluates them one by one and answers each with
a header (seconds, size) and the packed results. The pool has these features:

- Workers do not wait for the parent, which may be busy with a store: about 0.1 s of work is in each pipe.
- Reordering: answers arrive in any order, and the parent keeps them until their turn.
- Time limit: a worker answers in the order in which it was sent pairs, so the parent knows which pair it
  evaluates and since when. The parent kills a worker that exceeds the limit, gives up its pair, and gives
  the pairs behind it to other workers.
- Memory limit: a worker loads everything that pages need and then limits its address space. A page that needs
  more raises a MemoryError.
- Crash isolation: if a worker ends by itself, its pair is tried once more, because another process may have
  taken all memory. If the next worker ends as well, the pair is given up.
- A pair that was given up is evaluated without its hypothesis, and all its text counts as missing. If that is
  not possible either, the ground truth is at fault, and the pair fails.
- Idle workers also evaluate pairs that wait behind a slow page in another worker; the first answer counts.

On a system without fork server, such as Windows, `Pool` uses processes of the standard library
(`map_spawned`), which have none of these features.

`ExecutorRunner` sends batches of pairs to any `concurrent.futures.Executor`. `Cluster` does so with a Dask
cluster. A batch that fails is repeated pair by pair, and only the pair at fault fails.

Why no library replaces the pool: pebble ends a task at its time limit and survives crashes, but it then loses
the whole chunk of tasks that were sent together, has no memory limit, and does not repeat a task. loky and
`concurrent.futures` cannot end a single task, and a crash fails all tasks in progress.
"""

from pagemeter.runners.executor import Cluster, ExecutorRunner
from pagemeter.runners.in_process import InProcess, Runner, evaluate_pairs
from pagemeter.runners.pool import Pool

__all__ = ["Cluster", "ExecutorRunner", "InProcess", "Pool", "Runner", "evaluate_pairs"]
