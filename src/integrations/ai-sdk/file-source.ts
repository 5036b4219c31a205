import { isJsonObject } from '../../core/index.ts'
import type { JsonObject, JsonValue } from '../../core/index.ts'

/** Where a file's bytes are, however the SDK's version has them; undefined where the provider alone knows. */
export function fileSource(data: unknown, mediaType: string): JsonObject | undefined {
  if (data instanceof URL) return { type: 'url', url: data.href }
  if (data instanceof Uint8Array) return { type: 'base64', media_type: mediaType, data: base64(data) }
  if (typeof data === 'string') return { type: 'base64', media_type: mediaType, data }
  const tagged = data as JsonValue | undefined
  if (!isJsonObject(tagged)) return undefined
  if (tagged['type'] === 'url') return fileSource(tagged['url'], mediaType)
  return tagged['type'] === 'data' ? fileSource(tagged['data'], mediaType) : undefined
}

const step = 0x8000

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += step) binary += String.fromCharCode(...bytes.subarray(at, at + step))
  return btoa(binary)
}
