import { keyedTable } from '../keyed-table.ts'
import { moveFromOriginals } from '../move-from-originals.ts'

/** Images and recordings as they were made to be shown, as `data:` URLs, by original and recipe: the same bytes go out again. */
export const madeMediaTable = keyedTable<string>()({
  name: 'made-media',
  stands: 'first',
  moves: moveFromOriginals('made_media', { word: 'made', value: 'json_quote(text)' }),
})
