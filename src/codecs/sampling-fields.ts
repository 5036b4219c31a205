import type { JsonValue } from '../core/index.ts'
import { decodeString, decodeValue, present } from '../core/index.ts'
import type { Field } from './read-field.ts'

/** A value of the body where it is there and not null, whatever it is. */
export function valueAt({ tree, node }: Field, name: string): JsonValue | undefined {
  const found = present(tree, node, name)
  return found === undefined ? undefined : decodeValue(tree, found)
}

export function numberAt(body: Field, name: string): number | undefined {
  const value = valueAt(body, name)
  return typeof value === 'number' ? value : undefined
}

export function booleanAt(body: Field, name: string): boolean | undefined {
  const value = valueAt(body, name)
  return typeof value === 'boolean' ? value : undefined
}

/** The strings of a list, or the only one where it is written without the list. */
export function stringsAt({ tree, node }: Field, name: string): readonly string[] | undefined {
  const found = present(tree, node, name)
  if (found?.kind === 'string') return [decodeString(tree, found)]
  if (found?.kind !== 'array' || found.children.some((child) => child.kind !== 'string')) return undefined
  return found.children.map((child) => decodeString(tree, child))
}
