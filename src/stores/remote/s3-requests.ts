import { setTimeout as delay } from 'node:timers/promises'
import type { AwsV4Signer } from 'aws4fetch'
import { sha256 } from '../../host/index.ts'
import { gatherBytes } from '../blobs/gather-bytes.ts'
import type { S3Address } from '../blobs/s3-address.ts'
import { codeOf, mayPass, networkReason, refusal, s3Error } from './s3-errors.ts'
import type { S3Answer, S3Doing } from './s3-errors.ts'

export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

/** What requests are made with. */
export interface S3Connection extends Pick<S3Address, 'origin' | 'bucket' | 'shown'> {
  readonly Signer: typeof AwsV4Signer
  readonly credentials: S3Credentials
  readonly region: string | undefined
  /** What signatures are made with, one for each day. */
  readonly signingKeys: Map<string, ArrayBuffer>
  readonly timeoutMs: number
  /** An answer may have so many bytes. */
  readonly mostBytes: number
  readonly fetch: typeof fetch
  readonly clock: () => number
}

export interface S3Request {
  readonly doing: S3Doing
  readonly method: 'GET' | 'PUT' | 'DELETE'
  /** Empty for the bucket itself. */
  readonly key: string
  /** Without its question mark. */
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  /** With its hash, by which the server checks what arrives. */
  readonly body?: { readonly bytes: Uint8Array; readonly hash: string }
  /** Whether an answer is one; all others are refusals. */
  readonly accepts: (answer: S3Answer) => boolean
}

interface Told {
  readonly reason: string
  readonly remedy?: string
  readonly cause?: unknown
}

/** How one try has ended. */
type Outcome =
  | { readonly kind: 'answer'; readonly answer: S3Answer }
  /** The server has said no for good. */
  | { readonly kind: 'refused'; readonly told: Told }
  /** Another try may succeed, not before so long. */
  | { readonly kind: 'passing'; readonly told: Told; readonly afterMs: number }

const mostTries = 5
const firstWaitMs = 100
const longestWaitMs = 2000
const errorBytes = 64 * 1024
const noBytes = sha256('')

/**
 * Sends a request until it is answered, at most five times and never for longer than its time. Rejects with `store-failed`, which names the
 * place without credentials.
 */
export async function askS3(connection: S3Connection, request: S3Request): Promise<S3Answer> {
  const { shown, timeoutMs } = connection
  const { doing } = request
  const abort = new AbortController()
  let last: Told | undefined
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const before = last === undefined ? '' : ` (the last try: ${last.reason})`
    reject(s3Error({ doing, shown, ...last, reason: `no answer within ${timeoutMs} ms${before}` }))
    abort.abort()
  }, timeoutMs)
  const tried = async (): Promise<S3Answer> => {
    for (let tries = 1; ; tries += 1) {
      const outcome = await attempt(connection, request, abort.signal)
      if (outcome.kind === 'answer') return outcome.answer
      if (outcome.kind === 'refused' || tries === mostTries) throw s3Error({ doing, shown, ...outcome.told })
      last = outcome.told
      await delay(Math.max(outcome.afterMs, waitMs(tries)), undefined, { signal: abort.signal })
    }
  }
  try {
    return await Promise.race([tried(), late])
  } finally {
    clearTimeout(timer)
  }
}

async function attempt(connection: S3Connection, request: S3Request, signal: AbortSignal): Promise<Outcome> {
  const { clock, mostBytes } = connection
  let answer: S3Answer
  try {
    answer = await sent(connection, request, signal)
  } catch (error) {
    return { kind: 'passing', told: { reason: networkReason(error), cause: error }, afterMs: 0 }
  }
  if (answer.bytes.length > mostBytes) return { kind: 'refused', told: tooLarge }
  if (request.accepts(answer)) return { kind: 'answer', answer }
  const told = refusal(answer, clock())
  if (!mayPass(answer)) return { kind: 'refused', told }
  return { kind: 'passing', told, afterMs: 1000 * (Number(answer.headers.get('retry-after')) || 0) }
}

const tooLarge: Told = {
  reason: 'the object is larger than any blob',
  remedy: 'Check what else writes below this prefix.',
}

async function sent(connection: S3Connection, request: S3Request, signal: AbortSignal): Promise<S3Answer> {
  const { method, body } = request
  const { fetch: send } = connection
  const response = await send(addressOf(connection, request), {
    method,
    headers: await signed(connection, request),
    ...(body && { body: body.bytes as Uint8Array<ArrayBuffer> }),
    redirect: 'manual',
    signal,
  })
  const { status, headers } = response
  const most = response.ok ? connection.mostBytes + 1 : errorBytes
  const bytes = response.body ? await gatherBytes(upTo(response.body, most)) : new Uint8Array(0)
  return { status, headers, bytes, code: response.ok ? undefined : codeOf(bytes) }
}

/** No more than so many bytes. */
async function* upTo(parts: AsyncIterable<Uint8Array>, mostBytes: number): AsyncGenerator<Uint8Array> {
  let left = mostBytes
  for await (const part of parts) {
    yield part.subarray(0, left)
    left -= part.length
    if (left <= 0) return
  }
}

function addressOf({ origin, bucket }: S3Connection, { key, query }: S3Request): string {
  return `${origin}/${bucket}${key && `/${key}`}${query === undefined ? '' : `?${query}`}`
}

function signed(connection: S3Connection, request: S3Request): Promise<Headers> {
  const { method, headers, body } = request
  const { Signer, credentials, region, clock, signingKeys } = connection
  const signer = new Signer({
    method,
    url: addressOf(connection, request),
    headers: { ...headers, 'x-amz-content-sha256': body?.hash ?? noBytes },
    accessKeyId: credentials.accessKeyId,
    secretAccessKey: credentials.secretAccessKey,
    ...(credentials.sessionToken !== undefined && { sessionToken: credentials.sessionToken }),
    ...(region !== undefined && { region }),
    service: 's3',
    cache: signingKeys,
    datetime: new Date(clock()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
  })
  return signer.sign().then(({ headers: all }) => all)
}

/** Twice as long each time, and never the same for all: those that failed together do not come back together. */
function waitMs(tries: number): number {
  return Math.min(longestWaitMs, firstWaitMs * 2 ** (tries - 1)) * (0.5 + Math.random() / 2)
}
