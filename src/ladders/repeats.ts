import type { Item, LineIndex, LineReference } from '../core/index.ts'
import { longStrings, withStrings } from './json-strings.ts'
import type { LadderOptions } from './ladder-options.ts'
import { referRepeats } from './refer-repeats.ts'
import type { Draft } from './renditions.ts'
import { shortestString } from './text-facts.ts'

/** Shorter runs in a model's own calls are left as they are: a call must read like one. */
const minRunInCalls = 6

/**
 * A result or a call in which runs of lines that already stand in the visible context are references. That costs no
 * cached byte and loses nothing.
 */
export function repeatsDrafts(item: Item, context: LadderOptions): readonly Draft[] {
  const index = context.conversation?.shownLines
  if (index === undefined) return []
  const { text, references } =
    item.kind === 'tool-call' ? referCall(item, index, context) : referText(item, index, context)
  return references.length === 0 ? [] : [{ rung: 'lossless', text, fidelity: 1, handle: context.handle, references }]
}

interface Referred {
  readonly text: string
  readonly references: readonly LineReference[]
}

function referText({ text }: Item, index: LineIndex, { count }: LadderOptions): Referred {
  return referRepeats({ text, index, count })
}

function referCall({ text }: Item, index: LineIndex, { count }: LadderOptions): Referred {
  const strings = longStrings(text, shortestString)
  const references: LineReference[] = []
  const values = strings.map(({ value }) => {
    const referred = referRepeats({ text: value, index, count, minRun: minRunInCalls })
    references.push(...referred.references)
    return referred.text
  })
  return { text: withStrings(text, strings, values), references }
}
