import { readFileSync } from 'node:fs'
import { isJsonObject } from '../core/index.ts'

/** The version in package.json, which stands two folders up in the source and in what is published. */
export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const found = isJsonObject(manifest) ? manifest['version'] : undefined
  return typeof found === 'string' ? found : 'unknown'
}
