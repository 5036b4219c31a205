import { PrehendError, beyondLimits } from './errors.ts'
import { commonPrefixLength, goingOn } from './pieced-text.ts'
import type { TextSource } from './pieced-text.ts'

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'literal'

/** A value in a JSON text, by its place. Values are decoded only when someone asks, see `json-node.ts`. */
export interface JsonNode {
  readonly kind: JsonKind
  readonly start: number
  readonly end: number
  /** An array's elements or an object's values, in the order of the text; duplicate keys keep all of theirs. */
  readonly children: readonly JsonNode[]
  /** Start and end of every key of an object, by turns, quotes included. */
  readonly keys: readonly number[]
  /** How many values this is: itself and all that stand in it. */
  readonly values: number
}

export interface JsonTree {
  readonly text: TextSource
  readonly root: JsonNode
}

interface Frame {
  readonly kind: 'object' | 'array'
  readonly start: number
  readonly children: JsonNode[]
  readonly keys: number[]
  values: number
  readonly parent: Frame | undefined
  /** The node of the previous tree that may stand where the next value begins. */
  hint: JsonNode | undefined
}

interface Scanner {
  readonly text: string
  /** Characters in common with the text of the previous tree. */
  readonly shared: number
  at: number
  depth: number
  frame: Frame | undefined
  hint: JsonNode | undefined
  /** Values that have been read, or taken over. */
  values: number
  readonly mostValues: number
}

export interface ScanOptions {
  /** A tree whose text begins like this one. */
  readonly previous?: JsonTree | undefined
  /** A text of more values is refused with `beyond-limits` as soon as that is known; any number by default. */
  readonly mostValues?: number
}

const maxDepth = 500
const none: readonly never[] = []
const plainRun = /[^"\\\u0000-\u001f]*/y
const codeUnit = /u[0-9a-fA-F]{4}/y
/** By code unit: 1 where it makes an escape with a backslash before it. */
const isOneLetter = new Uint8Array(128)
for (const letter of '"\\/bfnrt') isOneLetter[letter.charCodeAt(0)] = 1
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y

/**
 * The places of all values of a JSON text (RFC 8259, no leniency, at most 500 levels deep). Nodes of `previous` that lie
 * in the prefix which both texts share are taken over as they are, without being scanned, and so is what the text of both begins with.
 */
export function scanJson(text: string, { previous, mostValues = Infinity }: ScanOptions = {}): JsonTree {
  const shared = previous === undefined ? 0 : commonPrefixLength(previous.text, text)
  const hint = previous?.root
  const scanner: Scanner = { text, shared, at: 0, depth: 0, frame: undefined, hint, values: 0, mostValues }
  for (;;) {
    let node = readValue(scanner)
    while (node !== undefined) {
      if (scanner.frame === undefined) {
        requireEnd(scanner)
        return { text: previous === undefined ? text : goingOn(previous.text, shared, text), root: node }
      }
      scanner.frame.children.push(node)
      scanner.frame.values += node.values
      node = afterValue(scanner, scanner.frame)
    }
  }
}

/** Reads a scalar, or opens a container; undefined when a value has to be read first. */
function readValue(scanner: Scanner): JsonNode | undefined {
  skipSpace(scanner)
  const start = scanner.at
  switch (scanner.text.charCodeAt(start)) {
    case 0x7b:
      return open(scanner, 'object')
    case 0x5b:
      return open(scanner, 'array')
    case 0x22:
      skipString(scanner)
      return leaf(scanner, 'string', start)
    case 0x74:
      return literal(scanner, 'true')
    case 0x66:
      return literal(scanner, 'false')
    case 0x6e:
      return literal(scanner, 'null')
    default:
      return readNumber(scanner)
  }
}

function open(scanner: Scanner, kind: 'object' | 'array'): JsonNode | undefined {
  const start = scanner.at
  const hint = takeHint(scanner, kind)
  if (scanner.depth >= maxDepth) throw syntaxError(start, `nesting deeper than ${maxDepth} levels`)
  const taken = hint === undefined ? 0 : countShared(hint.children, scanner.shared)
  const children = hint === undefined ? [] : hint.children.slice(0, taken)
  const valuesTaken = children.reduce((sum, { values }) => sum + values, 0)
  count(scanner, 1 + valuesTaken)
  const frame: Frame = {
    kind,
    start,
    children,
    values: 1 + valuesTaken,
    keys: hint === undefined || kind === 'array' ? [] : hint.keys.slice(0, 2 * taken),
    parent: scanner.frame,
    hint: hint?.children[taken],
  }
  scanner.frame = frame
  scanner.depth += 1
  const last = frame.children[taken - 1]
  scanner.at = last === undefined ? start + 1 : last.end
  return last === undefined ? firstChild(scanner, frame) : afterValue(scanner, frame)
}

/** The node of the previous tree that began at this very place, if it is of this kind. */
function takeHint(scanner: Scanner, kind: JsonKind): JsonNode | undefined {
  const hint = scanner.frame === undefined ? scanner.hint : scanner.frame.hint
  if (scanner.frame !== undefined) scanner.frame.hint = undefined
  if (hint === undefined || hint.kind !== kind || hint.start !== scanner.at || hint.start >= scanner.shared) {
    return undefined
  }
  return hint
}

/** How many leading nodes end inside the shared prefix. A number at its very end may go on in this text. */
function countShared(nodes: readonly JsonNode[], shared: number): number {
  let low = 0
  let high = nodes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((nodes[middle]?.end ?? shared) <= shared) low = middle + 1
    else high = middle
  }
  const last = nodes[low - 1]
  return last?.kind === 'number' && last.end === shared ? low - 1 : low
}

function firstChild(scanner: Scanner, frame: Frame): JsonNode | undefined {
  skipSpace(scanner)
  if (scanner.text.charCodeAt(scanner.at) === closing(frame)) return close(scanner, frame)
  if (frame.kind === 'object') readKey(scanner, frame)
  return undefined
}

/** After a value: the container it stood in if that ends here, undefined if another value follows. */
function afterValue(scanner: Scanner, frame: Frame): JsonNode | undefined {
  skipSpace(scanner)
  const code = scanner.text.charCodeAt(scanner.at)
  if (code === closing(frame)) return close(scanner, frame)
  if (code !== 0x2c) throw syntaxError(scanner.at, `expected "," or "${frame.kind === 'object' ? '}' : ']'}"`)
  scanner.at += 1
  if (frame.kind === 'object') {
    skipSpace(scanner)
    readKey(scanner, frame)
  }
  return undefined
}

function close(scanner: Scanner, frame: Frame): JsonNode {
  scanner.at += 1
  scanner.depth -= 1
  scanner.frame = frame.parent
  const { kind, start, children, keys, values } = frame
  return { kind, start, end: scanner.at, children, keys, values }
}

function count(scanner: Scanner, values: number): void {
  scanner.values += values
  if (scanner.values > scanner.mostValues) throw beyondLimits('body', 'JSON values', scanner.mostValues)
}

function closing(frame: Frame): number {
  return frame.kind === 'object' ? 0x7d : 0x5d
}

function readKey(scanner: Scanner, frame: Frame): void {
  const start = scanner.at
  if (scanner.text.charCodeAt(start) !== 0x22) throw syntaxError(start, 'expected a key in double quotes')
  skipString(scanner)
  frame.keys.push(start, scanner.at)
  skipSpace(scanner)
  if (scanner.text.charCodeAt(scanner.at) !== 0x3a) throw syntaxError(scanner.at, 'expected ":"')
  scanner.at += 1
}

/** The end of the string literal that begins at `start`, its quote included; -1 without one. Says nothing about what is inside. */
export function stringLiteralEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x5c) at += 1
    else if (code === 0x22) return at + 1
  }
  return -1
}

function skipString(scanner: Scanner): void {
  const { text } = scanner
  let at = scanner.at + 1
  for (;;) {
    plainRun.lastIndex = at
    plainRun.test(text)
    at = plainRun.lastIndex
    const code = text.charCodeAt(at)
    if (code === 0x22) break
    if (code !== 0x5c) {
      throw syntaxError(at, at >= text.length ? 'unfinished string' : 'control character in a string')
    }
    const length = escapeLength(text, at)
    if (length === 0) throw syntaxError(at, 'unknown escape in a string')
    at += length
  }
  scanner.at = at + 1
}

/** Of an escape with its backslash; 0 where it is none. Most stand alone: asking an expression takes several times as long. */
function escapeLength(text: string, start: number): number {
  if (isOneLetter[text.charCodeAt(start + 1)] === 1) return 2
  codeUnit.lastIndex = start + 1
  return codeUnit.test(text) ? 6 : 0
}

function readNumber(scanner: Scanner): JsonNode {
  const start = scanner.at
  number.lastIndex = start
  if (!number.test(scanner.text)) {
    throw syntaxError(start, start >= scanner.text.length ? 'unexpected end' : 'expected a value')
  }
  scanner.at = number.lastIndex
  return leaf(scanner, 'number', start)
}

function literal(scanner: Scanner, word: string): JsonNode {
  const start = scanner.at
  if (!scanner.text.startsWith(word, start)) throw syntaxError(start, 'expected a value')
  scanner.at = start + word.length
  return leaf(scanner, 'literal', start)
}

function leaf(scanner: Scanner, kind: JsonKind, start: number): JsonNode {
  count(scanner, 1)
  return { kind, start, end: scanner.at, children: none, keys: none, values: 1 }
}

function skipSpace(scanner: Scanner): void {
  const { text } = scanner
  let at = scanner.at
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break
    at += 1
  }
  scanner.at = at
}

function requireEnd(scanner: Scanner): void {
  skipSpace(scanner)
  if (scanner.at < scanner.text.length) throw syntaxError(scanner.at, 'text after the end of the value')
}

function syntaxError(offset: number, what: string): PrehendError<'invalid-json'> {
  return new PrehendError('invalid-json', `body: not JSON, ${what} at offset ${offset}`, {
    field: 'body',
    remedy: 'Send a JSON text (RFC 8259).',
    offset,
  })
}
