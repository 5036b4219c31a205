import { entriesOf } from '../compiler/index.ts'
import type { Item } from '../core/index.ts'
import type { TurnItem, Write } from '../stores/index.ts'
import type { SessionTurn } from './session-turn.ts'

/** What a request added to its conversation, for the log of its session; without texts where they are not recorded. */
export function turnWrite(turn: SessionTurn, recordsContent: boolean): Write {
  // Definitions of tools are no part of what was said.
  const said = recordsContent ? newItems(turn).filter(({ kind }) => kind !== 'tool-schema') : []
  const items = said.map(turnItem)
  return { table: 'turns', requestId: turn.requestId, items }
}

/** Those behind what the request before has in common with it. */
function newItems({ before, after, input }: SessionTurn): readonly Item[] {
  const known = entriesOf(before.ledger)
  const now = entriesOf(after.ledger)
  if (now.length !== input.items.length) return input.items
  const at = now.findIndex(({ key }, index) => known[index]?.key !== key)
  return at < 0 ? [] : input.items.slice(at)
}

function turnItem({ id: itemId, kind, role, section, toolName, text }: Item): TurnItem {
  return { itemId, kind, ...(role && { role }), section, ...(toolName !== undefined && { toolName }), text }
}
