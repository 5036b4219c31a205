import type { EpochRecord, Manifest, PackEntry } from '../core/index.ts'
import type { Brief } from './measures/compactions.ts'
import type { Moment } from './measures/moments.ts'
import type { TraceRequest } from './trace.ts'

type Entries = ReadonlyMap<string, Pick<PackEntry, 'text'>>

/**
 * What a pack shows for compacted messages. Where items are omitted, those and every summary are compacted: the summary that stands for them need
 * not stand beside them. A summary in a request that omits nothing stands for its own item.
 */
export function briefOf({ messages }: TraceRequest, manifest: Manifest, entries: Entries): Brief | undefined {
  const rungs = new Map(manifest.decisions.map(({ itemId, rung }) => [itemId, rung]))
  if (!Array.from(rungs.values()).includes('omitted')) return undefined
  const compacted = new Set<string>()
  const texts: string[] = []
  for (const message of messages)
    for (const { id } of message.items) {
      const rung = rungs.get(id)
      if (rung === 'summary' || rung === 'omitted') compacted.add(message.id)
      if (rung === 'summary') texts.push(entries.get(id)?.text ?? '')
    }
  return compacted.size === 0 ? undefined : { messages: compacted, text: texts.join('\n') }
}

/** Causes of epochs that begin where the cache holds nothing of use. All others pay for what they write anew. */
const free: ReadonlySet<EpochRecord['cause']> = new Set([
  'first-request',
  'cold-cache',
  'history-changed',
  'policy-changed',
  'layout-changed',
  'step-changed',
])

/** The kind of epoch that began with a compile; undefined where the present one was held. */
export function beganBy({ epoch }: Manifest): Moment | undefined {
  if (epoch?.decision !== 'begin') return undefined
  return free.has(epoch.cause) ? 'cold' : 'warm'
}
