import type { Codec } from '../../codecs/index.ts'

/**
 * The headers that carry a key, as the SDKs of the dialect send it. Others than the provider whose dialect it is are told the
 * key in both ways, for some of them look for it in the one and some in the other.
 */
export function keyHeaders(
  { signs: { credential, provider } }: Pick<Codec, 'signs'>,
  apiKey: string,
  name?: string,
): Readonly<Record<string, string>> {
  const bearer = { authorization: `Bearer ${apiKey}` }
  if (credential === undefined) return bearer
  return { [credential]: apiKey, ...(name !== undefined && name !== provider && bearer) }
}
