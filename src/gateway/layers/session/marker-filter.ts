import type { MarkerWriter } from '../../../sessions/index.ts'
import type { ReplyFilter } from '../../outlet/reply-filter.ts'

/** Markers of ours that a model has copied, written out in what its calls say. */
export function markerFilter({ open }: MarkerWriter): ReplyFilter {
  return { name: 'marker', failure: 'open', kinds: ['arguments'], open }
}
