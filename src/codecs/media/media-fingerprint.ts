/**
 * Tells the bytes of media from others', by all of their base64 text: two screenshots differ in a few places only. Four words that are
 * mixed each in its own way, 128 bits; not a digest: who has made the bytes can make others that collide, within his own session.
 */
export function mediaFingerprint(data: string): string {
  const words = [0x811c9dc5, 0x9e3779b9 ^ data.length, 0x85ebca6b, 0xc2b2ae35]
  let [a = 0, b = 0, c = 0, d = 0] = words
  const whole = data.length - (data.length % 4)
  for (let at = 0; at < whole; at += 4) {
    const block =
      data.charCodeAt(at) |
      (data.charCodeAt(at + 1) << 8) |
      (data.charCodeAt(at + 2) << 16) |
      (data.charCodeAt(at + 3) << 24)
    a = Math.imul(a ^ block, 0x01000193)
    b = Math.imul(b ^ block ^ (a >>> 15), 0x5bd1e995)
    c = Math.imul(c ^ block, 0x27d4eb2f) ^ (c >>> 13)
    d = Math.imul((d << 5) ^ (d >>> 27) ^ block, 0x165667b1)
  }
  for (let at = whole; at < data.length; at += 1) {
    a = Math.imul(a ^ data.charCodeAt(at), 0x01000193)
    d = Math.imul(d ^ data.charCodeAt(at), 0x165667b1)
  }
  return [a, b, c, d].map((word) => (mixed(word) >>> 0).toString(36).padStart(7, '0')).join('')
}

/** Spreads what the last characters have said over all bits. */
function mixed(word: number): number {
  const once = Math.imul(word ^ (word >>> 16), 0x7feb352d)
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b)
  return twice ^ (twice >>> 16)
}
