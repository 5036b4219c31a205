import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../scripts/free-port.ts'
import { listening } from './listening.ts'
import { findProgram, freezeProcess } from './programs.ts'

export interface PostgresServer {
  /** Of the database `postgres`, which user `prehend` owns. */
  readonly url: string
  readonly port: number
  /** Ends it at once, as a crash would: SIGKILL to the server and to its processes. */
  kill(): Promise<void>
  /** Starts it again, on the same port. */
  start(): Promise<void>
  /** Lets it answer nothing, and answer again. */
  freeze(isFrozen: boolean): void
  /** Ends it, and removes its folder. */
  stop(): Promise<void>
}

export interface PostgresSetup {
  /** `trust` by default. */
  readonly authentication?: 'trust' | 'scram-sha-256'
  readonly password?: string | undefined
  /** Follows this server, and has all that it has. */
  readonly replicaOf?: PostgresServer
}

/** PostgreSQL refuses to run as root: then it runs as `nobody`. */
const isRoot = process.getuid?.() === 0
const nobody = 65534

/** A PostgreSQL server of its own, on loopback, with a fresh data folder. */
export async function startPostgres({
  authentication = 'trust',
  password,
  replicaOf,
}: PostgresSetup = {}): Promise<PostgresServer> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'prehend-postgres-'))
  chmodSync(folder, 0o700)
  if (isRoot) chownSync(folder, nobody, nobody)
  const data = join(folder, 'data')
  if (replicaOf) copyFrom(replicaOf, data)
  else initialise(data, { authentication, password })
  const own = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder]
  let server: ChildProcess | undefined

  const end = async (how: () => void): Promise<void> => {
    if (server === undefined) return
    const exited = once(server, 'exit')
    how()
    server = undefined
    await exited
  }
  const start = async (): Promise<void> => {
    server = spawn(program('postgres'), own, { stdio: 'ignore', ...asNobody() })
    await listening(port)
    await answering(port)
  }
  await start()
  return {
    url: `postgres://prehend@127.0.0.1:${port}/postgres`,
    port,
    kill: () =>
      end(() => {
        // By a program of its own, so that whoever writes to the server goes on meanwhile. First none of them may see another one end.
        const all = processesOf(server).join(' ')
        spawn('sh', ['-c', `kill -s STOP ${all}; kill -s KILL ${all}`], { stdio: 'ignore' })
      }),
    start,
    freeze(isFrozen) {
      for (const pid of processesOf(server)) freezeProcess(pid, isFrozen)
    },
    async stop() {
      await end(() => void server?.kill('SIGINT'))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function initialise(data: string, { authentication, password }: PostgresSetup): void {
  const file = `${data}.password`
  writeFileSync(file, `${password ?? 'unused'}\n`, { mode: 0o644 })
  const { status, stderr } = spawnSync(
    program('initdb'),
    ['-D', data, '-U', 'prehend', `--auth=${authentication}`, `--pwfile=${file}`, '--encoding=UTF8', '--locale=C'],
    { encoding: 'utf8', ...asNobody() },
  )
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`)
}

/** A copy that goes on following, by the server's own means. */
function copyFrom({ port }: PostgresServer, data: string): void {
  const from = ['-h', '127.0.0.1', '-p', String(port), '-U', 'prehend', '-D', data, '--write-recovery-conf']
  const { status, stderr } = spawnSync(
    program('pg_basebackup'),
    [...from, '--wal-method=stream', '--checkpoint=fast'],
    {
      encoding: 'utf8',
      ...asNobody(),
    },
  )
  if (status !== 0) throw new Error(`pg_basebackup failed: ${stderr}`)
}

/** How long a server may recover: it first has all its files written to a disk that is busy. */
const recoveryMs = 90_000

/** A server that recovers listens, too, before it takes connections. */
async function answering(port: number): Promise<void> {
  const untilMs = performance.now() + recoveryMs
  while (performance.now() < untilMs) {
    const { status } = spawnSync(program('pg_isready'), ['-h', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
    if (status === 0) return
    await delay(50)
  }
  throw new Error(`no PostgreSQL answers on port ${port}`)
}

/** Each of its children has a session of its own, so that no group holds them all. */
function processesOf(server: ChildProcess | undefined): readonly number[] {
  if (server?.pid === undefined) return []
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return [server.pid, ...processes.filter((name) => parentOf(name) === server.pid).map(Number)]
}

/** The second word behind the name of the program, which may have any characters. */
function parentOf(process: string): number | undefined {
  try {
    const status = readFileSync(`/proc/${process}/stat`, 'utf8')
    return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

function program(name: string): string {
  return findProgram(name) ?? name
}

function asNobody(): { readonly uid?: number; readonly gid?: number } {
  return isRoot ? { uid: nobody, gid: nobody } : {}
}
