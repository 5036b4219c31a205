import type * as aws4fetch from 'aws4fetch'
import { callable, invalidInput, isPrehendError, shape } from '../../core/index.ts'
import { sha256 } from '../../host/index.ts'
import { requireHash, tenantName } from '../blobs/blob-names.ts'
import type { Blobs, ByteRange } from '../blobs/blobs.ts'
import { gatherBytes, tooLarge } from '../blobs/gather-bytes.ts'
import { readS3Address } from '../blobs/s3-address.ts'
import type { S3Address } from '../blobs/s3-address.ts'
import { missingPackage } from '../kernel/missing-package.ts'
import { storeError } from '../kernel/store.ts'
import { s3Error } from './s3-errors.ts'
import type { S3Answer } from './s3-errors.ts'
import { dropBelow } from './s3-drop-below.ts'
import { askS3 } from './s3-requests.ts'
import type { S3Connection, S3Credentials } from './s3-requests.ts'

/** Options of `s3Blobs`. */
export interface S3BlobsOptions {
  /**
   * `s3://[KEY:SECRET@]HOST[:PORT]/BUCKET[/PREFIX]`, with `?region=REGION` and, for plain HTTP, `?tls=false`; or
   * `s3://BUCKET[/PREFIX]?endpoint=https://HOST`. What it says goes before the options.
   */
  readonly url: string
  readonly accessKeyId?: string
  readonly secretAccessKey?: string
  /** Of temporary credentials. */
  readonly sessionToken?: string
  /** That of an AWS host, else `us-east-1`, by default. */
  readonly region?: string
  /** How long a call may take, all tries together, in milliseconds, before it fails; 30,000 by default. */
  readonly timeoutMs?: number
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: typeof fetch
  /** Milliseconds since the epoch, for signatures. */
  readonly clock?: () => number
}

const optionsShape = shape.object<S3BlobsOptions>({
  url: shape.name,
  accessKeyId: shape.optional(shape.name),
  secretAccessKey: shape.optional(shape.name),
  sessionToken: shape.optional(shape.name),
  region: shape.optional(shape.name),
  timeoutMs: shape.optional(shape.positive),
  fetch: shape.optional(callable()),
  clock: shape.optional(callable()),
})

/** A blob is held in memory while it is sent, since it may have to be sent again; one of an artifact is no larger. */
const mostBytes = 64 * 1024 * 1024

/**
 * Blobs in a bucket of an S3-compatible store (AWS S3, Ceph, MinIO, R2, …), which any number of processes may share. The package `aws4fetch`
 * must be installed. Rejects with `invalid-input` where the address or the credentials cannot be; whether the bucket answers is seen with
 * the first call. A blob has 64 MiB at most. The server checks the hash of what it is sent, and whole blobs are checked when they are read;
 * parts of one are not.
 *
 * ```ts
 * const blobs = await s3Blobs({ url: 's3://s3.eu-central-1.amazonaws.com/acme-blobs/prehend', accessKeyId, secretAccessKey })
 * const ref = await blobs.put('acme', bytes)
 * ```
 */
export async function s3Blobs(options: S3BlobsOptions): Promise<Blobs> {
  shape.check(optionsShape, options, 'options')
  const address = readS3Address(options.url)
  if ('problem' in address) throw invalidInput('options.url', address.problem, address.remedy)
  const { AwsV4Signer: Signer } = await signingPackage()
  const { timeoutMs = 30_000, fetch: send = fetch, clock = Date.now } = options
  const region = address.region ?? options.region
  const credentials = credentialsOf(address, options)
  const signing = { Signer, credentials, region, signingKeys: new Map<string, ArrayBuffer>() }
  return blobsOn({ ...address, ...signing, timeoutMs, mostBytes, fetch: send, clock }, address.prefix)
}

function credentialsOf(address: S3Address, options: S3BlobsOptions): S3Credentials {
  const { accessKeyId, secretAccessKey } = address
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey }
  const { accessKeyId: ownId, secretAccessKey: ownSecret, sessionToken } = options
  const missing = ownId === undefined ? 'accessKeyId' : 'secretAccessKey'
  if (ownId !== undefined && ownSecret !== undefined)
    return { accessKeyId: ownId, secretAccessKey: ownSecret, sessionToken }
  const remedy = 'Give accessKeyId and secretAccessKey (a gateway reads AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY).'
  throw invalidInput(`options.${missing}`, 'is missing', remedy)
}

function blobsOn(connection: S3Connection, prefix: string): Blobs {
  const keyOf = (tenant: string, hash: string): string => {
    requireHash(hash)
    return `${prefix}${tenantName(tenant)}/${hash}`
  }
  return {
    async put(tenant, given, { beforeStored } = {}) {
      const bytes = given instanceof Uint8Array ? given : await gathered(given)
      if (bytes.length > mostBytes) throw tooLarge(mostBytes)
      const hash = sha256(bytes)
      const ref = { tenant, hash, sizeBytes: bytes.length }
      await beforeStored?.(ref)
      await askS3(connection, {
        doing: 'write',
        method: 'PUT',
        key: keyOf(tenant, hash),
        // Whoever finds that the key is there knows that the bytes are.
        headers: { 'if-none-match': '*', 'content-type': 'application/octet-stream' },
        body: { bytes, hash },
        accepts: ({ status }) => isOk(status) || status === 412,
      })
      return ref
    },
    async get({ tenant, hash }, range) {
      const key = keyOf(tenant, hash)
      if (range) return partOf(connection, key, range)
      const answer = await askS3(connection, {
        doing: 'read',
        method: 'GET',
        key,
        accepts: (told) => isOk(told.status) || isNoKey(told),
      })
      if (isNoKey(answer)) return undefined
      if (sha256(answer.bytes) === hash) return answer.bytes
      throw s3Error({
        doing: 'read',
        shown: connection.shown,
        reason: `blob ${hash} is damaged`,
        remedy: 'Drop it, and put its bytes again.',
      })
    },
    dropTenant: (tenant) => dropBelow(connection, `${prefix}${tenantName(tenant)}/`),
    async drop({ tenant, hash }) {
      await askS3(connection, {
        doing: 'drop',
        method: 'DELETE',
        key: keyOf(tenant, hash),
        accepts: (told) => isOk(told.status) || isNoKey(told),
      })
    },
  }
}

async function gathered(given: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  try {
    return await gatherBytes(given, mostBytes)
  } catch (error) {
    if (isPrehendError(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw storeError('write', reason, 'The stream of bytes has failed: give it again.', error)
  }
}

/** A range that is empty is asked for as one byte, for whether the blob is there. */
async function partOf(
  connection: S3Connection,
  key: string,
  { start, end }: ByteRange,
): Promise<Uint8Array | undefined> {
  const from = Math.max(0, start)
  const to = Math.max(from, end)
  const last = Number.isFinite(to) ? Math.max(from, to - 1) : ''
  const answer = await askS3(connection, {
    doing: 'read',
    method: 'GET',
    key,
    headers: { range: `bytes=${from}-${last}` },
    accepts: (told) => isOk(told.status) || told.status === 416 || isNoKey(told),
  })
  if (isNoKey(answer)) return undefined
  // It has no byte that far behind.
  if (answer.status === 416) return new Uint8Array(0)
  if (!isAsTold(answer, from))
    throw s3Error({ doing: 'read', shown: connection.shown, reason: 'the answer has other bytes than it says' })
  return answer.status === 206 ? answer.bytes.subarray(0, to - from) : answer.bytes.slice(from, to)
}

/** Parts have no hash; at least their place and length can be looked at. */
function isAsTold({ status, headers, bytes }: S3Answer, from: number): boolean {
  const told = /^bytes (?<first>\d+)-(?<last>\d+)\//.exec(headers.get('content-range') ?? '')?.groups
  if (status !== 206 || told === undefined) return true
  const first = Number(told['first'])
  return first === from && bytes.length === Number(told['last']) - first + 1
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300
}

/** A 404 without this code comes from something else than a bucket. */
function isNoKey({ status, code }: S3Answer): boolean {
  return status === 404 && code === 'NoSuchKey'
}

async function signingPackage(): Promise<typeof aws4fetch> {
  try {
    return await import('aws4fetch')
  } catch (error) {
    throw missingPackage('aws4fetch', 's3://', error)
  }
}
