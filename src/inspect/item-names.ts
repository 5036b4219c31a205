import { isJsonObject, parseJson } from '../core/index.ts'
import type { Item } from '../core/index.ts'

/** What a person calls an item, and what of a request it belongs to. */
export interface ItemName {
  /** Such as `bash: cat src/csv.js`, or the first words of a message. */
  readonly name: string
  /** Such as `system prompt` or `results of bash`. */
  readonly group: string
}

const longestName = 90

/** Names of the items of a request; results are named by the call that they answer. */
export function itemNames(items: readonly Item[]): ReadonlyMap<string, ItemName> {
  const calls = new Map<string, Item>()
  for (const item of items) if (item.kind === 'tool-call') calls.set(callKey(item), item)
  return new Map(items.map((item) => [item.id, nameOf(item, calls.get(callKey(item)))]))
}

function callKey({ toolCallId, group, id }: Item): string {
  return toolCallId ?? group ?? id
}

function nameOf(item: Item, call: Item | undefined): ItemName {
  const { kind, role, toolName, text, section } = item
  const tool = toolName ?? call?.toolName ?? 'a tool'
  switch (kind) {
    case 'tool-call':
      return { name: `call of ${calledName(tool, text)}`, group: 'calls' }
    case 'tool-result':
      return { name: call === undefined ? tool : calledName(tool, call.text), group: `results of ${tool}` }
    case 'tool-schema':
      return { name: tool, group: 'tool definitions' }
    case 'evidence':
    case 'memory':
      return { name: short(item.provenance?.title ?? text), group: kind }
    case 'media':
      return { name: 'picture, sound or file', group: 'media' }
    default:
      return { name: short(text) || 'no text', group: groupOf(role, section) }
  }
}

function groupOf(role: Item['role'], section: string): string {
  if (role === 'system' || section === 'policy' || section === 'role') return 'system prompt'
  if (role === 'assistant' || role === 'user') return role
  return 'other'
}

/** Arguments that say what a call is about, the most telling first. */
const telling = ['command', 'cmd', 'file_path', 'filePath', 'path', 'filename', 'file', 'pattern', 'query', 'url']

function calledName(tool: string, argumentsText: string): string {
  const about = mainArgument(argumentsText)
  return about === '' ? tool : short(`${tool}: ${about}`)
}

function mainArgument(text: string): string {
  const value = parsed(text)
  if (!isJsonObject(value)) return typeof value === 'string' ? value : text
  const names = [...telling, ...Object.keys(value)]
  const found = names
    .map((name) => (Object.hasOwn(value, name) ? wordsOf(value[name]) : ''))
    .find((words) => words !== '')
  return found ?? ''
}

/** A shell takes its command as a list, behind its own name and its switches. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) return ''
  const isShell = value.length > 2 && (value[0] ?? '').endsWith('sh') && (value[1] ?? '').startsWith('-')
  return isShell ? value.slice(2).join(' ') : value.join(' ')
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

function short(text: string): string {
  const line = text
    .slice(0, 20 * longestName)
    .replaceAll(/\s+/g, ' ')
    .trim()
  const points = Array.from(line)
  return points.length <= longestName ? line : `${points.slice(0, longestName - 1).join('')}…`
}
