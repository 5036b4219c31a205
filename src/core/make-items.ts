import type { ToolDefinition } from './conversation.ts'
import { invalidInput } from './errors.ts'
import { fingerprint } from './fingerprint.ts'
import { frozenCopy } from './frozen.ts'
import { itemStatuses, roles } from './item.ts'
import type { Item, Provenance, Role } from './item.ts'
import { jsonTextOf, objectLike } from './program-shapes.ts'
import * as shape from './shape.ts'
import { itemShape, provenanceShape } from './shapes.ts'

/** What a maker of items may be told besides the text; an `id` of one's own where the same text stands twice. */
export type ItemDetails = Omit<Partial<Item>, 'kind' | 'text'>

/**
 * Something that was said in the conversation.
 *
 * ```ts
 * import { said } from 'prehend'
 *
 * const question = said('user', 'Why does the build fail?')
 * console.log(question)
 * ```
 */
export function said(role: Exclude<Role, 'tool'>, text: string, details: ItemDetails = {}): Item {
  shape.check(saidRoleShape, role, 'role')
  return made({ id: nameOf(role, text), section: 'history', kind: 'text', role, text }, details)
}

/** A rule that always holds; it is never shortened. */
export function instruction(text: string, details: ItemDetails = {}): Item {
  const id = nameOf('instruction', text)
  return made({ id, section: 'policy', kind: 'instruction', role: 'system', text }, details)
}

/** A piece of evidence, and where it comes from: a name, or all that is known of its origin. */
export function evidence(text: string, source: string | Provenance, details: ItemDetails = {}): Item {
  if (source === undefined)
    throw invalidInput(
      'source',
      'is missing',
      'Say where the evidence comes from: a name, or an object with a sourceId.',
    )
  shape.check(sourceShape, source, 'source')
  const provenance = typeof source === 'string' ? { sourceId: source } : source
  const id = nameOf('evidence', text, `${provenance.sourceId}\n`)
  return made({ id, section: 'evidence', kind: 'evidence', text, provenance }, details)
}

/** Something that was learnt in an earlier session. */
export function memory(text: string, details: ItemDetails = {}): Item {
  return made({ id: nameOf('memory', text), section: 'memory', kind: 'memory', text }, details)
}

/** A tool that the model may call. */
export function tool(definition: ToolDefinition, details: ItemDetails = {}): Item {
  shape.check(toolShape, definition, 'definition')
  const { name, description, schema } = definition
  const text = jsonTextOf({ name, description, parameters: schema }, 'definition.schema')
  return made({ id: `tool:${name}`, section: 'tools', kind: 'tool-schema', toolName: name, text }, details)
}

/** One call of a tool and what came of it. */
export interface ToolUse {
  /** Of the call; unique in the conversation. */
  readonly id: string
  readonly name: string
  readonly arguments: object
  readonly result: string
  readonly status?: 'ok' | 'error'
}

/** A call and its result, as two items that stay or go together. */
export function toolUse(use: ToolUse, details: ItemDetails = {}): readonly [call: Item, result: Item] {
  shape.check(toolUseShape, use, 'use')
  const { id, name, arguments: input, result, status } = use
  const text = jsonTextOf(input, 'use.arguments')
  shape.check(detailsShape, details, 'details')
  const both = { section: 'history', toolName: name, toolCallId: id, group: id, ...details }
  return Object.freeze([
    made({ ...both, id: `call:${id}`, kind: 'tool-call', role: 'assistant', text }),
    made({ ...both, id: `result:${id}`, kind: 'tool-result', role: 'tool', text: result, ...(status && { status }) }),
  ] as const)
}

const detailsShape = objectLike<ItemDetails>('an object with members of an item')
const sourceShape = shape.textOr(shape.name, provenanceShape)
const saidRoleShape = shape.oneOf(roles.filter((role) => role !== 'tool'))
const toolShape = shape.object<Pick<ToolDefinition, 'name'> & Partial<ToolDefinition>>({
  name: shape.name,
  namespace: shape.optional(shape.name),
  description: shape.optional(shape.text),
  schema: shape.optional(objectLike('a JSON Schema')),
})
const toolUseShape = shape.object<ToolUse>({
  id: shape.name,
  name: shape.name,
  arguments: objectLike('an object of arguments'),
  result: shape.text,
  status: shape.optional(shape.oneOf(itemStatuses)),
})

/** The item with its details, frozen. Throws `invalid-input` that names the first wrong field. */
function made(head: Item, details: ItemDetails = {}): Item {
  shape.check(detailsShape, details, 'details')
  const item = { ...head, ...details }
  const found = itemShape.problem(item, { slips: true })
  if (found === undefined) return frozenCopy(item)
  const [member = ''] = found.field.split(/[.[]/, 1)
  const field = Object.hasOwn(details, member) ? `details.${found.field}` : found.field
  throw invalidInput(field, found.message, found.remedy)
}

function nameOf(kind: string, text: string, source = ''): string {
  shape.check(shape.text, text, 'text')
  return `${kind}:${fingerprint(source + text)}`
}
