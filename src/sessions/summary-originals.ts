import { rehydrateToolName } from '../core/index.ts'
import type { Item, Manifest, SummaryRecord } from '../core/index.ts'
import type { Original } from '../stores/index.ts'

export interface SummarySources {
  readonly items: readonly Item[]
  /** The numbers by which briefs name calls and results, one per item. */
  readonly steps: readonly number[]
  readonly decisions: Manifest['decisions']
  readonly requestId?: string | undefined
  /** Where the bytes of a media item are; empty where nobody knows. */
  urlOf(item: Item): string
}

/** What the handle of each summary brings back, and each of the media that it stands for, under a handle of its own. */
export function summaryOriginals(summaries: readonly SummaryRecord[], sources: SummarySources): Original[] {
  const { items, steps, decisions, requestId } = sources
  const byId = new Map(items.map((item, index): [string, Said] => [item.id, { item, step: steps[index] ?? 0 }]))
  return summaries.flatMap((summary) => {
    const decision = decisions.find(({ handle }) => handle === summary.handle)
    const leftOutAs = (now: Pick<NonNullable<Original['leftOut']>, 'itemId' | 'rung'>): Pick<Original, 'leftOut'> =>
      decision === undefined
        ? {}
        : { leftOut: { ...now, reason: decision.reason, ...(requestId !== undefined && { requestId }) } }
    /** Of the media whose bytes are at hand, by id. */
    const handles = new Map<string, string>()
    const media = (summary.media ?? []).flatMap(({ itemId, handle }): Original[] => {
      const item = byId.get(itemId)?.item
      const text = item === undefined ? '' : sources.urlOf(item)
      if (item === undefined || text === '') return []
      const { kind, toolName } = item
      handles.set(itemId, handle)
      return [
        { handle, text, kind, ...(toolName !== undefined && { toolName }), ...leftOutAs({ itemId, rung: 'omitted' }) },
      ]
    })
    const text = saidIn(summary, byId, handles)
    const { itemId, rung = 'summary' } = decision ?? {}
    return [
      { handle: summary.handle, text, kind: 'text', ...(itemId !== undefined && leftOutAs({ itemId, rung })) },
      ...media,
    ]
  })
}

interface Said {
  readonly item: Item
  readonly step: number
}

/** What was said, by whom, what was called and what came back, in its order. */
function saidIn(
  { itemIds }: SummaryRecord,
  byId: ReadonlyMap<string, Said>,
  handles: ReadonlyMap<string, string>,
): string {
  const said = itemIds.flatMap((id): string[] => {
    const { item, step = 0 } = byId.get(id) ?? {}
    if (item?.kind === 'text') return [`${item.role ?? 'user'}:\n${item.text}`]
    if (item?.kind === 'media') return [mediaLine(item, handles.get(id))]
    if (item?.kind === 'tool-call') return [`[step ${step}] call of ${item.toolName ?? 'tool'}:\n${item.text}`]
    return item?.kind === 'tool-result' ? [`[step ${step}] result:\n${item.text}`] : []
  })
  return said.join('\n\n')
}

/** Text cannot show media, and names the handle that does. */
function mediaLine({ media }: Item, handle: string | undefined): string {
  const type = media?.type ?? 'image'
  return handle === undefined
    ? `[${type}, not kept: call its tool again]`
    : `[${type}: ${rehydrateToolName}("${handle}") shows it]`
}
