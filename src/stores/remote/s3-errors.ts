import { PrehendError } from '../../core/index.ts'

/** What an S3-compatible server has answered. */
export interface S3Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  /** The code of an error, such as `NoSuchKey`; undefined where the answer has none. */
  readonly code: string | undefined
}

/** What a request was to do, for messages. */
export type S3Doing = 'write' | 'read' | 'drop'

const remedies: Readonly<Record<string, string>> = {
  SignatureDoesNotMatch: 'Check the secret key; in a URL it is percent-encoded.',
  InvalidAccessKeyId: 'Check the access key: the server does not know it.',
  ExpiredToken: 'The session token has expired: get new credentials, and start again.',
  InvalidToken: 'Check the session token.',
  NoSuchBucket: 'Create the bucket, or correct its name.',
  AccessDenied: 'Let this key use GetObject, PutObject and DeleteObject on the bucket, and ListBucket of it.',
  NotImplemented: 'Use a server that knows conditional puts (`If-None-Match: *`), as S3 and Ceph do.',
  QuotaExceeded: 'Raise the quota of the bucket or the user, or remove objects.',
}

const unreachable = 'Check that the server runs, and that host, port and TLS (`?tls=false` for plain HTTP) are right.'
const busy = 'Try again later; the server is overloaded or not well.'

/** Answers after which the same request may succeed. */
const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])
/** Codes of 400 and 409 after which it may, too: the upload was too slow or damaged on its way, or others write the same key just now. */
const passingCodes: ReadonlySet<string> = new Set([
  'RequestTimeout',
  'XAmzContentSHA256Mismatch',
  'BadDigest',
  'IncompleteBody',
  'ConditionalRequestConflict',
  'OperationAborted',
])

export function mayPass({ status, code }: S3Answer): boolean {
  return passing.has(status) || passingCodes.has(code ?? '')
}

/** The code of the XML that tells of an error. */
export function codeOf(bytes: Uint8Array): string | undefined {
  return /<Code>(?<code>\w{1,100})<\/Code>/.exec(new TextDecoder().decode(bytes))?.groups?.['code']
}

/** How a refusal reads, and what to do about it. */
export function refusal(answer: S3Answer, nowMs: number): { readonly reason: string; readonly remedy: string } {
  const { status, code } = answer
  const reason = `it answered ${status}${code === undefined ? '' : ` ${code}`}`
  if (code === 'RequestTimeTooSkewed') return { reason, remedy: clockRemedy(answer, nowMs) }
  const known = remedies[code ?? '']
  if (known !== undefined) return { reason, remedy: known }
  if (isElsewhere(answer)) return { reason, remedy: regionRemedy(answer) }
  if (mayPass(answer)) return { reason, remedy: busy }
  if (status === 403) return { reason, remedy: remedies['AccessDenied'] ?? '' }
  return { reason, remedy: 'Check that an S3-compatible server answers at this address.' }
}

/** The bucket is in another region than the request was signed for or sent to. */
function isElsewhere({ status, code }: S3Answer): boolean {
  return status === 301 || status === 307 || code === 'AuthorizationHeaderMalformed'
}

function regionRemedy({ headers, bytes }: S3Answer): string {
  const named = headers.get('x-amz-bucket-region') ?? /<Region>([\w-]{1,50})<\/Region>/.exec(decoded(bytes))?.[1]
  return named === undefined
    ? "Name the bucket's region with `?region=`, and the host of that region."
    : `The bucket is in ${named}: add \`?region=${named}\`, and name the host of that region.`
}

function clockRemedy({ headers }: S3Answer, nowMs: number): string {
  const serverMs = Date.parse(headers.get('date') ?? '')
  const seconds = Math.round((nowMs - serverMs) / 1000)
  if (Number.isNaN(seconds)) return "Set this machine's clock: it differs from the server's by too much."
  return `Set this machine's clock: it is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the server's.`
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

/** Why a request got no answer, such as `connect ECONNREFUSED 127.0.0.1:7480`. */
export function networkReason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  const code = 'code' in cause ? String(cause.code) : cause.name
  // What OpenSSL says is for those who debug it, and has several lines.
  return cause.message === '' || code.startsWith('ERR_SSL_') ? code : cause.message
}

interface S3Failure {
  readonly doing: S3Doing
  readonly shown: string
  readonly reason: string
  readonly remedy?: string
  readonly cause?: unknown
}

/** The one error that blobs in S3 fail with. */
export function s3Error({
  doing,
  shown,
  reason,
  remedy = unreachable,
  cause,
}: S3Failure): PrehendError<'store-failed'> {
  return new PrehendError('store-failed', `S3 at ${shown} could not ${doing}: ${reason}. ${remedy}`, { remedy }, cause)
}
