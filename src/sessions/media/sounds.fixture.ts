/** Silence as a WAV: 16 bits a sample, one channel, with a chunk before its samples that says nothing. */
export function wav(rate: number, seconds: number): Uint8Array {
  const samples = 2 * rate * seconds
  const bytes = Buffer.alloc(12 + 24 + 12 + 8 + samples)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(rate, 24)
  bytes.writeUInt32LE(2 * rate, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('LIST', 36)
  bytes.writeUInt32LE(3, 40)
  bytes.write('data', 48)
  bytes.writeUInt32LE(samples, 52)
  return new Uint8Array(bytes)
}
