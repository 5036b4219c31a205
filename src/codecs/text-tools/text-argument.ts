import { isJsonObject } from '../../core/index.ts'
import { parseData } from '../reply-body.ts'
import { textMember } from './text-tool.ts'

/** Where the arguments of a function that takes one text stand: JSON that comes in pieces, cut anywhere. A value. */
export interface TextArgument {
  readonly phase: 'before' | 'text' | 'after' | 'other'
  /** What has come and was not told: everything before the text, the beginning of an escape in it. */
  readonly held: string
  /** How much of the opening has been read, before the text. */
  readonly read: number
}

export interface TextStep {
  readonly state: TextArgument
  readonly text: string
}

export const noText: TextArgument = { phase: 'before', held: '', read: 0 }

/** What stands before the text; white space may stand around its marks. */
const opening = `{"${textMember}":"`
const whiteSpace = /\s/
const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** The text that a piece of the arguments tells. */
export function textIn(state: TextArgument, piece: string): TextStep {
  switch (state.phase) {
    case 'before':
      return opened(state, piece)
    case 'text':
      return told(state.held + piece)
    case 'other':
      return { state: { ...state, held: state.held + piece }, text: '' }
    case 'after':
      return { state, text: '' }
  }
}

/** What is left when nothing more comes: arguments that are no such object are told as they are, or by their only string. */
export function restOfText({ phase, held }: TextArgument): string {
  if (phase === 'text' || phase === 'after') return ''
  const value = parseData(held)
  if (typeof value === 'string') return value
  if (!isJsonObject(value)) return held
  const named = value[textMember]
  if (typeof named === 'string') return named
  const [only, ...others] = Object.values(value)
  return typeof only === 'string' && others.length === 0 ? only : only === undefined ? '' : held
}

function opened(state: TextArgument, piece: string): TextStep {
  let { read } = state
  for (let at = 0; at < piece.length; at += 1) {
    const mark = piece[at] ?? ''
    if (mark === opening[read]) read += 1
    else if (!whiteSpace.test(mark) || isInName(read))
      return { state: { phase: 'other', held: state.held + piece, read }, text: '' }
    if (read === opening.length) return told(piece.slice(at + 1))
  }
  return { state: { ...state, held: state.held + piece, read }, text: '' }
}

function isInName(read: number): boolean {
  return read > 1 && read < textMember.length + 3
}

/** Up to the end of the string, or to an escape that is not whole. */
function told(json: string): TextStep {
  let text = ''
  let from = 0
  for (;;) {
    const at = nextMark(json, from)
    if (at === json.length) {
      const end = at > from && isFirstHalf(json.charCodeAt(at - 1)) ? at - 1 : at
      return { state: inText(json.slice(end)), text: text + json.slice(from, end) }
    }
    text += json.slice(from, at)
    if (json[at] === '"') return { state: { phase: 'after', held: '', read: opening.length }, text }
    const escape = escapeAt(json, at)
    if (escape === undefined) return { state: inText(json.slice(at)), text }
    text += escape.text
    from = escape.end
  }
}

function inText(held: string): TextArgument {
  return { phase: 'text', held, read: opening.length }
}

function nextMark(json: string, from: number): number {
  for (let at = from; at < json.length; at += 1) if (json[at] === '"' || json[at] === '\\') return at
  return json.length
}

interface Escape {
  readonly text: string
  readonly end: number
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

/** Undefined where more has to come. Halves of one character come together. */
function escapeAt(json: string, at: number): Escape | undefined {
  const kind = json[at + 1]
  if (kind === undefined) return undefined
  if (kind !== 'u') return { text: escapes[kind] ?? kind, end: at + 2 }
  const unit = unitAt(json, at)
  if (unit === undefined) return json.length < at + 6 ? undefined : { text: '\\u', end: at + 2 }
  const end = at + 6
  if (!isFirstHalf(unit)) return { text: String.fromCharCode(unit), end }
  if (json.length === end || (json[end] === '\\' && json.length === end + 1)) return undefined
  if (json[end] !== '\\' || json[end + 1] !== 'u') return { text: String.fromCharCode(unit), end }
  if (json.length < end + 6) return undefined
  const low = unitAt(json, end)
  const isPair = low !== undefined && low >= 0xdc00 && low <= 0xdfff
  return isPair ? { text: String.fromCharCode(unit, low), end: end + 6 } : { text: String.fromCharCode(unit), end }
}

function unitAt(json: string, at: number): number | undefined {
  const digits = json.slice(at + 2, at + 6)
  return /^[\da-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined
}
