import type { Proposition } from './propositions.ts'

/** Whether a proposition only says what the next ones are about. */
export function leads({ text, kind }: Pick<Proposition, 'text' | 'kind'>): boolean {
  return kind === 'heading' || /:["'*_]{0,3}$/.test(text.slice(-4))
}

/** A sentence that begins so goes on with what was said before it. */
const goesOn =
  /^(?:this|that|these|those|it|its|they|their|he|she|his|her|such|so|if (?:so|not|yes|no)|otherwise|however|but|instead|then|therefore|thus|also|in that case|while|whereas|although|though)\b/i

/** What later lines may stand below. */
interface Open {
  readonly at: number
  readonly indent: number
  /** Whether it is what a list is led up to by, which stands as far left as the list itself. */
  readonly isLead: boolean
}

interface State {
  readonly open: Open[]
  heading: number
}

/**
 * For each proposition the one without which it would be misread, by its index; -1 where there is none: the item that it stands below, what
 * leads up to its list, the sentence that it goes on with, its heading. Always one that stands before. Linear.
 */
export function holdersOf(text: string, propositions: readonly Proposition[]): Int32Array {
  const holders = new Int32Array(propositions.length).fill(-1)
  const state: State = { open: [], heading: -1 }
  for (const [at, one] of propositions.entries()) {
    const gap = at === 0 ? '\n' : text.slice(propositions[at - 1]?.end ?? 0, one.start)
    if (one.kind === 'heading') {
      state.open.length = 0
      state.heading = at
    } else if (gap.includes('\n')) {
      holders[at] = holderOfLine(state, { text, one, at, gap })
    } else {
      const goes = one.speaker === undefined && goesOn.test(one.text)
      holders[at] = goes ? at - 1 : (holders[at - 1] ?? state.heading)
      if (leads(one)) state.open.push({ at, indent: state.open.at(-1)?.indent ?? 0, isLead: true })
    }
  }
  return holders
}

interface Line {
  readonly text: string
  readonly one: Proposition
  readonly at: number
  /** What stands between it and the proposition before. */
  readonly gap: string
}

/** Of a proposition that opens a line; from then on it may hold others itself. */
function holderOfLine({ open, heading }: State, { text, one, at, gap }: Line): number {
  const lead = text.slice(text.lastIndexOf('\n', one.start - 1) + 1, one.start)
  const indent = lead.length - lead.trimStart().length
  const isListed = one.kind === 'item' || one.kind === 'pair'
  const isParagraph = !isListed && indent === 0 && gap.indexOf('\n') !== gap.lastIndexOf('\n')
  if (isParagraph) open.length = 0
  closeAtMost(open, indent, isListed)
  const goes = one.kind === 'sentence' && !isParagraph && one.speaker === undefined && goesOn.test(one.text)
  const holder = open.at(-1)?.at ?? (goes ? at - 1 : heading)
  open.push({ at, indent, isLead: !isListed && leads(one) })
  return holder
}

/** Nothing stands below what stands as far right, but for a list and what leads up to it. */
function closeAtMost(open: Open[], indent: number, isListed: boolean): void {
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const holds = last.indent < indent || (isListed && last.isLead && last.indent === indent)
    if (holds) return
    open.pop()
  }
}
