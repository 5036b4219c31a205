/** SHA-256 (FIPS 180-4) in plain JavaScript, for hosts that have none which answers at once. */
export function sha256Bytes(message: Uint8Array): Uint8Array {
  const state = wordsOf(INITIAL_STATE)
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength)
  const whole = message.length - (message.length % BLOCK_BYTES)
  for (let at = 0; at < whole; at += BLOCK_BYTES) mix(state, view, at)
  const tail = lastBlocks(message.subarray(whole), message.length)
  for (let at = 0; at < tail.byteLength; at += BLOCK_BYTES) mix(state, tail, at)
  const digest = new DataView(new ArrayBuffer(32))
  for (const [index, word] of state.entries()) digest.setUint32(4 * index, word)
  return new Uint8Array(digest.buffer)
}

export const BLOCK_BYTES = 64

/** What does not fill a block, a one bit, zeros, and the length of the message in bits. */
function lastBlocks(rest: Uint8Array, messageBytes: number): DataView {
  const padded = new Uint8Array(rest.length + 9 > BLOCK_BYTES ? 2 * BLOCK_BYTES : BLOCK_BYTES)
  padded.set(rest)
  padded[rest.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(messageBytes / 2 ** 29))
  view.setUint32(padded.length - 4, messageBytes << 3)
  return view
}

function mix(state: Uint32Array, blocks: DataView, at: number): void {
  const words = schedule(blocks, at)
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let round = 0; round < 64; round += 1) {
    const ones = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
    const choice = (e & f) ^ (~e & g)
    const zeros = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const change = (h + ones + choice + roundConstants[round]! + words[round]!) | 0
    h = g
    g = f
    f = e
    e = (d + change) | 0
    d = c
    c = b
    b = a
    a = (change + zeros + majority) | 0
  }
  state[0]! += a
  state[1]! += b
  state[2]! += c
  state[3]! += d
  state[4]! += e
  state[5]! += f
  state[6]! += g
  state[7]! += h
}

const scheduled = new Uint32Array(64)

/** One block as 64 words; the array is the same for every block. */
function schedule(blocks: DataView, at: number): Uint32Array {
  for (let index = 0; index < 16; index += 1) scheduled[index] = blocks.getUint32(at + 4 * index)
  for (let index = 16; index < 64; index += 1) {
    const early = scheduled[index - 15]!
    const late = scheduled[index - 2]!
    const first = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3)
    const second = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10)
    scheduled[index] = scheduled[index - 16]! + first + scheduled[index - 7]! + second
  }
  return scheduled
}

function rotated(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

function wordsOf(digits: string): Uint32Array {
  return Uint32Array.from({ length: digits.length / 8 }, (_, index) =>
    Number.parseInt(digits.slice(8 * index, 8 * index + 8), 16),
  )
}

const INITIAL_STATE = '6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19'

const roundConstants = wordsOf(
  '428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5' +
    'd807aa9812835b01243185be550c7dc372be5d7480deb1fe9bdc06a7c19bf174' +
    'e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da' +
    '983e5152a831c66db00327c8bf597fc7c6e00bf3d5a7914706ca635114292967' +
    '27b70a852e1b21384d2c6dfc53380d13650a7354766a0abb81c2c92e92722c85' +
    'a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa070' +
    '19a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3' +
    '748f82ee78a5636f84c878148cc7020890befffaa4506cebbef9a3f7c67178f2',
)
