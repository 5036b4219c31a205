import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openaiFixture, post } from '../src/gateway/on-the-wire/test-gateway.fixture.ts'
import { closeThreadedGateways, startedThread, threadedGateway } from '../src/gateway/on-the-wire/threads.fixture.ts'
import { simulatedProvider } from '../src/providers/index.ts'
import { dropArtifact, getArtifact, putArtifact, sweepArtifacts } from '../src/sessions/index.ts'
import type { Blobs } from '../src/stores/index.ts'
import { memoryStore, probeBlobs } from '../src/stores/index.ts'
import { s3Blobs } from '../src/stores/remote/index.ts'
import type { S3BlobsOptions } from '../src/stores/remote/index.ts'
import { blobsContract } from '../src/testing/index.ts'
import { startCeph } from './ceph.ts'
import type { CephServer, CephUser } from './ceph.ts'
import { faultyProxy } from './faulty-proxy.ts'
import type { Fault, FaultyProxy, Way } from './faulty-proxy.ts'

let server: CephServer
let proxy: FaultyProxy
const ending: (() => Promise<void>)[] = []
beforeAll(async () => {
  server = await startCeph()
  ending.push(() => server.stop())
  await server.makeBucket('blobs')
  proxy = await faultyProxy(server.port)
  ending.push(() => proxy.close())
}, 300_000)
afterEach(() => proxy.setFault())
afterAll(async () => {
  for (const end of ending.toReversed()) await end()
})

function open(more: Partial<S3BlobsOptions> = {}): Promise<Blobs> {
  return s3Blobs({ url: server.url('blobs'), ...server.owner, ...more })
}

function throughProxy(more: Partial<S3BlobsOptions> = {}): Promise<Blobs> {
  return open({ url: `s3://127.0.0.1:${proxy.port}/blobs?tls=false`, ...more })
}

let made = 0

/** Bytes that nobody has stored. */
function newBytes(sizeBytes: number): Uint8Array {
  made += 1
  return Uint8Array.from({ length: sizeBytes }, (_, at) => (at * 31 + made * 7 + (at >> 8)) % 256)
}

const cases = blobsContract('Ceph', (database) => open({ url: server.url(`blobs/${database}`) }))

describe('blobs in S3, by Ceph', () => {
  it.each(cases)('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })

  it('A-026: hold artifacts, whose versions and parts come back', async () => {
    const host = { store: memoryStore(), blobs: await open(), clock: Date.now }
    const uri = 'artifact://tasks/42/step-1/log.bin'
    const [first, second] = [newBytes(300_000), newBytes(1000)]
    for (const bytes of [first, second]) await putArtifact(host, { tenant: 'acme', uri, bytes })
    const { bytes, artifact } = await getArtifact(host, { tenant: 'acme', uri, version: 1 })
    expect([bytes, artifact.sizeBytes]).toEqual([first, 300_000])
    const part = await getArtifact(host, { tenant: 'acme', uri, range: { start: 10, end: 20 } })
    expect([part.artifact.version, part.bytes]).toEqual([2, second.subarray(10, 20)])
    await expect(getArtifact(host, { tenant: 'rival', uri })).rejects.toMatchObject({ code: 'not-found' })
    await dropArtifact(host, { tenant: 'acme', uri, by: { actor: 'test', from: 'local' } })
    expect(await sweepArtifacts({ ...host, clock: () => Date.now() + 3_700_000 })).toBe(2)
    expect(await host.blobs.get({ tenant: 'artifacts\0acme', hash: artifact.sha256 })).toBeUndefined()
  })

  it('of eight that put the same bytes at once one writes them, and all get them', async () => {
    const statuses: number[] = []
    const noting: typeof fetch = async (...given) => {
      const response = await fetch(...given)
      statuses.push(response.status)
      return response
    }
    const all = await Promise.all(
      Array.from({ length: 8 }, () => open({ url: server.url('blobs/odd=1/a._-b'), fetch: noting })),
    )
    const bytes = newBytes(50_000)
    const refs = await Promise.all(all.map((blobs) => blobs.put('acme', bytes)))
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 7 }, () => 412)])
    expect(new Set(refs.map(({ hash }) => hash)).size).toBe(1)
    for (const blobs of all) expect(await blobs.get(refs[0]!)).toEqual(bytes)
  })

  it("another tenant's hash is not found, nor dropped", async () => {
    const blobs = await open()
    const bytes = newBytes(100)
    const { hash } = await blobs.put('acme', bytes)
    for (const tenant of ['other', '', 'acme/', 'ACME']) {
      expect(await blobs.get({ tenant, hash })).toBeUndefined()
      expect(await blobs.get({ tenant, hash }, { start: 0, end: 9 })).toBeUndefined()
      await blobs.drop({ tenant, hash })
    }
    expect(await blobs.get({ tenant: 'acme', hash })).toEqual(bytes)
  })

  it('twenty megabytes come back, and are stored once', async () => {
    const blobs = await open()
    const bytes = newBytes(20_000_000)
    const ref = await blobs.put('acme', bytes)
    expect(await blobs.put('acme', bytes)).toEqual(ref)
    const read = await blobs.get(ref)
    expect(Buffer.compare(read!, bytes)).toBe(0)
    const part = await blobs.get(ref, { start: 19_999_000, end: 20_000_001 })
    expect(Buffer.compare(part!, bytes.subarray(19_999_000))).toBe(0)
  })
})

describe('blobs in S3, refused', () => {
  const work = (blobs: Blobs) => [
    () => blobs.put('acme', newBytes(10)),
    () => blobs.get({ tenant: 'acme', hash: '0'.repeat(64) }),
    () => blobs.drop({ tenant: 'acme', hash: '0'.repeat(64) }),
  ]

  it.each<readonly [string, () => Promise<Blobs>, RegExp]>([
    ['a wrong secret', () => open({ secretAccessKey: 'wrong' }), /SignatureDoesNotMatch\. Check the secret key/],
    ['an unknown key', () => open({ accessKeyId: 'NOBODY' }), /InvalidAccessKeyId\. Check the access key/],
    ['no bucket', () => open({ url: server.url('nothing-here') }), /NoSuchBucket\. Create the bucket/],
    ['no right', () => open(server.stranger), /AccessDenied\. Let this key use GetObject/],
    [
      'a clock that is wrong',
      () => open({ clock: () => Date.now() - 3_600_000 }),
      /it is (?:3599|360\d) s behind the server's/,
    ],
  ])('%s is said at once, with the remedy and without credentials', async (_, opened, said) => {
    const blobs = await opened()
    for (const ask of work(blobs)) {
      const error: unknown = await ask().catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'store-failed', message: expect.stringMatching(said) })
      expect(String(error)).toContain(`S3 at s3://127.0.0.1:${server.port}/`)
      expect(String(error)).not.toContain('secret+of')
    }
    await expect(probeBlobs(blobs)).rejects.toThrow('could not write')
  })
})

describe('blobs in S3, of a gateway', () => {
  const folder = mkdtempSync(join(tmpdir(), 'prehend-s3-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const module = join(folder, 'keeping.mjs')
  writeFileSync(
    module,
    `import { isMainThread } from 'node:worker_threads'
    export default { name: 'keeping', specificationVersion: 1, open: ({ blobs, log }) => ({
      layers: [{ name: 'keeping', failure: 'open', appliesTo: ({ kind }) => kind === 'messages', handle: async (exchange, next) => {
        const { hash } = await blobs.put('acme', new TextEncoder().encode('from ' + (isMainThread ? 'here' : 'there')))
        log.info('kept', { hash })
        return next(exchange)
      } }],
      routes: [{ method: 'get', path: '/blobs/{tenant}/{hash}', answer: async ({ params }) => {
        const bytes = await blobs.get(params)
        return { json: { text: bytes ? new TextDecoder().decode(bytes) : null } }
      } }],
    }) }`,
  )

  it('its threads open the bucket for themselves, and another gateway on the same bucket reads what they wrote', async () => {
    const provider = simulatedProvider({ script: () => 'done', strict: false })
    const upstream = await provider.listen()
    try {
      const config = { extensions: [module], blobs: server.url('blobs/gateways'), s3: server.owner }
      const [one, other] = [
        await threadedGateway(upstream.url, config),
        await threadedGateway(upstream.url, { ...config, threads: 0 }),
      ]
      await startedThread(one)
      await (await post(one, openaiFixture, openaiFixture.body(2))).text()
      const hash = createHash('sha256').update('from there').digest('hex')
      await expect
        .poll(() => one.log.filter(({ event }) => event === 'kept'))
        .toContainEqual({ event: 'kept', fields: { extension: 'keeping', hash } })
      const read = async (tenant: string) =>
        (await fetch(`${other.url}/v1/extensions/keeping/blobs/${tenant}/${hash}`)).json()
      expect(await read('acme')).toEqual({ text: 'from there' })
      expect(await read('other')).toEqual({ text: null })
      expect(JSON.stringify([one.log, other.log])).not.toContain(server.owner.secretAccessKey)
    } finally {
      await closeThreadedGateways()
      await upstream.close()
    }
  })

  const said = (user: CephUser | undefined, ...argv: readonly string[]) => {
    const keys = user && { AWS_ACCESS_KEY_ID: user.accessKeyId, AWS_SECRET_ACCESS_KEY: user.secretAccessKey }
    const given = ['src/cli/main.ts', ...argv, '--data', folder]
    const options = { encoding: 'utf8', env: { ...process.env, ...keys } } as const
    const { status, stdout, stderr } = spawnSync(process.execPath, given, options)
    return { code: status, out: stdout, err: stderr }
  }

  it('prehend doctor says what answers and whether it can be written, read and dropped from', () => {
    const up = said(server.owner, 'doctor', '--blobs', server.url('blobs/doctor'))
    expect(up.out).toContain(
      `ok   blobs       S3 at s3://127.0.0.1:${server.port}/blobs/doctor answers: a blob was written, read and dropped`,
    )
    const refused = said(server.stranger, 'doctor', '--blobs', server.url('blobs'))
    expect(refused.out).toMatch(/^FAIL +blobs +S3 at .* could not write: it answered 403 AccessDenied\. Let this key/m)
    expect(refused.code).not.toBe(0)
  })

  it('prehend serve ends with one line where the bucket, the key or the right is missing', () => {
    const missing = said(server.owner, 'serve', '--port', '0', '--blobs', server.url('nothing-here'))
    expect(missing.err).toMatch(
      /^prehend: S3 at .*\/nothing-here could not write: it answered 404 NoSuchBucket\. .*\n$/,
    )
    expect(missing.code).not.toBe(0)
    const refused = said(server.stranger, 'serve', '--port', '0', '--blobs', server.url('blobs'))
    expect(refused.err).toMatch(/^prehend: S3 at .* AccessDenied\. .*\n$/)
    const keyless = said(undefined, 'serve', '--port', '0', '--blobs', server.url('blobs'))
    expect(keyless.err).toContain(
      's3.accessKeyId: is missing, which `blobs` needs. Give it there, or set AWS_ACCESS_KEY_ID',
    )
  })
})

/** Bytes as they are, but for those of one way, of the first so many connections or requests. */
const spoiling = (way: Way, times: number, spoil: (bytes: Buffer, before: number) => Buffer | undefined): Fault => {
  let left = times
  return (of, bytes, before) => {
    if (of !== way || left === 0) return bytes
    const spoilt = spoil(bytes, before)
    if (spoilt !== bytes) left -= 1
    return spoilt
  }
}

/** Once half of a megabyte has gone. */
const cutting = (bytes: Buffer, before: number): Buffer | undefined => (before > 500_000 ? undefined : bytes)

const damaging = (bytes: Buffer, before: number): Buffer => {
  if (before < 500_000) return bytes
  const damaged = Buffer.from(bytes)
  damaged[0] = (damaged[0]! + 1) % 256
  return damaged
}

describe('blobs in S3, when the network fails', () => {
  it.each<readonly [string, Fault]>([
    ['a connection that is cut in the middle of a put', spoiling('up', 2, cutting)],
    ['bytes that are damaged on their way to the server', spoiling('up', 1, damaging)],
  ])('%s: the put is made again, and what is stored is right', async (_, fault) => {
    const bytes = newBytes(1_000_000)
    proxy.setFault(fault)
    const ref = await (await throughProxy()).put('acme', bytes)
    proxy.setFault()
    expect(await (await open()).get(ref)).toEqual(bytes)
  })

  it('a connection that is cut in the middle of a get: it is read again', async () => {
    const bytes = newBytes(1_000_000)
    const ref = await (await open()).put('acme', bytes)
    proxy.setFault(spoiling('down', 2, cutting))
    expect(await (await throughProxy()).get(ref)).toEqual(bytes)
  })

  it('one that is always cut: the put fails, and nothing is half-written', async () => {
    const bytes = newBytes(1_000_000)
    const whole = await open()
    const { hash } = await whole.put('elsewhere', bytes)
    proxy.setFault(spoiling('up', Infinity, cutting))
    await expect((await throughProxy()).put('acme', bytes)).rejects.toMatchObject({ code: 'store-failed' })
    expect(await whole.get({ tenant: 'acme', hash })).toBeUndefined()
  })

  it('bytes that are damaged on their way back are refused', async () => {
    const ref = await (await open()).put('acme', newBytes(1_000_000))
    proxy.setFault(spoiling('down', 1, damaging))
    await expect((await throughProxy()).get(ref)).rejects.toThrow(`blob ${ref.hash} is damaged`)
  })

  it('a slow one ends after its time, and succeeds where there is enough', async () => {
    const bytes = newBytes(1_000_000)
    const slow: Fault = (way, some) => (way === 'down' ? delay(40, some) : some)
    const ref = await (await open()).put('acme', bytes)
    proxy.setFault(slow)
    const began = performance.now()
    await expect((await throughProxy({ timeoutMs: 300 })).get(ref)).rejects.toThrow('no answer within 300 ms')
    expect(performance.now() - began).toBeLessThan(2000)
    proxy.setFault(slow)
    expect(await (await throughProxy()).get(ref)).toEqual(bytes)
  })
})

describe('blobs in S3, when the server fails', () => {
  it('of one that answers nothing a call fails after its time; when it answers again, all goes on', async () => {
    const blobs = await open({ timeoutMs: 600 })
    const ref = await blobs.put('acme', newBytes(1000))
    server.freeze(true)
    try {
      const began = performance.now()
      const both = [blobs.get(ref), blobs.put('acme', newBytes(1000))]
      for (const work of both) await expect(work).rejects.toThrow('no answer within 600 ms')
      expect(performance.now() - began).toBeLessThan(2000)
    } finally {
      server.freeze(false)
    }
    await expect.poll(() => blobs.get(ref).catch(() => 'down')).toHaveLength(1000)
  })

  it('of one that is killed amid puts a call fails by name; back again, what was acknowledged is there and whole', async () => {
    const blobs = await open({ timeoutMs: 2000 })
    const acknowledged: Awaited<ReturnType<Blobs['put']>>[] = []
    const stopped = new AbortController()
    const put = async (): Promise<void> => {
      while (!stopped.signal.aborted)
        await blobs.put('acme', newBytes(20_000)).then(
          (ref) => acknowledged.push(ref),
          () => undefined,
        )
    }
    const putting = Array.from({ length: 6 }, put)
    await delay(500)
    await server.kill()
    stopped.abort()
    await Promise.all(putting)
    const failing = blobs.put('acme', newBytes(10))
    await expect(failing).rejects.toThrow(/^S3 at s3:\/\/127\.0\.0\.1:\d+\/blobs could not write: .*ECONNREFUSED/)
    await server.start()
    expect(acknowledged.length).toBeGreaterThan(20)
    for (const ref of acknowledged) expect(await blobs.get(ref)).toHaveLength(20_000)
    await probeBlobs(blobs)
  })

  it('one that answers again while a call waits: the call succeeds', async () => {
    const blobs = await open()
    server.freeze(true)
    const putting = blobs.put('acme', newBytes(10))
    await delay(300)
    server.freeze(false)
    expect(await blobs.get(await putting)).toHaveLength(10)
  })
})
