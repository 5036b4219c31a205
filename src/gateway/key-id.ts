import { createHash } from 'node:crypto'

/** Of a token's digest; too few to find out the token by. */
const keyIdBytes = 6

/** What a token is called where it must not be shown: its name, or the beginning of its SHA-256. */
export function keyIdOf({ token, name }: { readonly token: string; readonly name?: string }): string {
  return name ?? createHash('sha256').update(token).digest().toString('hex', 0, keyIdBytes)
}
