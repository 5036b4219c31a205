import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { AwsV4Signer } from 'aws4fetch'
import { freePort } from '../scripts/free-port.ts'
import { listening } from './listening.ts'
import { findProgram, freezeProcess } from './programs.ts'

/** A user of the server, with the keys that its requests are signed with. */
export interface CephUser {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface CephServer {
  readonly port: number
  /** Owns the buckets. */
  readonly owner: CephUser
  /** May use none of the owner's. */
  readonly stranger: CephUser
  /** The address of a bucket, without credentials. */
  url(bucket: string): string
  makeBucket(name: string): Promise<void>
  /** Ends the gateway of objects at once, as a crash would. What it has stored stays. */
  kill(): Promise<void>
  /** Starts it again, on the same port. */
  start(): Promise<void>
  /** Lets it answer nothing, and answer again. */
  freeze(isFrozen: boolean): void
  /** Ends everything, and removes its folder. */
  stop(): Promise<void>
}

const owner: CephUser = { accessKeyId: 'PREHENDOWNER', secretAccessKey: 'a/secret+of=the owner' }
const stranger: CephUser = { accessKeyId: 'PREHENDSTRANGER', secretAccessKey: 'anothers-secret' }

/**
 * Ceph with its gateway of objects (RGW), which speaks S3: one monitor, one daemon that keeps objects in memory, and the gateway, each on a port of
 * loopback of its own. It is up after 10 to 20 s; where its parts do not find together it is started again.
 */
export async function startCeph(): Promise<CephServer> {
  const failures: unknown[] = []
  while (failures.length < mostStarts) {
    try {
      return await startOnce()
    } catch (error) {
      failures.push(error)
    }
  }
  throw new AggregateError(failures, `Ceph did not start in ${mostStarts} tries: ${String(failures.at(-1))}`)
}

async function startOnce(): Promise<CephServer> {
  const folder = mkdtempSync(join(tmpdir(), 'prehend-ceph-'))
  const daemons: ChildProcess[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(daemons.splice(0).map(ended))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const cluster = { folder, daemons }
    await startMonitor(cluster, await freePort())
    await startStorage(cluster)
    const port = await freePort()
    const start = (): Promise<void> => startGateway(cluster, port)
    await Promise.all([start(), makeUsers(cluster)])
    return {
      port,
      owner,
      stranger,
      url: (bucket) => `s3://127.0.0.1:${port}/${bucket}?tls=false`,
      makeBucket: (name) => makeBucket(`http://127.0.0.1:${port}/${name}`),
      kill: async () => ended(daemons.pop()),
      start,
      freeze: (isFrozen) => freezeProcess(daemons.at(-1)?.pid, isFrozen),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

interface Cluster {
  readonly folder: string
  /** Those that run, the gateway of objects last. */
  readonly daemons: ChildProcess[]
}

const mostStarts = 5

async function startMonitor({ folder, daemons }: Cluster, port: number): Promise<void> {
  const fsid = randomUUID()
  for (const name of ['mon', 'osd', 'run']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'keyring'), '')
  writeFileSync(join(folder, 'ceph.conf'), configuration(folder, { fsid, port }))
  const map = join(folder, 'monmap')
  await ran({ folder }, 'monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', `v1:127.0.0.1:${port}`, map])
  await ran({ folder }, 'ceph-mon', ['--mkfs', '-i', 'a', '--monmap', map])
  daemons.push(daemon(folder, 'ceph-mon', ['-i', 'a']))
  await listening(port)
}

/** Every other time it may not get its map from the monitor soon enough, and ends with "wrong fsid": then it is started again. */
async function startStorage({ folder, daemons }: Cluster): Promise<void> {
  const uuid = randomUUID()
  await ran({ folder }, 'ceph', ['--connect-timeout', '10', 'osd', 'new', uuid])
  await ran({ folder }, 'ceph-osd', ['-i', '0', '--mkfs', '--osd-uuid', uuid])
  for (let starts = 0; starts < mostStarts; starts += 1) {
    const storage = daemon(folder, 'ceph-osd', ['-i', '0'])
    daemons.push(storage)
    if (await isUp(folder, storage)) return
    await ended(daemons.pop())
  }
  throw new Error(`ceph-osd did not start in ${mostStarts} tries: ${lastWords(folder, 'ceph-osd')}`)
}

async function isUp(folder: string, storage: ChildProcess): Promise<boolean> {
  for (let looks = 0; looks < 30 && storage.exitCode === null; looks += 1) {
    // A monitor that has just begun may refuse to tell.
    const told = await ran({ folder }, 'ceph', ['osd', 'stat', '--format', 'json']).catch(() => '{}')
    if (/"num_up_osds":\s*1\b/.test(told)) return true
    await delay(100)
  }
  return false
}

async function startGateway({ folder, daemons }: Cluster, port: number): Promise<void> {
  // Without `tcp_nodelay` an answer with a body waits 40 ms for an acknowledgement.
  const frontend = `--rgw-frontends=beast endpoint=127.0.0.1:${port} tcp_nodelay=1`
  const gateway = daemon(folder, 'radosgw', ['-n', 'client.rgw', frontend])
  daemons.push(gateway)
  for (let looks = 0; looks < 600 && gateway.exitCode === null; looks += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    if (answer?.ok === true) return
    await delay(100)
  }
  throw new Error(`radosgw did not start: ${lastWords(folder, 'radosgw')}`)
}

async function makeUsers({ folder }: Cluster): Promise<void> {
  for (const [name, { accessKeyId, secretAccessKey }] of Object.entries({ owner, stranger })) {
    const keys = ['--access-key', accessKeyId, '--secret-key', secretAccessKey]
    await ran({ folder }, 'radosgw-admin', ['user', 'create', '--uid', name, '--display-name', name, ...keys])
  }
}

async function makeBucket(url: string): Promise<void> {
  const request = await new AwsV4Signer({ method: 'PUT', url, ...owner, service: 's3', region: 'us-east-1' }).sign()
  const { status } = await fetch(url, { method: 'PUT', headers: request.headers })
  if (status !== 200) throw new Error(`the bucket could not be made: ${status}`)
}

function configuration(folder: string, { fsid, port }: { readonly fsid: string; readonly port: number }): string {
  return `[global]
fsid = ${fsid}
mon host = v1:127.0.0.1:${port}
mon initial members = a
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
ms bind msgr2 = false
ms bind ipv6 = false
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 2
osd pool default pgp num = 2
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon max pg per osd = 1000
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 2147483648
osd class update on start = false
run dir = ${folder}/run
admin socket = ${folder}/run/$name.asok
log file = ${folder}/$name.log
keyring = ${folder}/keyring
mon data = ${folder}/mon
osd data = ${folder}/osd
rgw thread pool size = 32
`
}

/** Stays in the foreground; what it says goes to a file of its name. */
function daemon(folder: string, name: string, given: readonly string[]): ChildProcess {
  const out = openSync(join(folder, `${name}.out`), 'a')
  const stdio = ['ignore', out, out] as const
  const child = spawn(program(name), ['-c', join(folder, 'ceph.conf'), ...given, '-f'], { stdio: [...stdio] })
  closeSync(out)
  return child
}

const execute = promisify(execFile)

async function ran({ folder }: Pick<Cluster, 'folder'>, name: string, given: readonly string[]): Promise<string> {
  const { stdout } = await execute(program(name), ['-c', join(folder, 'ceph.conf'), ...given], { timeout: 60_000 })
  return stdout
}

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

function lastWords(folder: string, name: string): string {
  return readFileSync(join(folder, `${name}.out`), 'utf8').slice(-1000)
}

function program(name: string): string {
  return findProgram(name) ?? name
}
