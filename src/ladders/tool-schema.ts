import type { LadderMaker } from '../core/index.ts'
import { fullRendition } from './full.ts'
import type { Draft } from './renditions.ts'
import { measured } from './renditions.ts'
import { schemaAtLevel } from './schema-levels.ts'

/** How a tool definition in the native list may be shown: always as a definition, never as text. */
export const toolSchemaLadder: LadderMaker = (item, context) => {
  const full = fullRendition(item, context)
  const minified = schemaAtLevel(item.text, 'minify')
  const truncated = schemaAtLevel(item.text, 'truncate')
  const unexampled = context.examples === true ? schemaAtLevel(item.text, 'unexampled') : undefined
  const drafts: Draft[] = []
  const { handle } = context
  if (minified !== undefined) drafts.push({ rung: 'lossless', text: minified, fidelity: 1, handle })
  if (unexampled !== undefined) drafts.push({ rung: 'trimmed', text: unexampled, fidelity: 0.9, handle })
  if (truncated !== undefined) drafts.push({ rung: 'trimmed', text: truncated, fidelity: 0.6, handle })
  return measured(full, drafts, context)
}
