import { isInstruction, isJsonObject } from '../../core/index.ts'
import type { WireExchange, Item, JsonValue, SteadyText } from '../../core/index.ts'
import { openingItems } from '../opening-items.ts'

/** What a conversation begins with and may be written otherwise: an instruction, or the definition of a tool. */
export interface Subject {
  readonly item: Item
  /** Of a tool. */
  readonly tool?: string
}

export function subjectsOf({ conversation: { items } }: WireExchange): readonly Subject[] {
  return openingItems(items).flatMap((item): readonly Subject[] => {
    if (item.frozen === true || item.kind === 'opaque') return []
    if (isInstruction(item.role)) return [{ item }]
    return item.kind === 'tool-schema' && item.toolName !== undefined ? [{ item, tool: item.toolName }] : []
  })
}

/** Gives of others the one that stands for a subject: the tool of its name, or the instruction in its place. */
export function counterpart<Other extends { readonly tool?: string }>(
  subjects: readonly Subject[],
  others: readonly Other[],
): (subject: Subject) => Other | undefined {
  const tools = new Map(others.flatMap((other) => (other.tool === undefined ? [] : [[other.tool, other] as const])))
  const instructions = others.filter(({ tool }) => tool === undefined)
  const own = subjects.filter(({ tool }) => tool === undefined)
  const isSame = own.length === instructions.length
  return (subject) => {
    if (subject.tool !== undefined) return tools.get(subject.tool)
    return isSame ? instructions[own.indexOf(subject)] : undefined
  }
}

/** The words of it: of a tool, what is said of it and of its parameters. */
export function linesOf({ tool }: Subject, text: string): readonly string[] {
  return (tool === undefined ? text : descriptionsIn(parsed(text)).join('\n')).split('\n')
}

/** Whether two definitions of a tool differ in its descriptions at most. */
export function isSameTool(one: string, other: string): boolean {
  return JSON.stringify(undescribed(parsed(one))) === JSON.stringify(undescribed(parsed(other)))
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}

function descriptionsIn(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(descriptionsIn)
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, own]) =>
    isDescription(name, own) ? [String(own)] : own === undefined ? [] : descriptionsIn(own),
  )
}

function undescribed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(undescribed)
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).map(([name, own]) => [name, isDescription(name, own) ? '' : own] as const)
  return Object.fromEntries(members.map(([name, own]) => [name, own === undefined ? null : undescribed(own)]))
}

function isDescription(name: string, value: JsonValue | undefined): boolean {
  return name === 'description' && typeof value === 'string'
}

/** What of a text is remembered where nothing is known of it yet. */
export function entryOf({ tool }: Subject, { form, values }: SteadyText, text?: string): SteadyText {
  return { ...(tool !== undefined && { tool }), form, values, ...(text !== undefined && { text }) }
}
