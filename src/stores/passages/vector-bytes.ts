/** The values of a vector one after another, each of four bytes, the lowest first, whatever the machine. */
export function bytesOfVector(vector: Float32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(vector.length * valueBytes)
  const view = new DataView(bytes.buffer)
  for (const [at, value] of vector.entries()) view.setFloat32(at * valueBytes, value, true)
  return bytes
}

export function vectorOfBytes(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float32Array.from({ length: bytes.length / valueBytes }, (_, at) => view.getFloat32(at * valueBytes, true))
}

export const valueBytes = 4
