import { codecFor } from '../../codecs/index.ts'
import type { Dialect } from '../../core/index.ts'

/** The headers that carry a key, as the SDKs of the dialect send it. */
export function keyHeaders(dialect: Dialect, apiKey: string): Readonly<Record<string, string>> {
  const { credential } = codecFor(dialect).signs
  return credential === undefined ? { authorization: `Bearer ${apiKey}` } : { [credential]: apiKey }
}
