import { isJsonObject } from './json.ts'
import type { JsonValue } from './json.ts'

/** What a `$ref` within the same document names; undefined where it leads nowhere or elsewhere. */
export function referenced(root: JsonValue, reference: string): JsonValue | undefined {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let at: JsonValue | undefined = root
  for (const part of reference.slice(2).split('/')) {
    const name = unescaped(part)
    if (name === undefined) return undefined
    if (Array.isArray(at)) at = (at as readonly JsonValue[])[Number(name)]
    else if (isJsonObject(at) && Object.hasOwn(at, name)) at = at[name]
    else return undefined
  }
  return at
}

function unescaped(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined
  }
}
