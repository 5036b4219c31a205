import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { sha256 } from '../../host/index.ts'
import { defaultRetention, folderBlobs, memoryBlobs, memoryStore, sqliteStore } from '../../stores/index.ts'
import type { Blobs } from '../../stores/index.ts'
import { blobOwner } from './artifact-host.ts'
import { artifactPath, ownArtifactPath, readArtifactUri } from './artifact-uri.ts'
import { dropArtifact, holdArtifact } from './change-artifacts.ts'
import { putArtifact } from './put-artifact.ts'
import { getArtifact, listArtifacts } from './read-artifacts.ts'
import { sweepArtifacts } from './sweep-artifacts.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const by = { actor: 'test', from: 'local' }
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'prehend-artifacts-'))
  folders.push(folder)
  return folder
}

function bench(blobs: Blobs = memoryBlobs()) {
  let nowMs = 0
  const host = { store: memoryStore(), blobs, clock: () => nowMs }
  const put = (name: string, text: string, more: object = {}) =>
    putArtifact(host, { tenant: 'acme', uri: `tasks/1/step-1/${name}`, bytes: new TextEncoder().encode(text), ...more })
  const has = async (text: string) => (await blobs.get({ tenant: blobOwner('acme'), hash: sha256(text) })) !== undefined
  return { host, put, has, pass: (ms: number) => void (nowMs += ms) }
}

describe('names of artifacts', () => {
  it('are paths of a task and a step, or hashes', () => {
    expect(readArtifactUri('artifact://tasks/42/step-3/report.md')).toEqual({ path: 'tasks/42/step-3/report.md' })
    expect(readArtifactUri(`artifact://sha256/${sha256('')}`)).toEqual({ sha256: sha256('') })
    expect(artifactPath({ task: '42', step: 3, name: 'a' })).toBe('tasks/42/step-3/a')
    for (const uri of ['tasks/42/step-3', 'tasks/42/step-3/a/b', 'tasks/../step-3/a', 'tasks/42/3/a', '', 'sha256/AB'])
      expect(() => readArtifactUri(uri)).toThrow(/^uri: /)
  })

  it('stand for ids that are no names, each for another', () => {
    expect(ownArtifactPath({ task: 'a task / é', step: 'step-3', name: 'a' })).toMatch(
      /^tasks\/h-[0-9a-f]{32}\/step-3\/a$/,
    )
    expect(ownArtifactPath({ task: 'a/b', step: 1, name: 'a' })).not.toBe(
      ownArtifactPath({ task: 'a b', step: 1, name: 'a' }),
    )
  })
})

describe('the sweep of artifacts', () => {
  it('drops bytes that nothing names when they are over an hour old, and does so once', async () => {
    const { host, put, has, pass } = bench()
    await put('a', 'first')
    await put('a', 'second')
    await put('b', 'second')
    await dropArtifact(host, { tenant: 'acme', uri: 'tasks/1/step-1/a', by })
    pass(hourMs)
    expect(await sweepArtifacts(host)).toBe(0)
    pass(1)
    expect(await sweepArtifacts(host)).toBe(1)
    expect([await has('first'), await has('second')]).toEqual([false, true])
    expect(await sweepArtifacts(host)).toBe(0)
    await put('a', 'first')
    expect(new TextDecoder().decode((await getArtifact(host, { tenant: 'acme', uri: 'tasks/1/step-1/a' })).bytes)).toBe(
      'first',
    )
  })

  it('leaves bytes alone whose row is under way, and finishes what another has begun', async () => {
    const inner = memoryBlobs()
    let fails = true
    const { host, put, has, pass } = bench({
      ...inner,
      drop: (ref) => (fails ? Promise.reject(new Error('no')) : inner.drop(ref)),
    })
    await put('a', 'text')
    await dropArtifact(host, { tenant: 'acme', uri: 'tasks/1/step-1/a', by })
    pass(hourMs + 1)
    await expect(sweepArtifacts(host)).rejects.toThrow('no')
    const waits = put('b', 'text')
    fails = false
    expect(await sweepArtifacts(host)).toBe(1)
    await waits
    expect(await has('text')).toBe(true)
    pass(hourMs / 2)
    expect(await sweepArtifacts(host)).toBe(0)
  })

  it('A-068: follows the windows of the classes, but for what is on hold', async () => {
    const { host, put, has, pass } = bench()
    for (const kind of ['evidence', 'manifest', 'raw']) await put(kind, kind, { class: kind })
    await put('held', 'held', { class: 'raw' })
    await holdArtifact(host, { tenant: 'acme', uri: 'tasks/1/step-1/held', on: true, by })
    const upkeep = async () => {
      await host.store.prune(host.clock(), defaultRetention)
      await sweepArtifacts(host)
      const found = await listArtifacts(host, { tenant: 'acme', limit: 9 })
      return found.map(({ path }) => path.slice('tasks/1/step-1/'.length))
    }
    pass(30 * dayMs)
    expect(await upkeep()).toEqual(['evidence', 'held', 'manifest', 'raw'])
    pass(1)
    expect(await upkeep()).toEqual(['evidence', 'held', 'manifest'])
    expect([await has('raw'), await has('held')]).toEqual([false, true])
    pass(60 * dayMs)
    expect(await upkeep()).toEqual(['held'])
    expect(await upkeep()).toEqual(['held'])
  })
})

/** Starts a process that puts artifacts, and kills it when it has printed so many lines. */
async function killed(folder: string, lines: number, ...more: readonly string[]): Promise<readonly string[]> {
  const file = fileURLToPath(new URL('crash-putter.child.ts', import.meta.url))
  const child = spawn(process.execPath, [file, folder, ...more], { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
    if (out.split('\n').length > lines) child.kill('SIGKILL')
  })
  await new Promise((done) => child.on('exit', done))
  return out.split('\n').slice(0, -1)
}

describe('a process that is killed in the middle of a put', () => {
  it.each([3, 4, 7, 12])('leaves whole artifacts, after %i puts', { timeout: 60_000 }, async (lines) => {
    const folder = newFolder()
    const acknowledged = await killed(folder, lines)
    const store = sqliteStore({ path: join(folder, 'prehend.sqlite') })
    const blobs = folderBlobs(join(folder, 'blobs'))
    const host = { store, blobs, clock: () => 1001 + hourMs }
    const found = await listArtifacts(host, { tenant: 'acme', versions: true, limit: 999 })
    const counts = new Set<string>()
    for (const { path, version, sizeBytes, sha256: hash } of found) {
      const { bytes } = await getArtifact(host, { tenant: 'acme', uri: path, version })
      expect([bytes.length, sha256(bytes)]).toEqual([sizeBytes, hash])
      counts.add(/^artifact (\d+)/.exec(new TextDecoder().decode(bytes.subarray(0, 20)))?.[1] ?? '')
    }
    for (const count of acknowledged) expect(counts).toContain(count)
    await sweepArtifacts(host)
    expect(new Set(storedHashes(join(folder, 'blobs')))).toEqual(new Set(found.map(({ sha256: hash }) => hash)))
    await store.close()
  })

  it('leaves bytes without a row, which go with the sweep', { timeout: 60_000 }, async () => {
    const folder = newFolder()
    expect(await killed(folder, 1, 'before-commit')).toEqual(['stored'])
    const store = sqliteStore({ path: join(folder, 'prehend.sqlite') })
    const host = { store, blobs: folderBlobs(join(folder, 'blobs')), clock: () => 1001 + hourMs }
    expect(await listArtifacts(host, { tenant: 'acme', limit: 9 })).toEqual([])
    expect(storedHashes(join(folder, 'blobs'))).toHaveLength(1)
    expect(await sweepArtifacts(host)).toBe(1)
    expect(storedHashes(join(folder, 'blobs'))).toEqual([])
    await store.close()
  })
})

function storedHashes(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true }).map((path) => String(path).split('/').at(-1) ?? '')
  return names.filter((name) => name.length === 64)
}
