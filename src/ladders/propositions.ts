/** The smallest piece of a text that says something by itself, word for word as it stands there. */
export interface Proposition {
  /** `text.slice(start, end)` of the text that it was found in. */
  readonly text: string
  /** Offsets in UTF-16 code units; the end is behind the last one. */
  readonly start: number
  readonly end: number
  /** A sentence, an item of a list, a `key: value` line, a heading, or a block between code fences, which is never parted. */
  readonly kind: 'sentence' | 'item' | 'pair' | 'heading' | 'code'
  /** Who says it, where the line begins with a name and a colon and this is not its first sentence. */
  readonly speaker?: string
}

/**
 * The propositions of a text in their order: sentences, also of hard-wrapped paragraphs and of scripts without spaces, clauses that a
 * semicolon or a contrast parts, items of lists, pairs, headings and blocks of code. None overlaps another, and what lies between them is
 * white space and list marks. Deterministic and linear in the text.
 */
export function propositionsOf(text: string): readonly Proposition[] {
  const found: Proposition[] = []
  for (const block of blocksOf(text)) {
    if (block.kind === 'sentence' || block.kind === 'item') found.push(...sentencesIn(text, block))
    else found.push(trimmed(text, block))
  }
  return found.filter((one) => one.end > one.start)
}

interface Block {
  readonly start: number
  readonly end: number
  readonly kind: Proposition['kind']
}

const fenceForm = /^[ \t]{0,12}(?:```|~~~)/
const headingForm = /^[ \t]{0,12}(?:#{1,6}[ \t]|\*\*[^*\n]{1,120}\*\*[ \t]*$)/
const itemForm = /^[ \t]{0,40}(?:[-*•+]|\d{1,4}[.)])[ \t]+/
/** A short name, a colon and a value: also who speaks and what he says. */
const pairForm = /^[ \t]{0,12}["'`*]{0,2}[\p{L}\p{N}_][\p{L}\p{N}_ ./()-]{0,47}["'`*]{0,2}[:=][ \t]/u
/** A line that ends so is complete, and one that begins so is no continuation. */
const endsSentence = /[.!?。！？:;]["'”’)\]]{0,3}[ \t\r]*$/

/** Runs of lines that belong together: what a hard wrap has parted is one paragraph. */
function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = []
  let open: { start: number; end: number; kind: Proposition['kind'] } | undefined
  let fenced = false
  const close = (): void => {
    if (open !== undefined) blocks.push(open)
    open = undefined
  }
  for (const { line, start, end } of linesOf(text)) {
    const isFence = fenceForm.test(line.slice(0, 24))
    if (fenced) {
      if (open !== undefined) open.end = end
      if (isFence) {
        fenced = false
        close()
      }
      continue
    }
    const kind = isFence ? 'code' : kindOf(line)
    if (kind === undefined) close()
    else if (open !== undefined && kind === 'sentence' && continues(text, open, line)) open.end = end
    else {
      close()
      open = { start, end, kind }
      fenced = isFence
      if (kind === 'heading') close()
    }
  }
  close()
  return blocks
}

function* linesOf(text: string): Generator<{ readonly line: string; readonly start: number; readonly end: number }> {
  let start = 0
  while (start <= text.length) {
    const feed = text.indexOf('\n', start)
    const end = feed === -1 ? text.length : feed
    yield { line: text.slice(start, end), start, end }
    start = end + 1
  }
}

function kindOf(line: string): Proposition['kind'] | undefined {
  const head = line.slice(0, 160)
  if (line.trim() === '') return undefined
  if (headingForm.test(head)) return 'heading'
  if (itemForm.test(head)) return 'item'
  if (!pairForm.test(head)) return 'sentence'
  // What is said behind a name may be several sentences.
  return isSpeech(line) ? 'item' : 'pair'
}

/** Wrapped lines are about as long as others and do not end a sentence; of lists, those that are indented. */
function continues(text: string, { start, end, kind }: Block, line: string): boolean {
  if (kind === 'pair' || kind === 'code' || kind === 'heading') return false
  if (kind === 'item') return /^[ \t]/.test(line)
  const feed = text.lastIndexOf('\n', end - 1)
  const before = text.slice(Math.max(start, feed + 1), end)
  return before.length > 40 || !endsSentence.test(before.slice(-8))
}

const sentenceBreak =
  /[.!?]{1,6}["'”’)\]»]{0,3}(?=\s|$)|[。！？]{1,4}["'”’」』）]{0,3}|;(?=\s)(?!\s{1,4}(?:otherwise|else|unless|except|if|provided|in which case|sonst)\b)|,(?=[ \t]+(?:but|while|whereas|although|though)[ \t])/giu
/** What ends in a full stop and no sentence. */
const abbreviation =
  /(?:^|[\s(["'])(?:[\p{L}]|e\.g|i\.e|etc|vs|cf|ca|approx|no|nos|fig|figs|eq|al|st|mr|mrs|ms|dr|prof|inc|ltd|corp|co|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|u\.s|u\.k|z\.b|bzw|usw|d\.h)\.$/iu

function sentencesIn(text: string, block: Block): readonly Proposition[] {
  const body = text.slice(block.start, block.end)
  const label = speakerOf(body)
  const found: Proposition[] = []
  let from = itemForm.exec(body.slice(0, 64))?.[0].length ?? 0
  const push = (to: number): void => {
    const one = trimmed(text, { start: block.start + from, end: block.start + to, kind: block.kind })
    if (one.end > one.start) found.push(label === undefined || found.length === 0 ? one : { ...one, speaker: label })
    from = to
  }
  for (const match of body.matchAll(sentenceBreak)) {
    const to = match.index + match[0].length
    if (to <= from || isNoBreak(body, from, match)) continue
    push(to)
  }
  push(body.length)
  return found
}

function isNoBreak(body: string, from: number, match: RegExpExecArray): boolean {
  const to = match.index + match[0].length
  if (match[0] === ',') return to - from < 24 || body.length - to < 16
  if (match[0] !== '.') return false
  if (abbreviation.test(body.slice(Math.max(from, to - 12), to))) return true
  // A new sentence does not begin with a small letter, unless nothing else does either.
  return /^\s{1,4}\p{Ll}/u.test(body.slice(to, to + 5)) && /\p{Lu}/u.test(body.slice(from, from + 3))
}

const speakerForm =
  /^[ \t]{0,12}((?:\[[^\]\n]{1,40}\][ \t]{1,4})?\p{Lu}[\p{L}\p{N}_.'-]{0,30}(?:[ \t][\p{L}\p{N}_.'()-]{1,30}){0,3}):[ \t]/u

function speakerOf(line: string): string | undefined {
  return speakerForm.exec(line.slice(0, 200))?.[1]
}

/** What somebody says has a sentence's end within it or is long; a value is short. */
function isSpeech(line: string): boolean {
  return speakerOf(line) !== undefined && (line.length > 160 || /[.!?]["'”’)]{0,2}(?:\s|$)/.test(line))
}

function trimmed(text: string, { start, end, kind }: Block): Proposition {
  const body = text.slice(start, end)
  const first = start + (body.length - body.trimStart().length)
  const last = Math.max(first, start + body.trimEnd().length)
  return { text: text.slice(first, last), start: first, end: last, kind }
}
