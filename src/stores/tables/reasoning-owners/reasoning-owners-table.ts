import { keyedTable } from '../keyed-table.ts'
import { moveFromOriginals } from '../move-from-originals.ts'

/** Which model of which upstream has sealed a piece of reasoning, by the hash of the seal. */
export const reasoningOwnersTable = keyedTable<string>()({
  name: 'reasoning-owners',
  stands: 'first',
  moves: moveFromOriginals('reasoning_owners', { word: 'seal', lane: 'kept', value: 'json_quote(text)' }),
})
