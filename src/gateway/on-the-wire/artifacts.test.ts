import { request as httpRequest } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { sha256 } from '../../host/index.ts'
import { folderBlobs, memoryBlobs } from '../../stores/index.ts'
import type { Blobs } from '../../stores/index.ts'
import { problemsOf, publishedDocument } from './document.fixture.ts'
import { keyGateway, keyTokens } from './keys.fixture.ts'
import type { KeyGateway } from './keys.fixture.ts'
import { rawRequest } from './raw-request.fixture.ts'
import { closeTestGateways } from './test-gateway.fixture.ts'

const folders: string[] = []

afterEach(closeTestGateways)
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function inFolder(): Blobs {
  const path = mkdtempSync(join(tmpdir(), 'prehend-artifacts-'))
  folders.push(path)
  return folderBlobs(path)
}

const { boss, rival, ops } = keyTokens
const report = '/v1/artifacts/tasks/42/step-1/report.md'
const mebibyte = 1024 * 1024

interface Sent {
  readonly method?: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

function sent(gateway: KeyGateway, path: string, { method = 'GET', token = boss, headers, body }: Sent = {}) {
  return fetch(gateway.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body !== undefined && { body }),
  })
}

function put(gateway: KeyGateway, path: string, body: Sent['body'] = 'hello', more: Sent = {}) {
  const headers = { 'content-type': 'text/markdown', ...more.headers }
  return sent(gateway, path, { ...more, method: 'PUT', body: body ?? '', headers })
}

async function list(gateway: KeyGateway, query = '', token: string = boss) {
  const { body } = await gateway.as(token, 'GET', `/v1/artifacts${query}`)
  return body as unknown as { data: { uri: string; version: number }[]; next: string | null }
}

describe.each([
  ['memory', memoryBlobs],
  ['folder', inFolder],
])('artifacts by HTTP, with blobs in %s', (_, blobs) => {
  it('A-026, A-011: come back as they were stored, by path and by hash', async () => {
    const gateway = await keyGateway({ host: { blobs: blobs() } })
    const bytes = Uint8Array.from({ length: 3 * mebibyte }, (_byte, at) => (at * 7919) % 251)
    const stored = await put(gateway, `${report}?class=raw&session=s1&request=r1`, bytes)
    expect(stored.status).toBe(201)
    expect(stored.headers.get('etag')).toBe(`"${sha256(bytes)}"`)
    const row = await stored.json()
    expect(row).toEqual({
      uri: 'artifact://tasks/42/step-1/report.md',
      version: 1,
      sha256: sha256(bytes),
      sizeBytes: bytes.length,
      mediaType: 'text/markdown',
      createdMs: gateway.clock.now(),
      class: 'raw',
      hold: false,
      session: 's1',
      requestId: 'r1',
    })
    for (const path of [report, `/v1/artifacts/sha256/${sha256(bytes)}`]) {
      const got = await sent(gateway, path)
      expect([got.status, got.headers.get('content-type'), got.headers.get('etag')]).toEqual([
        200,
        'text/markdown',
        `"${sha256(bytes)}"`,
      ])
      expect(sha256(new Uint8Array(await got.arrayBuffer()))).toBe(sha256(bytes))
      const head = await sent(gateway, path, { method: 'HEAD' })
      expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
        200,
        String(bytes.length),
        '',
      ])
    }
    const document = await publishedDocument(gateway)
    expect(
      problemsOf(document, { method: 'put', path: '/v1/artifacts/tasks/{task}/{step}/{name}', status: 201 }, row),
    ).toEqual([])
    expect(problemsOf(document, { method: 'get', path: '/v1/artifacts', status: 200 }, await list(gateway))).toEqual([])
  })

  it('answer ranges, and say when the client has the bytes already', async () => {
    const gateway = await keyGateway({ host: { blobs: blobs() } })
    await put(gateway, report, '0123456789')
    const ask = async (headers: Record<string, string>) => {
      const got = await sent(gateway, report, { headers })
      return [got.status, got.headers.get('content-range'), await got.text()]
    }
    const tag = `"${sha256('0123456789')}"`
    expect(await ask({ range: 'bytes=2-4' })).toEqual([206, 'bytes 2-4/10', '234'])
    expect(await ask({ range: 'bytes=7-' })).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await ask({ range: 'bytes=-3' })).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await ask({ range: 'bytes=8-99' })).toEqual([206, 'bytes 8-9/10', '89'])
    expect(await ask({ range: 'bytes=10-' })).toEqual([416, 'bytes */10', ''])
    expect(await ask({ range: 'bytes=0-1,4-5' })).toEqual([200, null, '0123456789'])
    expect(await ask({ 'range': 'bytes=2-4', 'if-range': tag })).toEqual([206, 'bytes 2-4/10', '234'])
    expect(await ask({ 'range': 'bytes=2-4', 'if-range': '"other"' })).toEqual([200, null, '0123456789'])
    expect(await ask({ 'if-none-match': tag })).toEqual([304, null, ''])
    await put(gateway, report, '')
    expect(await ask({})).toEqual([200, null, ''])
    expect(await ask({ range: 'bytes=0-' })).toEqual([416, 'bytes */0', ''])
  })

  it('keep the version of every concurrent writer', async () => {
    const gateway = await keyGateway({ host: { blobs: blobs() } })
    const texts = Array.from({ length: 20 }, (_text, at) => `text ${at % 10}`)
    const versions = await Promise.all(
      texts.map(async (text) => ((await (await put(gateway, report, text)).json()) as { version: number }).version),
    )
    expect(versions.toSorted((a, b) => a - b)).toEqual(texts.map((_text, at) => at + 1))
    for (const [at, version] of versions.entries())
      expect(await (await sent(gateway, `${report}?version=${version}`)).text()).toBe(texts[at])
    expect((await sent(gateway, `${report}?version=21`)).status).toBe(404)
    expect((await list(gateway, '?versions=true')).data).toHaveLength(20)
    expect((await list(gateway)).data).toMatchObject([{ version: 20 }])
  })
})

describe('artifacts by HTTP', () => {
  it('refuse paths and names that are none, and ask no provider', async () => {
    const gateway = await keyGateway()
    const long = 'a'.repeat(129)
    const odd = [
      '..',
      '%2e%2e',
      '..%2f..%2fetc',
      'a..b',
      'a%2fb',
      'a%00b',
      'a%0ab',
      'a%20b',
      'caf%C3%A9',
      long,
      '.',
      '%5c',
    ]
    for (const name of odd) {
      for (const path of [`/v1/artifacts/tasks/42/step-1/${name}`, `/v1/artifacts/tasks/${name}/step-1/a`]) {
        const { status } = await rawRequest(gateway.url, {
          method: 'PUT',
          path,
          headers: { authorization: `Bearer ${boss}` },
          body: 'x',
        })
        expect([path, status >= 400 && status < 500]).toEqual([path, true])
      }
    }
    for (const step of ['1', 'step', 'step-', 'stage-1'])
      expect((await put(gateway, `/v1/artifacts/tasks/42/${step}/a`)).status).toBe(400)
    for (const path of ['/v1/artifacts/other', '/v1/artifacts/sha256/abc', '/v1/artifacts/tasks/1/step-1'])
      expect((await sent(gateway, path)).status).toBeLessThan(405)
    expect((await list(gateway)).data).toEqual([])
    expect(gateway.provider.requests).toEqual([])
  })

  it('do not exist for other tenants, neither by path nor by hash', async () => {
    const gateway = await keyGateway()
    await put(gateway, report, 'a secret')
    const hash = `/v1/artifacts/sha256/${sha256('a secret')}`
    for (const path of [report, hash, `${report}?version=1`])
      for (const method of ['GET', 'HEAD'])
        expect((await sent(gateway, path, { method, token: rival })).status).toBe(404)
    expect((await sent(gateway, report, { method: 'DELETE', token: rival })).status).toBe(404)
    expect((await gateway.as(rival, 'POST', `${report}/hold`, { on: true })).status).toBe(404)
    expect((await list(gateway, '', rival)).data).toEqual([])
    await put(gateway, report, 'my own', { token: rival })
    expect(await (await sent(gateway, report)).text()).toBe('a secret')
    expect((await put(gateway, report, 'x', { token: ops })).status).toBe(403)
  })

  it('are stored once where the client asks for that', async () => {
    const gateway = await keyGateway()
    const once = { headers: { 'if-none-match': '*' } }
    const answers = await Promise.all([1, 2, 3].map((at) => put(gateway, report, `text ${at}`, once)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 412, 412])
    expect((await list(gateway, '?versions=true')).data).toHaveLength(1)
  })

  it('go to the blobs as they come, and are not gathered first', async () => {
    const kept = inFolder()
    const { promise: hasFirst, resolve: gotFirst } = Promise.withResolvers<void>()
    async function* noted(given: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const piece of given) {
        yield piece
        gotFirst()
      }
    }
    const gateway = await keyGateway({
      host: {
        blobs: {
          ...kept,
          put: (tenant, given, options) =>
            kept.put(tenant, given instanceof Uint8Array ? given : noted(given), options),
        },
      },
    })
    const [first, second] = [new Uint8Array(mebibyte).fill(1), new Uint8Array(mebibyte).fill(2)]
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(first)
        await hasFirst
        controller.enqueue(second)
        controller.close()
      },
    })
    const headers = { authorization: `Bearer ${boss}` }
    const stored = await fetch(gateway.url + report, { method: 'PUT', body, duplex: 'half', headers })
    expect(await stored.json()).toMatchObject({
      sizeBytes: 2 * mebibyte,
      sha256: sha256(Buffer.concat([first, second])),
    })
  })

  it('have no trace of a body that breaks off', async () => {
    const gateway = await keyGateway({ host: { blobs: inFolder() } })
    await new Promise<void>((done) => {
      const { host, port } = new URL(gateway.url)
      const headers = {
        'authorization': `Bearer ${boss}`,
        'content-length': '1000',
        'content-type': 'text/plain',
        host,
      }
      const request = httpRequest({ host: '127.0.0.1', port, path: report, method: 'PUT', headers })
      request.on('error', () => done())
      request.write('half', () => setTimeout(() => request.destroy(new Error('gone')), 50))
    })
    const stored = await put(gateway, report)
    expect(await stored.json()).toMatchObject({ version: 1, sizeBytes: 5 })
    expect((await list(gateway, '?versions=true')).data).toHaveLength(1)
    expect(await gateway.store.read('artifacts').unnamed(Number.MAX_SAFE_INTEGER, 9)).toEqual([])
  })

  it('have 64 MiB at most, whether the length was announced or not', { timeout: 60_000 }, async () => {
    const gateway = await keyGateway({ host: { blobs: inFolder() } })
    const most = new Uint8Array(64 * mebibyte)
    expect((await put(gateway, report, most)).status).toBe(201)
    const more = new Uint8Array(64 * mebibyte + 1)
    const refused = await put(gateway, report, more)
    expect(refused.status).toBe(413)
    expect(await refused.text()).toContain('67108864')
    const streamed = { method: 'PUT', headers: { authorization: `Bearer ${boss}` }, duplex: 'half' } as const
    expect((await fetch(gateway.url + report, { ...streamed, body: new Blob([more]).stream() })).status).toBe(413)
    expect((await list(gateway, '?versions=true')).data).toHaveLength(1)
  })

  it('come as attachments unless no browser runs them', async () => {
    const gateway = await keyGateway()
    const asked = async (mediaType: string) => {
      await put(gateway, report, '<script>alert(1)</script>', { headers: { 'content-type': mediaType } })
      const { headers } = await sent(gateway, report)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain('sandbox')
      return [headers.get('content-type'), headers.get('content-disposition')]
    }
    const attached = 'attachment; filename="report.md"'
    for (const type of [
      'text/html',
      'image/svg+xml',
      'application/xhtml+xml',
      'text/xml',
      'text/javascript',
      'application/pdf',
    ])
      expect(await asked(type)).toEqual([type, attached])
    for (const type of ['text/plain; charset=utf-8', 'application/json', 'image/png'])
      expect(await asked(type)).toEqual([type, null])
    const { status } = await put(gateway, report, 'x', { headers: { 'content-type': 'text/plain; a=<b>' } })
    expect(status).toBe(400)
  })

  it('A-068: go when their window is over, by a job of the gateway, and their bytes with them', async () => {
    const blobs = memoryBlobs()
    const config = { retention: { rawDays: 1 } }
    const gateway = await keyGateway({ host: { blobs }, config })
    await put(gateway, `${report}?class=raw`, 'raw')
    await put(gateway, '/v1/artifacts/tasks/42/step-1/kept', 'kept')
    const bytes = (text: string) => blobs.get({ tenant: 'artifacts\0acme', hash: sha256(text) })
    expect(await bytes('raw')).toBeDefined()
    await expect
      .poll(
        async () => {
          await gateway.clock.advance(3_600_000)
          return [(await list(gateway)).data.map(({ uri }) => uri.slice(-4)), await bytes('raw')]
        },
        { timeout: 10_000 },
      )
      .toEqual([['kept'], undefined])
    expect(await bytes('kept')).toBeDefined()
  })

  it('are listed page by page, held and removed', async () => {
    const gateway = await keyGateway()
    const names = ['a', 'b', 'c', 'd', 'e']
    for (const name of names) await put(gateway, `/v1/artifacts/tasks/42/step-1/${name}`, name)
    await put(gateway, '/v1/artifacts/tasks/43/step-1/a', 'other')
    const found: string[] = []
    let cursor = ''
    do {
      const { data, next } = await list(gateway, `?list=tasks/42/&limit=2${cursor}`)
      found.push(...data.map(({ uri }) => uri.slice(-1)))
      cursor = next === null ? '' : `&cursor=${next}`
    } while (cursor !== '')
    expect(found).toEqual(names)
    const one = '/v1/artifacts/tasks/42/step-1/a'
    expect((await gateway.as(keyTokens.agent, 'POST', `${one}/hold`, { on: true })).status).toBe(403)
    expect((await gateway.as(boss, 'POST', `${one}/hold`, { on: true })).body).toMatchObject({
      versions: 1,
      hold: true,
    })
    const refused = await gateway.as(boss, 'DELETE', one)
    expect([refused.status, refused.message]).toEqual([409, expect.stringContaining('on hold')])
    await gateway.as(boss, 'POST', `${one}/hold`, { on: false })
    expect((await gateway.as(boss, 'DELETE', one)).body).toMatchObject({ versions: 1 })
    expect((await gateway.as(boss, 'DELETE', one)).status).toBe(404)
    expect((await sent(gateway, one)).status).toBe(404)
    const { body } = await gateway.as(boss, 'GET', '/v1/audit')
    expect(body.data).toMatchObject(
      ['drop', 'release', 'hold'].map((action) => ({ action: `artifact.${action}`, actor: 'boss' })),
    )
  })
})
