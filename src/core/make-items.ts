import type { ToolDefinition } from './conversation.ts'
import { fingerprint } from './fingerprint.ts'
import { frozenCopy } from './frozen.ts'
import type { Item, Provenance, Role } from './item.ts'

/** What a maker of items may be told besides the text; an `id` of one's own where the same text stands twice. */
export type ItemDetails = Omit<Partial<Item>, 'kind' | 'text'>

/**
 * Something that was said in the conversation.
 *
 * ```ts
 * said('user', 'Why does the build fail?')
 * ```
 */
export function said(role: Exclude<Role, 'tool'>, text: string, details: ItemDetails = {}): Item {
  return frozenCopy({ id: nameOf(role, text), section: 'history', kind: 'text', role, text, ...details })
}

/** A rule that always holds; it is never shortened. */
export function instruction(text: string, details: ItemDetails = {}): Item {
  const section = 'policy'
  const id = nameOf('instruction', text)
  return frozenCopy({ id, section, kind: 'instruction', role: 'system', text, ...details })
}

/** A piece of evidence, and where it comes from: a name, or all that is known of its origin. */
export function evidence(text: string, source: string | Provenance, details: ItemDetails = {}): Item {
  const provenance = typeof source === 'string' ? { sourceId: source } : source
  const id = nameOf('evidence', `${provenance.sourceId}\n${text}`)
  return frozenCopy({ id, section: 'evidence', kind: 'evidence', text, provenance, ...details })
}

/** Something that was learnt in an earlier session. */
export function memory(text: string, details: ItemDetails = {}): Item {
  return frozenCopy({ id: nameOf('memory', text), section: 'memory', kind: 'memory', text, ...details })
}

/** A tool that the model may call. */
export function tool(definition: ToolDefinition, details: ItemDetails = {}): Item {
  const { name, description, schema } = definition
  const text = JSON.stringify({ name, description, parameters: schema })
  return frozenCopy({ id: `tool:${name}`, section: 'tools', kind: 'tool-schema', toolName: name, text, ...details })
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
  const { id, name, arguments: input, result, status } = use
  const both = { section: 'history', toolName: name, toolCallId: id, group: id, ...details }
  return frozenCopy([
    { ...both, id: `call:${id}`, kind: 'tool-call', role: 'assistant', text: JSON.stringify(input) },
    { ...both, id: `result:${id}`, kind: 'tool-result', role: 'tool', text: result, ...(status && { status }) },
  ])
}

function nameOf(kind: string, text: string): string {
  return `${kind}:${fingerprint(text)}`
}
