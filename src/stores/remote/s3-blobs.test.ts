import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../host/index.ts'
import { s3Blobs } from './s3-blobs.ts'
import type { S3BlobsOptions } from './s3-blobs.ts'

interface Sent {
  readonly url: string
  readonly method: string
  readonly headers: Headers
}

const bytes = new TextEncoder().encode('some bytes')
const ref = { tenant: 'acme', hash: sha256(bytes) }

type Answer = (sent: Sent, signal: AbortSignal) => Response | Promise<Response>

/** Answers in turn, the last one again and again; gives what was sent. */
function scripted(...answers: readonly Answer[]): { readonly fetch: typeof fetch; readonly sent: Sent[] } {
  const sent: Sent[] = []
  return {
    sent,
    fetch: async (url, init) => {
      const request = { url: String(url), method: init?.method ?? '', headers: new Headers(init?.headers) }
      const answer = answers[Math.min(sent.length, answers.length - 1)]
      sent.push(request)
      return answer!(request, init!.signal!)
    },
  }
}

const status =
  (code: number, name?: string, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response(code === 204 ? null : name && `<Error><Code>${name}</Code></Error>`, { status: code, headers })

const body =
  (content: Uint8Array<ArrayBuffer>, code = 200): Answer =>
  () =>
    new Response(content, { status: code })

/** So many bytes, then the connection is lost. */
const cut: Answer = () =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(bytes.slice(0, 3))
        controller.error(new TypeError('terminated', { cause: new Error('other side closed') }))
      },
    }),
  )

const lost: Answer = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('read ECONNRESET') }))

/** Nothing, for as long as it is waited for. */
const silent: Answer = (_, signal) =>
  new Promise((_done, fail) => signal.addEventListener('abort', () => fail(new Error('aborted'))))

const url = 's3://KEYID:top%2Fsecret@s3.example:9000/blobs/some/where'
const open = (sends: typeof fetch, more: Partial<S3BlobsOptions> = {}) => s3Blobs({ url, fetch: sends, ...more })

const listed = (...keys: readonly string[]): Answer =>
  body(
    new TextEncoder().encode(
      `<ListBucketResult>${keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')}</ListBucketResult>`,
    ),
  )

describe('blobs in S3: all of a tenant', () => {
  const own = `some/where/${sha256('acme').slice(0, 32)}/`

  it('lists what is below its prefix and drops each, until a list is not full', async () => {
    const full = Array.from({ length: 100 }, (_, at) => `${own}a${at}`)
    const gone = full.map(() => status(204))
    const { fetch, sent } = scripted(listed(...full), ...gone, listed(`${own}last`), status(204))
    await (await open(fetch)).dropTenant('acme')
    expect(sent[0]?.url).toBe(
      `https://s3.example:9000/blobs?list-type=2&max-keys=100&prefix=${encodeURIComponent(own)}`,
    )
    const dropped = sent.filter(({ method }) => method === 'DELETE').map(({ url: to }) => to.split('/blobs/')[1])
    expect(new Set(dropped)).toEqual(new Set([...full, `${own}last`]))
  })

  it.each([
    ['a list of other keys', listed('elsewhere/key')],
    ['something else', body(new TextEncoder().encode('<html>'))],
    ['a refusal', status(403, 'AccessDenied')],
  ])('fails on %s and drops nothing', async (_, answer) => {
    const { fetch, sent } = scripted(answer)
    await expect((await open(fetch)).dropTenant('acme')).rejects.toMatchObject({ code: 'store-failed' })
    expect(sent.map(({ method }) => method)).not.toContain('DELETE')
  })
})

describe('blobs in S3: what is sent', () => {
  it('a put is signed with the hash of its bytes, and written only where nothing is', async () => {
    const { fetch, sent } = scripted(status(200))
    const nowMs = Date.parse('2026-11-27T10:20:30.456Z')
    const blobs = await open(fetch, { clock: () => nowMs, region: 'eu-west-3' })
    expect(await blobs.put('acme', bytes)).toEqual({ ...ref, sizeBytes: 10 })
    const [{ url: to, method, headers } = expect.fail()] = sent
    expect([to, method]).toEqual([
      `https://s3.example:9000/blobs/some/where/${sha256('acme').slice(0, 32)}/${ref.hash}`,
      'PUT',
    ])
    expect(headers.get('if-none-match')).toBe('*')
    expect(headers.get('x-amz-content-sha256')).toBe(ref.hash)
    expect(headers.get('authorization')).toContain('Credential=KEYID/20261127/eu-west-3/s3/aws4_request')
    expect(headers.get('authorization')).toMatch(/SignedHeaders=[\w;-]*if-none-match/)
    expect(headers.get('x-amz-date')).toBe('20261127T102030Z')
    expect(headers.has('x-amz-security-token')).toBe(false)
  })

  it.each([
    ['s3://KEY:SECRET@bucket/a?endpoint=http://10.0.0.1:9000', 'http://10.0.0.1:9000/bucket/a/', 'us-east-1'],
    ['s3://KEY:SECRET@[::1]:80/bucket?tls=false&region=here', 'http://[::1]/bucket/', 'here'],
    [
      's3://KEY:SECRET@s3.eu-central-1.amazonaws.com/bucket/',
      'https://s3.eu-central-1.amazonaws.com/bucket/',
      'eu-central-1',
    ],
  ])('%s', async (address, begin, region) => {
    const { fetch, sent } = scripted(status(204))
    await (await open(fetch, { url: address })).drop(ref)
    expect(sent[0]?.url.startsWith(begin)).toBe(true)
    expect(sent[0]?.headers.get('authorization')).toContain(`/${region}/s3/`)
  })

  it('credentials of the options, with their token, where the address has none', async () => {
    const { fetch, sent } = scripted(status(204))
    const own = { accessKeyId: 'OTHER', secretAccessKey: 'x', sessionToken: 'token' }
    await (await open(fetch, { url: 's3://s3.example/blobs', ...own })).drop(ref)
    await (await open(fetch, own)).drop(ref)
    expect(sent[0]?.headers.get('authorization')).toContain('Credential=OTHER/')
    expect(sent[0]?.headers.get('x-amz-security-token')).toBe('token')
    // Those of the address go before them, and the token belongs to the others.
    expect(sent[1]?.headers.get('authorization')).toContain('Credential=KEYID/')
    expect(sent[1]?.headers.has('x-amz-security-token')).toBe(false)
  })

  it.each([
    ['http://s3.example/blobs', 'is no address of an S3 bucket'],
    ['s3:///blobs', 'names no host'],
    ['s3://s3.example', 'names no valid bucket'],
    ['s3://s3.example/Blobs', 'names no valid bucket'],
    ['s3://s3.example/blobs/a%20b', 'has a prefix that is none'],
    ['s3://s3.example/blobs//b', 'has a prefix that is none'],
    ['s3://s3.example/blobs?zone=1', 'has an unknown query parameter'],
    ['s3://s3.example/blobs?tls=no', 'has a tls that is none'],
    ['s3://blobs?endpoint=s3.example', 'has an endpoint that is none'],
    ['s3://blobs?endpoint=https://s3.example/path', 'has an endpoint that is none'],
    ['s3://KEY@s3.example/blobs', 'has credentials that are none'],
    ['s3://KEY:100%@s3.example/blobs', 'has credentials that are none'],
  ])('refuses %s', async (address, problem) => {
    await expect(open(fetch, { url: address })).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining(`options.url: ${problem}`),
    })
  })

  it('names the credential that is missing', async () => {
    const without = { url: 's3://s3.example/blobs' }
    await expect(open(fetch, without)).rejects.toThrow('options.accessKeyId: is missing')
    await expect(open(fetch, { ...without, accessKeyId: 'A' })).rejects.toThrow('options.secretAccessKey: is missing')
  })
})

describe('blobs in S3: what passes is tried again', () => {
  it.each<readonly [string, Answer]>([
    ['503', status(503, 'SlowDown')],
    ['429', status(429)],
    ['500', status(500, 'InternalError')],
    ['others who write the same key', status(409, 'ConditionalRequestConflict')],
    ['bytes that were damaged on their way', status(400, 'XAmzContentSHA256Mismatch')],
    ['a connection that is lost', lost],
  ])('%s', async (_, first) => {
    const { fetch, sent } = scripted(first, first, status(412))
    await (await open(fetch)).put('acme', bytes)
    expect(sent).toHaveLength(3)
  })

  it('an answer that is cut', async () => {
    const { fetch, sent } = scripted(cut, body(bytes))
    expect(await (await open(fetch)).get(ref)).toEqual(bytes)
    expect(sent).toHaveLength(2)
  })

  it('at most five times, and says what the last try said', async () => {
    const { fetch, sent } = scripted(status(503, 'SlowDown'))
    const failing = (await open(fetch)).put('acme', bytes)
    await expect(failing).rejects.toMatchObject({
      code: 'store-failed',
      message:
        'S3 at s3://s3.example:9000/blobs/some/where could not write: it answered 503 SlowDown. Try again later; the server is overloaded or not well.',
    })
    expect(sent).toHaveLength(5)
  })

  it('not before the server wants it, and never for longer than the whole time', async () => {
    const { fetch, sent } = scripted(status(503, 'SlowDown', { 'retry-after': '60' }))
    const blobs = await open(fetch, { timeoutMs: 150 })
    await expect(blobs.get(ref)).rejects.toThrow('no answer within 150 ms (the last try: it answered 503 SlowDown)')
    expect(sent).toHaveLength(1)
  })

  it.each<readonly [string, Answer]>([
    ['that says nothing', silent],
    ['that says nothing and does not hear either', () => new Promise(() => undefined)],
    ['that goes on and on', () => new Response(slowly())],
  ])('a server %s is left after the whole time', async (_, answer) => {
    const blobs = await open(scripted(answer).fetch, { timeoutMs: 120 })
    const began = performance.now()
    await expect(blobs.get(ref)).rejects.toThrow('could not read: no answer within 120 ms')
    expect(performance.now() - began).toBeLessThan(1500)
  })
})

/** A byte now and then, for ever. */
function slowly(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      await delay(20)
      controller.enqueue(bytes.slice(0, 1))
    },
  })
}

describe('blobs in S3: what does not pass is said at once, with the remedy and without credentials', () => {
  it.each<readonly [string, Answer, RegExp]>([
    ['a wrong secret', status(403, 'SignatureDoesNotMatch'), /403 SignatureDoesNotMatch\. Check the secret key/],
    ['an unknown key', status(403, 'InvalidAccessKeyId'), /Check the access key/],
    ['a token that has expired', status(400, 'ExpiredToken'), /The session token has expired/],
    ['no bucket', status(404, 'NoSuchBucket'), /Create the bucket/],
    ['no right', status(403, 'AccessDenied'), /Let this key use GetObject, PutObject and DeleteObject/],
    ['a clock', status(403, 'RequestTimeTooSkewed', { date: 'Fri, 27 Nov 2026 10:00:00 GMT' }), /it is 3600 s ahead/],
    ['another region', status(301, 'PermanentRedirect', { 'x-amz-bucket-region': 'eu-west-1' }), /\?region=eu-west-1/],
    ['no conditional puts', status(501, 'NotImplemented'), /501 NotImplemented\. Use a server that knows/],
    ['a web server', () => new Response('<h1>Not here</h1>', { status: 404 }), /it answered 404\. Check that an S3/],
  ])('%s', async (_, answer, said) => {
    const { fetch, sent } = scripted(answer)
    const blobs = await open(fetch, { clock: () => Date.parse('2026-11-27T11:00:00Z') })
    for (const work of [() => blobs.put('acme', bytes), () => blobs.get(ref), () => blobs.drop(ref)]) {
      const error: unknown = await work().catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'store-failed', message: expect.stringMatching(said) })
      expect(String(error)).not.toMatch(/KEYID|secret%|top/)
    }
    expect(sent).toHaveLength(3)
  })

  it('bytes that are not those of the hash', async () => {
    const blobs = await open(scripted(body(new TextEncoder().encode('somE bytes'))).fetch)
    await expect(blobs.get(ref)).rejects.toMatchObject({
      code: 'store-failed',
      message: expect.stringContaining(`blob ${ref.hash} is damaged. Drop it`),
    })
  })

  it('a stream that fails, or is too large: nothing is sent', async () => {
    const { fetch, sent } = scripted(status(200))
    const blobs = await open(fetch)
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield bytes
      throw new Error('gone')
    }
    async function* large(): AsyncGenerator<Uint8Array> {
      for (;;) yield new Uint8Array(8 * 1024 * 1024)
    }
    await expect(blobs.put('acme', failing())).rejects.toMatchObject({ code: 'store-failed' })
    await expect(blobs.put('acme', large())).rejects.toThrow('a blob may have 67108864 bytes at most')
    expect(sent).toEqual([])
  })

  it('an object that is larger than any blob is not read to its end', async () => {
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(8 * 1024 * 1024)),
    })
    const blobs = await open(scripted(() => new Response(endless)).fetch)
    await expect(blobs.get(ref)).rejects.toThrow('the object is larger than any blob')
  })
})

describe('blobs in S3: parts', () => {
  it('asks for the bytes of the range, and takes them out of a whole answer, too', async () => {
    const { fetch, sent } = scripted(body(bytes.slice(2, 5), 206), body(bytes), status(416, 'InvalidRange'))
    const blobs = await open(fetch)
    const range = { start: 2, end: 5 }
    expect(await blobs.get(ref, range)).toEqual(bytes.slice(2, 5))
    expect(await blobs.get(ref, range)).toEqual(bytes.slice(2, 5))
    expect(await blobs.get(ref, range)).toEqual(new Uint8Array(0))
    expect(sent.map(({ headers }) => headers.get('range'))).toEqual(Array.from({ length: 3 }, () => 'bytes=2-4'))
  })

  it.each(['bytes 1-3/10', 'bytes 2-5/10'])(
    'refuses bytes of another place or number than the answer says: %s',
    async (told) => {
      const answer = () => new Response(bytes.slice(2, 5), { status: 206, headers: { 'content-range': told } })
      const blobs = await open(scripted(answer).fetch)
      await expect(blobs.get(ref, { start: 2, end: 5 })).rejects.toThrow('the answer has other bytes than it says')
    },
  )

  it('a range without an end asks for the rest', async () => {
    const { fetch, sent } = scripted(body(bytes.slice(4), 206))
    expect(await (await open(fetch)).get(ref, { start: 4, end: Infinity })).toEqual(bytes.slice(4))
    expect(sent[0]?.headers.get('range')).toBe('bytes=4-')
  })

  it('an empty range says whether the blob is there', async () => {
    const blobs = await open(scripted(body(bytes.slice(2, 3), 206), status(404, 'NoSuchKey')).fetch)
    expect(await blobs.get(ref, { start: 2, end: 2 })).toEqual(new Uint8Array(0))
    expect(await blobs.get(ref, { start: 2, end: 2 })).toBeUndefined()
  })
})
