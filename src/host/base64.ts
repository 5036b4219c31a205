import { builtinModule } from './builtin-module.ts'

/** The bytes that a base64 text stands for; throws where it is none. */
export function bytesOfBase64(text: string): Uint8Array {
  const buffer = builtinModule('node:buffer')?.Buffer
  if (buffer !== undefined) return new Uint8Array(buffer.from(text, 'base64'))
  return Uint8Array.from(atob(text), (character) => character.codePointAt(0) ?? 0)
}

const pieceBytes = 0x8000

export function base64OfBytes(bytes: Uint8Array): string {
  const buffer = builtinModule('node:buffer')?.Buffer
  if (buffer !== undefined) return buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  let binary = ''
  for (let at = 0; at < bytes.length; at += pieceBytes)
    binary += String.fromCodePoint(...bytes.subarray(at, at + pieceBytes))
  return btoa(binary)
}
