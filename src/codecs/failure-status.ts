/** What names of errors mean, in every dialect; the first that fits. What is not known is the server's own trouble. */
const meanings: readonly (readonly [name: RegExp, status: number])[] = [
  [/overloaded/, 529],
  [/unavailable/, 503],
  [/rate_limit|too_many|exhausted|quota|^requests$|^tokens$/, 429],
  [/timeout|deadline/, 504],
  [/authentication|unauthenticated|api_key/, 401],
  [/billing/, 402],
  [/permission/, 403],
  [/not_found/, 404],
  [/too_large/, 413],
  [/invalid|precondition|context_length|content_policy/, 400],
]

const usualStatus = 502

/** The HTTP status that says what a failed reply says by its type: clients decide by it whether to try again. */
export function failureStatus({ type }: { readonly type: string }): number {
  const told = Number(type)
  if (Number.isInteger(told) && told >= 400 && told < 600) return told
  const name = type.toLowerCase()
  return meanings.find(([known]) => known.test(name))?.[1] ?? usualStatus
}
