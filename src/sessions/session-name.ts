import { sha256 } from '../host/index.ts'

const mostChars = 256

/** The name under which a session is stored: a name above 256 characters ends in its hash there, so that no two long names are one session. */
export function storedSessionName(name: string): string {
  if (name.length <= mostChars) return name
  const hash = sha256(name)
  return `${name.slice(0, mostChars - hash.length - 1)}~${hash}`
}
