import type { JsonNode, JsonTree } from '../core/index.ts'
import { decodeString, decodeValue, invalidInput, isTrue, present } from '../core/index.ts'

/** A value of the body together with the path under which an error names it. */
export interface Field {
  readonly tree: JsonTree
  readonly node: JsonNode
  readonly path: string
}

export function child(field: Field, name: string): Field | undefined {
  const node = present(field.tree, field.node, name)
  if (node === undefined) return undefined
  return { tree: field.tree, node, path: field.path === '' ? name : `${field.path}.${name}` }
}

export function elements(field: Field): readonly Field[] {
  return field.node.children.map((node, index) => ({ tree: field.tree, node, path: `${field.path}[${index}]` }))
}

export function requireObject(field: Field): Field {
  if (field.node.kind !== 'object')
    throw invalidInput(field.path || 'body', `expected an object, got ${kindOf(field)}`, 'Send an object.')
  return field
}

export function requireArray(field: Field): Field {
  if (field.node.kind !== 'array')
    throw invalidInput(field.path, `expected an array, got ${kindOf(field)}`, 'Send an array.')
  return field
}

export function requireString(field: Field): string {
  if (field.node.kind !== 'string')
    throw invalidInput(field.path, `expected a string, got ${kindOf(field)}`, 'Send a string.')
  return decodeString(field.tree, field.node)
}

/** A member that must be a string with something in it. */
export function requiredString(field: Field, name: string): string {
  const found = child(field, name)
  const path = field.path === '' ? name : `${field.path}.${name}`
  if (found === undefined) throw invalidInput(path, 'missing', 'Send a non-empty string.')
  const value = requireString(found)
  if (value === '') throw invalidInput(path, 'empty', 'Send a non-empty string.')
  return value
}

export function optionalString(field: Field, name: string): string | undefined {
  const found = child(field, name)
  return found === undefined ? undefined : requireString(found)
}

export function optionalBoolean(field: Field, name: string): boolean | undefined {
  const found = child(field, name)
  if (found === undefined) return undefined
  if (found.node.kind !== 'literal')
    throw invalidInput(found.path, `expected a boolean, got ${kindOf(found)}`, 'Send true or false.')
  return isTrue(found.tree, found.node)
}

/** No model writes more in one reply; larger figures are slips. */
const mostTokens = 100_000_000

export function optionalTokenCount(field: Field, name: string, least: number): number | undefined {
  const found = child(field, name)
  if (found === undefined) return undefined
  const value = found.node.kind === 'number' ? decodeValue(found.tree, found.node) : undefined
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > mostTokens) {
    const got =
      found.node.kind === 'number'
        ? found.tree.text.slice(found.node.start, found.node.end).slice(0, 40)
        : kindOf(found)
    throw invalidInput(
      found.path,
      `expected a whole number of tokens, got ${got}`,
      `Send an integer from ${least} to ${mostTokens}.`,
    )
  }
  return value
}

/** The messages of a request: an array with at least one object in it. */
export function requiredMessages(body: Field, name = 'messages'): Field {
  const found = child(body, name)
  if (found === undefined) throw invalidInput(name, 'missing', 'Send an array of messages.')
  requireArray(found)
  if (found.node.children.length === 0) throw invalidInput(name, 'empty', 'Send at least one message.')
  return found
}

const kindNames = { object: 'an object', array: 'an array', string: 'a string', number: 'a number' } as const

function kindOf(field: Field): string {
  const { kind, start, end } = field.node
  return kind === 'literal' ? field.tree.text.slice(start, end) : kindNames[kind]
}
