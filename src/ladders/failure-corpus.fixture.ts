import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Item, LadderContext, Rendition } from '../core/index.ts'
import { ladderFor } from './ladder-for.ts'

/** One recorded output of a tool, in `src/fixtures/failures`. */
export interface Sample {
  readonly file: string
  readonly tool: string
  /** `ran`: printed by the tool itself; `after`: written after the format that the tool documents. */
  readonly made: 'ran' | 'after'
  /** Who asked for it got it: it shows what failed elsewhere or before; `alone`: but not amid other output. */
  readonly told?: true | 'alone'
  /** The exit status that the text states. */
  readonly exit?: number
  /** Of each failure: what failed, where, and the message, each a piece of the text without colours. Empty where nothing has failed. */
  readonly failures: readonly (readonly (string | null)[])[]
}

const folder = resolve(import.meta.dirname, '../fixtures/failures')

export const samples: readonly Sample[] = JSON.parse(readFileSync(resolve(folder, 'index.json'), 'utf8'))

export function textOf({ file }: Sample): string {
  return readFileSync(resolve(folder, file), 'utf8')
}

const usual = (upTo: number): string =>
  Array.from({ length: upTo }, (_, at) => `copying assets/tea-${at}.svg to build/assets/tea-${at}.svg`).join('\n')

/** The same in the midst of a long output, so that there is something to trim; undefined where the text is one document. */
export function drawnOut(sample: Sample): string | undefined {
  const text = textOf(sample)
  if (sample.failures.length === 0 || /^\s*(?:\{|\[\s*[{"]|<(?!returncode))/.test(text)) return undefined
  const envelope = /^<returncode>.*\n<output>\n/.exec(text)?.[0]
  if (envelope !== undefined) return text.replace(envelope, () => `${envelope}${usual(90)}\n`)
  return sample.exit === undefined ? `${usual(60)}\n${text.trimEnd()}\n${usual(30)}` : `${usual(90)}\n${text}`
}

const count = (text: string): number => Math.ceil(text.length * 0.28)
const context: LadderContext = { count, handle: '482915037', step: 7 }
const visible: ReadonlySet<string> = new Set()
const conversations = [
  { visible, age: 30, lineWorth: 0.0025, shares: [0.5, 0.2], lowestRung: 'line' },
  { visible, age: 30, lineWorth: 1, lowestRung: 'line' },
] as const

/** All that an output may be shown as in place of itself. */
export function shortForms(text: string): readonly Rendition[] {
  const item: Item = { id: 'i', section: 'history', kind: 'tool-result', toolName: 'bash', text }
  const offered = [ladderFor(item, context)]
  for (const conversation of conversations) offered.push(ladderFor(item, { ...context, conversation }))
  return offered.flatMap((ladder) => ladder.slice(1))
}

// eslint-disable-next-line no-control-regex -- colours of terminals are not what is looked for
const plain = (text: string): string => text.replaceAll(/\u001b\[[0-9;]*m/g, '')

/** More failures than this are not all shown where an output is trimmed. */
const shownAtMost = 12

/** What a form of a failing output lacks; empty where it is right. */
export function lacking({ exit, told, failures }: Sample, { rung, text }: Rendition): readonly string[] {
  const shown = plain(text)
  if (rung === 'pointer') return /error|failures? reported/.test(shown) ? [] : ['status']
  if (rung === 'trimmed') return failures.slice(0, shownAtMost).flatMap((failure) => missing(failure, shown))
  if (rung !== 'line') return []
  const reported = /^\[Tool: bash - ok, [1-9]\d* failures? reported, /
  const failed = /^\[Tool: bash - error, /
  const isReported = exit === 0 || told === true || (told === 'alone' && reported.test(shown))
  const status = isReported ? reported : failed
  const [first = [], ...others] = failures
  return [...(status.test(shown) ? [] : ['status']), ...missing(first, shown), ...between(first, others, shown)]
}

function missing(failure: readonly (string | null)[], shown: string): string[] {
  return failure.filter((part) => part !== null && !shown.includes(part)).map((part) => `${part}`)
}

/** Messages of other failures that stand among the parts of the first. */
function between(first: Sample['failures'][number], others: Sample['failures'], shown: string): readonly string[] {
  const [name, , what] = first.map((part) => (part === null ? -1 : shown.indexOf(part)))
  const [from, to] = [Math.min(name ?? -1, what ?? -1), Math.max(name ?? -1, what ?? -1)]
  if (from === -1) return []
  return others.flatMap(([, , message]) => {
    const at = typeof message === 'string' && !first.includes(message) ? shown.indexOf(message) : -1
    return at > from && at < to ? [`in its place: ${message}`] : []
  })
}

/** What a form says of failures where there are none. */
export function crying({ rung, text }: Rendition): readonly string[] {
  if (rung === 'pointer') return text.startsWith('[folded: ') ? [] : [text]
  return rung !== 'line' || /^\[Tool: bash - ok, \d+ tokens, [^\n]*$/.test(text) ? [] : [text]
}
