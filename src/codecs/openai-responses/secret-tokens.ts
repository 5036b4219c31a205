/** What encryption and its frame add to what is encrypted, in bytes; as Codex estimates it. */
const frameBytes = 650
const bytesPerToken = 4

/**
 * About what encrypted reasoning, or an encrypted summary, takes of a context: its words are in it, and nobody but the provider
 * can count them. Base64 writes three bytes in four characters.
 */
export function secretTokens(chars: number): number {
  return Math.ceil(Math.max(0, Math.floor((chars * 3) / 4) - frameBytes) / bytesPerToken)
}
