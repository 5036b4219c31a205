/** Longer texts are told by their length and this many of their characters. */
const mostRead = 4096

/** Tells texts apart, quickly; nothing hangs on it but the stability of a name. Not a digest: texts can be made to collide. */
export function fingerprint(text: string): string {
  const step = text.length > mostRead ? text.length / mostRead : 1
  let a = 0x811c9dc5
  let b = 0x9e3779b9 ^ text.length
  for (let at = 0; at < text.length; at += step) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x5bd1e995)
    b ^= b >>> 15
  }
  return (a >>> 0).toString(36).padStart(7, '0') + (b >>> 0).toString(36).padStart(7, '0')
}
