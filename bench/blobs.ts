import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCeph } from '../servers/ceph.ts'
import { folderBlobs } from '../src/stores/index.ts'
import type { Blobs } from '../src/stores/index.ts'
import { s3Blobs } from '../src/stores/remote/index.ts'
import { markdownTable } from './markdown-table.ts'

/*
 * How long a put and a get of 4 KB and of 1 MB take in each place of blobs, one alone and 16 at once. The places take turns, so that what else the
 * machine does meets them alike. S3 is Ceph on loopback, which keeps objects in memory: its times are those of the protocol, not of a disk.
 *
 *   npm run -s bench -- blobs
 */

const rounds = 8
const alone = 25
const many = 16
const warmUp = 10
const sizes = [
  ['4 KB', 4096],
  ['1 MB', 1_000_000],
] as const

interface Place {
  readonly name: string
  readonly blobs: Blobs
}

interface Times {
  readonly putMs: number[]
  readonly getMs: number[]
  readonly putsAmongMs: number[]
  readonly getsAmongMs: number[]
}

/** Bytes that no other blob has. */
function newBytes(sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes)
  for (let at = 0; at < sizeBytes; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  return bytes
}

async function timed<Result>(times: number[], work: () => Promise<Result>): Promise<Result> {
  const began = performance.now()
  const result = await work()
  times.push(performance.now() - began)
  return result
}

async function measure(blobs: Blobs, sizeBytes: number, times: Times): Promise<void> {
  const { putMs, getMs, putsAmongMs, getsAmongMs } = times
  for (const bytes of Array.from({ length: alone }, () => newBytes(sizeBytes))) {
    const ref = await timed(putMs, () => blobs.put('acme', bytes))
    await timed(getMs, () => blobs.get(ref))
    await blobs.drop(ref)
  }
  const all = Array.from({ length: many }, () => newBytes(sizeBytes))
  const refs = await Promise.all(all.map((bytes) => timed(putsAmongMs, () => blobs.put('acme', bytes))))
  await Promise.all(refs.map((ref) => timed(getsAmongMs, () => blobs.get(ref))))
  await Promise.all(refs.map((ref) => blobs.drop(ref)))
}

function quantiles(times: readonly number[]): string {
  const inOrder = times.toSorted((a, b) => a - b)
  const at = (share: number): string =>
    (inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * share))] ?? 0).toFixed(1)
  return `${at(0.5)} / ${at(0.95)}`
}

const folder = mkdtempSync(join(tmpdir(), 'prehend-blobs-'))
const server = await startCeph()
try {
  await server.makeBucket('blobs')
  const places: readonly Place[] = [
    { name: 'folder', blobs: folderBlobs(folder) },
    { name: 'S3 (Ceph)', blobs: await s3Blobs({ url: server.url('blobs'), ...server.owner }) },
  ]
  const rows = sizes.flatMap(([size, sizeBytes]) =>
    places.map(({ name, blobs }) => ({
      name,
      blobs,
      size,
      sizeBytes,
      times: { putMs: [], getMs: [], putsAmongMs: [], getsAmongMs: [] } as Times,
    })),
  )
  for (const { blobs } of places)
    for (let at = 0; at < warmUp; at += 1) await blobs.drop(await blobs.put('acme', newBytes(4096)))
  for (let round = 0; round < rounds; round += 1)
    for (const { blobs, sizeBytes, times } of rows) await measure(blobs, sizeBytes, times)
  console.log('p50 / p95 in ms')
  console.log(
    markdownTable(
      rows.map(({ name, size, times }) => ({
        place: name,
        bytes: size,
        put: quantiles(times.putMs),
        get: quantiles(times.getMs),
        [`put, ${many} at once`]: quantiles(times.putsAmongMs),
        [`get, ${many} at once`]: quantiles(times.getsAmongMs),
      })),
    ),
  )
} finally {
  await server.stop()
  rmSync(folder, { recursive: true })
}
