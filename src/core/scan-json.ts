import { PrehendError, beyondLimits } from './errors.ts'
import { commonPrefixLength, goingOn } from './pieced-text.ts'
import type { TextSource } from './pieced-text.ts'

/** The kind of a JSON value; `literal` is `true`, `false` or `null`. */
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

/** A JSON text, and the places of the values in it. */
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
}

/** Places in it count from the beginning of `text`, those of nodes from that of all of it. */
interface Scanner {
  readonly text: string
  /** Where `text` begins. */
  readonly base: number
  at: number
  depth: number
  frame: Frame | undefined
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
export function scanJson(text: TextSource, { previous, mostValues = Infinity }: ScanOptions = {}): JsonTree {
  const shared = previous === undefined ? 0 : commonPrefixLength(previous.text, text)
  const { base, ...taken } = takenOver(previous?.root, shared)
  const unread = base === 0 ? text.toString() : text.slice(base)
  const scanner: Scanner = { text: unread, base, at: 0, mostValues, ...taken }
  count(scanner, 0)
  let node = scanner.frame === undefined ? readValue(scanner) : afterChildren(scanner, scanner.frame)
  for (;;) {
    while (node !== undefined) {
      if (scanner.frame === undefined) {
        requireEnd(scanner)
        return { text: kept(text, { previous, shared }), root: node }
      }
      scanner.frame.children.push(node)
      scanner.frame.values += node.values
      node = afterValue(scanner, scanner.frame)
    }
    node = readValue(scanner)
  }
}

/** The text as its tree holds it. */
function kept(text: TextSource, { previous, shared }: Pick<ScanOptions, 'previous'> & { shared: number }): TextSource {
  const held = previous === undefined ? text : goingOn(previous.text, shared, text)
  return held === text ? text.toString() : held
}

type TakenOver = Pick<Scanner, 'frame' | 'depth' | 'values' | 'base'>

/** The containers that are open where two texts part, with what is read of them already, and where reading goes on. */
function takenOver(root: JsonNode | undefined, shared: number): TakenOver {
  let taken: TakenOver = { frame: undefined, depth: 0, values: 0, base: 0 }
  let node = root
  while (node !== undefined && isContainer(node) && node.start < shared) {
    const { kind, start } = node
    const whole = countShared(node.children, shared)
    const children = node.children.slice(0, whole)
    const keys = node.keys.slice(0, 2 * whole)
    const values = children.reduce((sum, child) => sum + child.values, 1)
    const frame: Frame = { kind, start, children, keys, values, parent: taken.frame }
    const base = children.at(-1)?.end ?? start + 1
    taken = { frame, depth: taken.depth + 1, values: taken.values + values, base }
    const next: JsonNode | undefined = node.children[whole]
    if (next === undefined || !isContainer(next) || next.start >= shared) break
    keys.push(...node.keys.slice(2 * whole, 2 * whole + 2))
    node = next
  }
  return taken
}

function isContainer(node: JsonNode): node is JsonNode & { readonly kind: Frame['kind'] } {
  return node.kind === 'object' || node.kind === 'array'
}

/** In an open container, behind the children that are read. */
function afterChildren(scanner: Scanner, frame: Frame): JsonNode | undefined {
  return frame.children.length === 0 ? firstChild(scanner, frame) : afterValue(scanner, frame)
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

function open(scanner: Scanner, kind: Frame['kind']): JsonNode | undefined {
  const start = scanner.at
  if (scanner.depth >= maxDepth) throw syntaxError(scanner, start, `nesting deeper than ${maxDepth} levels`)
  count(scanner, 1)
  const frame: Frame = {
    kind,
    start: scanner.base + start,
    children: [],
    keys: [],
    values: 1,
    parent: scanner.frame,
  }
  scanner.frame = frame
  scanner.depth += 1
  scanner.at = start + 1
  return firstChild(scanner, frame)
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
  if (code !== 0x2c) throw syntaxError(scanner, scanner.at, `expected "," or "${frame.kind === 'object' ? '}' : ']'}"`)
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
  return { kind, start, end: scanner.base + scanner.at, children, keys, values }
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
  if (scanner.text.charCodeAt(start) !== 0x22) throw syntaxError(scanner, start, 'expected a key in double quotes')
  skipString(scanner)
  frame.keys.push(scanner.base + start, scanner.base + scanner.at)
  skipSpace(scanner)
  if (scanner.text.charCodeAt(scanner.at) !== 0x3a) throw syntaxError(scanner, scanner.at, 'expected ":"')
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
      throw syntaxError(scanner, at, at >= text.length ? 'unfinished string' : 'control character in a string')
    }
    const length = escapeLength(text, at)
    if (length === 0) throw syntaxError(scanner, at, 'unknown escape in a string')
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
    throw syntaxError(scanner, start, start >= scanner.text.length ? 'unexpected end' : 'expected a value')
  }
  scanner.at = number.lastIndex
  return leaf(scanner, 'number', start)
}

function literal(scanner: Scanner, word: string): JsonNode {
  const start = scanner.at
  if (!scanner.text.startsWith(word, start)) throw syntaxError(scanner, start, 'expected a value')
  scanner.at = start + word.length
  return leaf(scanner, 'literal', start)
}

function leaf(scanner: Scanner, kind: JsonKind, start: number): JsonNode {
  count(scanner, 1)
  const { base, at } = scanner
  return { kind, start: base + start, end: base + at, children: none, keys: none, values: 1 }
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
  if (scanner.at < scanner.text.length) throw syntaxError(scanner, scanner.at, 'text after the end of the value')
}

function syntaxError({ base }: Scanner, at: number, what: string): PrehendError<'invalid-json'> {
  const offset = base + at
  return new PrehendError('invalid-json', `body: not JSON, ${what} at offset ${offset}`, {
    field: 'body',
    remedy: 'Send a JSON text (RFC 8259).',
    offset,
  })
}
