import type { Scope } from '../../kernel/scope.ts'
import { keyedTable } from '../keyed-table.ts'
import { moveFromOriginals } from '../move-from-originals.ts'

/** The conversation that a reply belongs to which the provider keeps, by the id of the reply. */
export const keptRepliesTable = keyedTable<Required<Pick<Scope, 'session' | 'lane'>>>()({
  name: 'kept-replies',
  stands: 'first',
  moves: moveFromOriginals('kept_replies', { word: 'reply', lane: 'kept', value: 'text' }),
})
