import type { TraceMessage } from '../trace.ts'

/** Shorter lines are found anywhere. */
const shortest = 8

/**
 * The lines that each edit in an answer quotes of a file as it is: the old text of exact-match edits, the context and the
 * removed lines of patches, what `sed` replaces, what a file is rewritten with. Each line trimmed, once, eight characters or more.
 */
export function quotedLines(answer: TraceMessage): readonly (readonly string[])[] {
  return answer.items.flatMap(({ kind, text }) => (kind === 'tool-call' ? editsIn(text) : []))
}

function editsIn(json: string): readonly (readonly string[])[] {
  const edits: string[][] = []
  const visit = (value: unknown): void => {
    if (typeof value === 'string') edits.push(...textEdits(value))
    if (typeof value !== 'object' || value === null) return
    const old = Array.isArray(value) ? undefined : replacedText(value as Readonly<Record<string, unknown>>)
    if (old !== undefined) edits.push(old.split('\n'))
    else for (const member of Object.values(value)) visit(member)
  }
  try {
    visit(JSON.parse(json))
  } catch {
    visit(json)
  }
  return edits.map(telling).filter((lines) => lines.length > 0)
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
function textEdits(text: string): string[][] {
  if (!text.includes('\n') && !text.includes('sed ')) return []
  const lines = text.split('\n')
  return [patched(lines), searched(lines), ...replacedBySed(text), ...rewritten(lines)].filter(
    (quoted) => quoted.length > 0,
  )
}

/** Context and removed lines of unified diffs and of `apply_patch`. */
function patched(lines: readonly string[]): string[] {
  const quoted: string[] = []
  let inside = false
  for (const line of lines) {
    if (line.startsWith('@@') || line.startsWith('*** Update File:')) inside = true
    else if (/^(?:diff |\+\+\+ |--- |\*\*\* )/.test(line)) inside = false
    else if (inside && /^[ -]/.test(line)) quoted.push(line.slice(1))
    else if (inside && !/^[+\\]/.test(line) && line !== '') inside = false
  }
  return quoted
}

/** Blocks between `<<<<<<< SEARCH` and `=======`. */
function searched(lines: readonly string[]): string[] {
  const quoted: string[] = []
  let inside = false
  for (const line of lines) {
    if (/^<{5,9} ?SEARCH/.test(line)) inside = true
    else if (/^={5,9}$/.test(line)) inside = false
    else if (inside) quoted.push(line)
  }
  return quoted
}

/** The patterns of `sed -i s/…/…/` that are nothing but text. */
function replacedBySed(text: string): string[][] {
  if (!/\bsed\b[^\n]{0,40} -[a-zA-Z]*i/.test(text)) return []
  return Array.from(text.matchAll(/\bs([/|#,])((?:(?!\1)[^\\\n]|\\.){8,400})\1/g), ([, , pattern = '']) => {
    const plain = pattern.replaceAll(/\\([.*[\]^$/|()+?{}])/g, '\u0000$1')
    if (/(?<!\u0000)[.*[\]^$]/.test(plain)) return []
    return [plain.replaceAll('\u0000', '')]
  })
}

/** Here-documents: a file that is written again, or a script that quotes one. */
function rewritten(lines: readonly string[]): string[][] {
  const found: string[][] = []
  let end: string | undefined
  for (const line of lines) {
    if (end !== undefined) {
      if (line.trim() === end) end = undefined
      else found.at(-1)?.push(line)
      continue
    }
    end = /(?<!<)<<-?\s*(['"]?)(\w+)\1/.exec(line)?.[2]
    if (end !== undefined) found.push([])
  }
  return found
}

function telling(lines: readonly string[]): readonly string[] {
  return [...new Set(lines.map((line) => line.trim()))].filter((line) => line.length >= shortest)
}
