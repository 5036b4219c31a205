import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

interface Program {
  readonly name: string
  /** Of Debian. */
  readonly package: string
}

/** What the tests of this folder start. */
export const programs: readonly Program[] = [
  { name: 'redis-server', package: 'redis-server' },
  { name: 'postgres', package: 'postgresql-15' },
  { name: 'initdb', package: 'postgresql-15' },
  { name: 'pg_basebackup', package: 'postgresql-client-15' },
  { name: 'pg_dump', package: 'postgresql-client-15' },
  { name: 'pg_restore', package: 'postgresql-client-15' },
  { name: 'ceph-mon', package: 'ceph-mon' },
  { name: 'ceph-osd', package: 'ceph-osd' },
  { name: 'radosgw', package: 'radosgw' },
  { name: 'radosgw-admin', package: 'ceph-common' },
  { name: 'ceph', package: 'ceph-common' },
  { name: 'monmaptool', package: 'ceph-base' },
]

/** Where a program is; undefined where it is missing. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return [...folders, '/usr/sbin', '/usr/local/sbin', '/usr/lib/postgresql/15/bin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
}

/** Sends a signal to a process that may have ended meanwhile. */
function signalled(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Stops a process or lets it go on. Returns once all its threads stand still: a thread that runs elsewhere may answer a little longer. */
export function freezeProcess(pid: number | undefined, isFrozen: boolean): void {
  if (pid === undefined) return
  signalled(pid, isFrozen ? 'SIGSTOP' : 'SIGCONT')
  if (!isFrozen) return
  while (!threadStates(pid).every((state) => still.has(state))) Atomics.wait(clock, 0, 0, 1)
}

const clock = new Int32Array(new SharedArrayBuffer(4))
/** Stopped, ended, or being ended. */
const still = new Set(['T', 't', 'Z', 'X'])

function threadStates(pid: number): readonly string[] {
  const folder = `/proc/${pid}/task`
  try {
    return readdirSync(folder).map((thread) => {
      const line = readFileSync(join(folder, thread, 'stat'), 'utf8')
      // The name of the program stands in parentheses before the state, and may hold any character.
      return line.slice(line.lastIndexOf(')') + 2)[0] ?? 'X'
    })
  } catch {
    return []
  }
}
