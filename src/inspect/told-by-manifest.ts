import type { EpochRecord, Manifest, PackEntry, Rung } from '../core/index.ts'
import type { Brief } from './measures/compactions.ts'
import type { Moment } from './measures/moments.ts'
import type { TraceRequest } from './trace.ts'

type Entries = ReadonlyMap<string, Pick<PackEntry, 'text'>>

/**
 * What a pack shows for compacted messages. Compacted are items of rung `summary` or `omitted` that stand side by side where at least one of
 * them is omitted: a summary beside none stands for its own item.
 */
export function briefOf({ messages }: TraceRequest, manifest: Manifest, entries: Entries): Brief | undefined {
  const rungs = new Map(manifest.decisions.map(({ itemId, rung }) => [itemId, rung]))
  const compacted = new Set<string>()
  const texts: string[] = []
  let run: Compacted[] = []
  const close = (): void => {
    if (run.some(({ rung }) => rung === 'omitted'))
      for (const { messageId, itemId, rung } of run) {
        compacted.add(messageId)
        if (rung === 'summary') texts.push(entries.get(itemId)?.text ?? '')
      }
    run = []
  }
  for (const message of messages)
    for (const { id } of message.items) {
      const rung = rungs.get(id)
      if (rung === 'summary' || rung === 'omitted') run.push({ messageId: message.id, itemId: id, rung })
      else close()
    }
  close()
  return compacted.size === 0 ? undefined : { messages: compacted, text: texts.join('\n') }
}

interface Compacted {
  readonly messageId: string
  readonly itemId: string
  readonly rung: Rung
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
