import { isJsonObject } from '../core/index.ts'
import type { JsonValue } from '../core/index.ts'
import { patchActs } from './apply-patch.ts'
import { membersOf, valueOf } from './call-facts.ts'
import type { FileAct, FileRead } from './file-act.ts'
import { shellActs } from './shell-acts.ts'

/** Reads the JSON of a call's arguments. */
export function fileActs(json: string): readonly FileAct[] {
  const parsed = valueOf(json)
  if (parsed === undefined) return json.includes('*** Begin Patch') ? patchActs(json) : []
  return actsIn(parsed, undefined, 0)
}

/** Arguments that lie deeper are no edits. */
const deepest = 8

function actsIn(value: JsonValue, folder: string | undefined, depth: number): readonly FileAct[] {
  if (depth > deepest) return []
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap((one) => actsIn(one, folder, depth + 1))
  if (!isJsonObject(value)) return typeof value === 'string' ? patchIn(value) : []
  const { old, replacement, path = folder, content, command } = membersOf(value)
  const inside = Object.values(value).filter((one) => typeof one === 'object' && one !== null)
  const deeper = inside.flatMap((one) => actsIn(one as JsonValue, path, depth + 1))
  const patches = Object.values(value).flatMap((one) => (typeof one === 'string' ? patchIn(one) : []))
  if (patches.length > 0) return [...patches, ...deeper]
  if (command !== undefined && path === undefined) return [...shellActs(command), ...deeper]
  if (path === undefined) return deeper
  const text = replacement ?? content
  if (old !== undefined) {
    return [{ kind: 'edit', path, old, text: text ?? '', every: isEvery(value) }, ...deeper]
  }
  const after = numberOf(value, /^insert(?:line|at|after)$/)
  if (after !== undefined && text !== undefined) return [{ kind: 'insert', path, after, text }, ...deeper]
  if (content !== undefined && replacement === undefined) return [{ kind: 'write', path, text: content }, ...deeper]
  if (content !== undefined && !/^(?:str_?replace|insert)$/.test(command ?? ''))
    return [{ kind: 'write', path, text: content }, ...deeper]
  if (deeper.length > 0 || Object.keys(value).some((key) => searching.test(key)) || path === folder) return deeper
  return [readOf(value, path)]
}

/** Arguments of tools that search, which show no file as it is. */
const searching = /^(?:pattern|query|regex|glob|include|depth|recursive|ignore)$/i

function readOf(value: Readonly<Record<string, JsonValue | undefined>>, path: string): FileRead {
  const range = Object.entries(value).find(([key]) => /range$/i.test(key))?.[1]
  const ranged = Array.isArray(range) && typeof range[0] === 'number' ? range[0] : undefined
  const first = ranged ?? numberOf(value, /^(?:offset|start|startline|firstline|fromline|linestart)$/)
  const isPart = first !== undefined || numberOf(value, /^(?:limit|end|endline|maxlines|lines|count)$/) !== undefined
  return { kind: 'read', path, first: Math.max(1, first ?? 1), extent: isPart ? 'part' : 'whole' }
}

function isEvery(value: Readonly<Record<string, JsonValue | undefined>>): boolean {
  return Object.entries(value).some(([key, one]) => /^(?:replace_?all|all|global)$/i.test(key) && one === true)
}

function numberOf(value: Readonly<Record<string, JsonValue | undefined>>, name: RegExp): number | undefined {
  for (const [key, one] of Object.entries(value)) {
    if (!name.test(key.toLowerCase().replaceAll(/[_-]/g, ''))) continue
    const number = typeof one === 'string' ? Number.parseInt(one, 10) : one
    if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
  }
  return undefined
}

function patchIn(text: string): readonly FileAct[] {
  return text.startsWith('*** Begin Patch') || /^--- \S.*\n\+\+\+ \S/m.test(text.slice(0, 600)) ? patchActs(text) : []
}
