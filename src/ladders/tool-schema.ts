import type { LadderMaker, ToolSchemaLevel } from '../core/index.ts'
import { toolSchemaLevels } from '../core/index.ts'
import { fullRendition } from './full.ts'
import { writeMarker } from './marker-grammar.ts'
import type { Draft } from './renditions.ts'
import { measured } from './renditions.ts'
import { schemaAtLevel } from './schema-levels.ts'

/** Levels that leave something out, with what is left of a definition. */
const lossy = [
  ['truncate', 'unexampled', 0.9],
  ['truncate', 'truncate', 0.6],
  ['aggressive', 'required', 0.3],
] as const

/**
 * How a tool definition in the native list may be shown: always as a definition, never as text. One that leaves something out says how it comes
 * back, where it can.
 */
export const toolSchemaLadder: LadderMaker = (item, context) => {
  const full = fullRendition(item, context)
  const { handle, schemas, conversation } = context
  const drafts: Draft[] = []
  const minified = reaches(schemas, 'minify') ? schemaAtLevel(item.text, 'minify') : undefined
  if (minified !== undefined) drafts.push({ rung: 'lossless', text: minified, fidelity: 1, handle })
  const noteOf = (form: (typeof lossy)[number][1]): string | undefined =>
    context.unhandled === true
      ? undefined
      : writeMarker(form === 'unexampled' ? 'schema-examples' : 'schema', { handle })
  for (const [level, form, fidelity] of conversation?.lowestRung === 'lossless' ? [] : lossy) {
    if (!reaches(schemas, level) || (form === 'unexampled' && context.examples !== true)) continue
    const text = schemaAtLevel(item.text, form, noteOf(form))
    if (text !== undefined) drafts.push({ rung: 'trimmed', text, fidelity, handle })
  }
  return measured(full, drafts, context)
}

function reaches(most: ToolSchemaLevel | undefined, level: ToolSchemaLevel): boolean {
  return toolSchemaLevels.indexOf(level) <= toolSchemaLevels.indexOf(most ?? 'truncate')
}
