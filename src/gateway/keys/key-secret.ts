import { randomText, sha256 } from '../../host/index.ts'

/** What secrets of virtual keys begin with. */
const mark = 'phd_'
const secretBytes = 32
const form = /^phd_[\w-]{43}$/
const anywhere = /phd_[\w-]{43}/

/** What of a secret is stored, and shown to find it again. */
const shownChars = mark.length + 6

export interface KeySecret {
  readonly secret: string
  readonly hash: string
  readonly prefix: string
}

/** A new secret: 32 random bytes. */
export function newSecret(): KeySecret {
  const secret = mark + randomText(secretBytes)
  return { secret, hash: sha256(secret), prefix: secret.slice(0, shownChars) }
}

export function isSecret(text: string): boolean {
  return form.test(text)
}

/** Whether a text holds the secret of a key, of this gateway or another one. */
export function holdsSecret(text: string): boolean {
  return anywhere.test(text)
}
