import type { LadderMaker, ToolSchemaLevel } from '../core/index.ts'
import { toolSchemaLevels } from '../core/index.ts'
import { fullRendition } from './full.ts'
import type { Draft } from './renditions.ts'
import { measured } from './renditions.ts'
import { schemaAtLevel } from './schema-levels.ts'
import type { SchemaLevel } from './schema-levels.ts'

/** How a tool definition in the native list may be shown: always as a definition, never as text. */
export const toolSchemaLadder: LadderMaker = (item, context) => {
  const full = fullRendition(item, context)
  const at = (level: ToolSchemaLevel, form: SchemaLevel = level): string | undefined =>
    reaches(context.schemas, level) ? schemaAtLevel(item.text, form) : undefined
  const minified = at('minify')
  const truncated = at('truncate')
  const required = at('aggressive', 'required')
  const unexampled = context.examples === true ? at('truncate', 'unexampled') : undefined
  const drafts: Draft[] = []
  const { handle } = context
  if (minified !== undefined) drafts.push({ rung: 'lossless', text: minified, fidelity: 1, handle })
  if (unexampled !== undefined) drafts.push({ rung: 'trimmed', text: unexampled, fidelity: 0.9, handle })
  if (truncated !== undefined) drafts.push({ rung: 'trimmed', text: truncated, fidelity: 0.6, handle })
  if (required !== undefined) drafts.push({ rung: 'trimmed', text: required, fidelity: 0.3, handle })
  return measured(full, drafts, context)
}

function reaches(most: ToolSchemaLevel | undefined, level: ToolSchemaLevel): boolean {
  return toolSchemaLevels.indexOf(level) <= toolSchemaLevels.indexOf(most ?? 'truncate')
}
