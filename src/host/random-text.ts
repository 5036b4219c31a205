import { base64url } from './byte-texts.ts'

/** So many random bytes, as base64url. */
export function randomText(bytes: number): string {
  return base64url(crypto.getRandomValues(new Uint8Array(bytes)))
}
