import type { TraceMessage } from '../trace.ts'

/** Shorter lines are found anywhere. */
const shortest = 8

/** What one edit in an answer quotes of a file as it is. */
export interface QuotedEdit {
  /** Each line trimmed, once, eight characters or more. */
  readonly lines: readonly string[]
  /** Texts that must match as a whole, line breaks and all; none of a file that is written again. */
  readonly pieces: readonly string[]
  /** The file that a here-document writes. */
  readonly writes?: string
}

/**
 * The edits of an answer that quote a file as it is: the old text of exact-match edits, the context and the removed lines of patches,
 * what `sed` replaces, what a file is rewritten with.
 */
export function quotedEdits(answer: TraceMessage): readonly QuotedEdit[] {
  return answer.items.flatMap(({ kind, text }) => (kind === 'tool-call' ? editsIn(text) : []))
}

/** The lines of each edit. */
export function quotedLines(answer: TraceMessage): readonly (readonly string[])[] {
  return quotedEdits(answer).map(({ lines }) => lines)
}

/** Texts that an edit quotes, each in one piece, before its lines are told apart. */
interface Quoted {
  readonly blocks: readonly (readonly string[])[]
  /** Whether lines are quoted one by one, and need not stand together. */
  readonly isDocument?: boolean
  readonly writes?: string | undefined
}

function editsIn(json: string): readonly QuotedEdit[] {
  const edits: Quoted[] = []
  const visit = (value: unknown): void => {
    if (typeof value === 'string') edits.push(...textEdits(value))
    if (typeof value !== 'object' || value === null) return
    const old = Array.isArray(value) ? undefined : replacedText(value as Readonly<Record<string, unknown>>)
    if (old !== undefined) edits.push({ blocks: [old.split('\n')] })
    else for (const member of Object.values(value)) visit(member)
  }
  try {
    visit(JSON.parse(json))
  } catch {
    visit(json)
  }
  return edits.map(asEdit).filter(({ lines }) => lines.length > 0)
}

function asEdit({ blocks, isDocument = false, writes }: Quoted): QuotedEdit {
  const pieces = isDocument ? [] : blocks.map(pieceOf).filter((piece) => piece.length >= shortest)
  return { lines: telling(blocks.flat()), pieces, ...(writes !== undefined && { writes }) }
}

/** The lines as they stand together, without empty ones around them. */
function pieceOf(block: readonly string[]): string {
  const first = block.findIndex((line) => line.trim() !== '')
  const last = block.findLastIndex((line) => line.trim() !== '')
  return first < 0 ? '' : block.slice(first, last + 1).join('\n')
}

const oldName = /^(?:old|search|find|original|target)/i
const newName = /^(?:new|replac|updated)/i

/** The old text of an object that names one and a new one. */
function replacedText(members: Readonly<Record<string, unknown>>): string | undefined {
  const named = (name: RegExp): string | undefined => {
    const [, value] = Object.entries(members).find(([key, each]) => name.test(key) && typeof each === 'string') ?? []
    return value as string | undefined
  }
  return named(newName) === undefined ? undefined : named(oldName)
}

/** What a text quotes by the forms of patches and shells that stand in it. */
function textEdits(text: string): readonly Quoted[] {
  if (!text.includes('\n') && !text.includes('sed ')) return []
  const lines = text.split('\n')
  return [patched(lines), searched(lines), ...replacedBySed(text), ...rewritten(lines)]
}

/** Context and removed lines of unified diffs and of `apply_patch`, a block for each hunk. */
function patched(lines: readonly string[]): Quoted {
  const blocks: string[][] = []
  let inside = false
  for (const line of lines) {
    if (line.startsWith('@@') || line.startsWith('*** Update File:')) {
      inside = true
      blocks.push([])
    } else if (/^(?:diff |\+\+\+ |--- |\*\*\* )/.test(line)) inside = false
    else if (inside && /^[ -]/.test(line)) blocks.at(-1)?.push(line.slice(1))
    else if (inside && !/^[+\\]/.test(line) && line !== '') inside = false
  }
  return { blocks }
}

/** Blocks between `<<<<<<< SEARCH` and `=======`. */
function searched(lines: readonly string[]): Quoted {
  const blocks: string[][] = []
  let inside = false
  for (const line of lines) {
    if (/^<{5,9} ?SEARCH/.test(line)) {
      inside = true
      blocks.push([])
    } else if (/^={5,9}$/.test(line)) inside = false
    else if (inside) blocks.at(-1)?.push(line)
  }
  return { blocks }
}

/** The patterns of `sed -i s/…/…/` that are nothing but text. */
function replacedBySed(text: string): readonly Quoted[] {
  if (!/\bsed\b[^\n]{0,40} -[a-zA-Z]*i/.test(text)) return []
  return Array.from(text.matchAll(/\bs([/|#,])((?:(?!\1)[^\\\n]|\\.){8,400})\1/g), ([, , pattern = '']) => {
    const plain = pattern.replaceAll(/\\([.*[\]^$/|()+?{}])/g, '\u0000$1')
    if (/(?<!\u0000)[.*[\]^$]/.test(plain)) return { blocks: [] }
    return { blocks: [[plain.replaceAll('\u0000', '')]] }
  })
}

/** The file that a command writes by `> FILE` or `tee FILE`. */
const written = /(?:(?<![\d&>])>>?|\btee(?: -a)?)\s*(['"]?)([^\s'"<>|;&]+)\1/

/** Here-documents: a file that is written again, or a script that quotes one. */
function rewritten(lines: readonly string[]): readonly Quoted[] {
  const found: { readonly block: string[]; readonly writes: string | undefined }[] = []
  let end: string | undefined
  for (const line of lines) {
    if (end !== undefined) {
      if (line.trim() === end) end = undefined
      else found.at(-1)?.block.push(line)
      continue
    }
    end = /(?<!<)<<-?\s*(['"]?)(\w+)\1/.exec(line)?.[2]
    if (end !== undefined) found.push({ block: [], writes: written.exec(line)?.[2] })
  }
  return found.map(({ block, writes }) => ({ blocks: [block], isDocument: true, writes }))
}

function telling(lines: readonly string[]): readonly string[] {
  return [...new Set(lines.map((line) => line.trim()))].filter((line) => line.length >= shortest)
}
