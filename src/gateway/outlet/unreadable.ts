import { PrehendError } from '../../core/index.ts'

/** A reply that would have to be held whole to be read, and is longer than what may be held. */
export function replyTooLong(replyBytes: number): PrehendError {
  const remedy = 'Ask for a shorter reply, or raise limits.replyBytes.'
  const said = `The provider's reply is longer than ${replyBytes} bytes, and has to be read. ${remedy}`
  return new PrehendError('upstream-broken', said, { remedy })
}

/** A reply in an encoding that nobody has asked for and nobody here knows. */
export function unknownEncoding(encoding: string | readonly string[]): PrehendError {
  const remedy = 'Have the provider send it uncompressed, or with gzip, deflate, br or zstd.'
  const said = `The provider's reply is encoded as ${JSON.stringify(String(encoding))}, and has to be read. ${remedy}`
  return new PrehendError('upstream-broken', said, { remedy })
}
