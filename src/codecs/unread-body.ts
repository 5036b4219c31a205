import type { Extension, JsonKind, JsonNode, JsonTree, JsonValue } from '../core/index.ts'
import { decodeValue, member, stringAt, stringLiteralEnd } from '../core/index.ts'
import { extensionNames } from './decode-request.ts'
import { extensionEdits } from './encode-request.ts'
import { splice } from './splice.ts'

/** What a body says that no codec could read: at its root, as far as it is JSON there. */
export interface UnreadBody {
  /** Empty where it names none. */
  readonly model: string
  readonly extension?: Extension
  /** The body without the extension; everything else as it came. */
  readonly rest: string
}

/**
 * Reads no more of a body than where it is to go and what it says to us, at any depth and up to where it breaks off. May
 * be given bytes as characters: names are ASCII.
 */
export function unreadBody(body: string): UnreadBody {
  const tree = scanRoot(body)
  const model = stringOr(() => stringAt(tree, tree.root, 'model'))
  for (const name of extensionNames) {
    const node = member(tree, tree.root, name)
    const value = node && valueOr(() => decodeValue(tree, node))
    if (value !== undefined) return { model, extension: { name, value }, rest: splice(body, extensionEdits(tree)) }
  }
  return { model, rest: body }
}

function stringOr(read: () => string | undefined): string {
  return valueOr(read) ?? ''
}

/** Undefined where what looks like a value is none. */
function valueOr<Value extends JsonValue>(read: () => Value | undefined): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Also where the mark of its encoding stands before it, as a character or as bytes. */
const opening = /^(?:\uFEFF|\u00EF\u00BB\u00BF)?\s*\{/
const space = /[\s,]*/y
const colon = /\s*:\s*/y
const scalar = /[^\s,\]}]+/y

/** More members than any body has at its root. */
const mostMembers = 1000

/** The members of an object, none of them read; those before the place where the text is no JSON any more. */
function scanRoot(text: string): JsonTree {
  const children: JsonNode[] = []
  const keys: number[] = []
  const start = opening.exec(text)?.[0].length ?? text.length
  let end = start
  for (let next = memberAt(text, start); next !== undefined; next = memberAt(text, end)) {
    if (children.length === mostMembers) break
    keys.push(next.key, next.keyEnd)
    children.push({ kind: kinds[text.charAt(next.start)] ?? 'literal', start: next.start, end: next.end, ...leaf })
    ;({ end } = next)
  }
  return { text, root: { kind: 'object', start, end, children, keys, values: 1 + children.length } }
}

const leaf = { children: [], keys: [], values: 1 }

interface MemberPlace {
  readonly key: number
  readonly keyEnd: number
  readonly start: number
  readonly end: number
}

/** The member that begins behind a place; undefined where none does. */
function memberAt(text: string, at: number): MemberPlace | undefined {
  const key = after(space, text, at)
  const keyEnd = text.charAt(key) === '"' ? stringLiteralEnd(text, key) : -1
  if (keyEnd < 0 || !isString(text.slice(key, keyEnd))) return undefined
  const start = after(colon, text, keyEnd)
  const end = start < 0 ? -1 : valueEnd(text, start)
  return end < 0 ? undefined : { key, keyEnd, start, end }
}

function isString(literal: string): boolean {
  return valueOr(() => typeof JSON.parse(literal) === 'string') === true
}

const kinds: Readonly<Record<string, JsonKind>> = { '{': 'object', '[': 'array', '"': 'string' }

/** Where a pattern that stands at a place ends; -1 where it does not stand there. */
function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

function valueEnd(text: string, start: number): number {
  const first = text.charAt(start)
  if (first === '"') return stringLiteralEnd(text, start)
  return first === '{' || first === '[' ? closingEnd(text, start) : after(scalar, text, start)
}

/** The end of the container that begins at `start`, whatever is in it; -1 without one. Looks at each character once. */
function closingEnd(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      const end = stringLiteralEnd(text, at)
      if (end < 0) return -1
      at = end - 1
    } else if (code === 0x7b || code === 0x5b) depth += 1
    else if ((code === 0x7d || code === 0x5d) && (depth -= 1) === 0) return at + 1
  }
  return -1
}
