import { Counter } from 'prom-client'
import type { Registry } from 'prom-client'
import type { DeclaredCounter } from './built-in-metrics.ts'

/** A counter without labels. */
export interface Count {
  inc(by?: number): void
}

/** A counter with labels. */
export interface CountedMetric<Label extends string> {
  inc(labels: Readonly<Record<Label, string>>, by?: number): void
}

interface Counted {
  readonly labels: Readonly<Record<string, string>>
  count: number
}

/** Adds up between two readings and tells the registry when it is read: it looks labels up far slower than a map does. */
export function tally({ name, help, labels: given }: DeclaredCounter, registry: Registry): CountedMetric<string> {
  const since = new Map<string, Counted>()
  const labelNames = [...given]
  const counter: Counter = new Counter({
    name: `prehend_${name}`,
    help,
    registers: [registry],
    labelNames,
    collect() {
      for (const [key, { labels, count }] of since) {
        // What was paid in advance and given back is less than nothing: it is set off against what follows.
        if (count < 0) continue
        since.delete(key)
        counter.inc(labels, count)
      }
    },
  })
  return {
    inc(labels, by = 1) {
      if (!Number.isFinite(by)) return
      let key = ''
      for (const label of labelNames) key += `${labels[label]}\n`
      const known = since.get(key)
      if (known) known.count += by
      else since.set(key, { labels, count: by })
    },
  }
}

/**
 * A counter with a label whose values clients may write: those beyond the first ones are counted together, since the
 * registry keeps a series for ever.
 */
export function boundedTally(declared: DeclaredCounter, registry: Registry, bounded: string): CountedMetric<string> {
  const counts = tally(declared, registry)
  if (!declared.labels.includes(bounded)) return counts
  const bound = firstValues(mostValues)
  return { inc: (labels, by) => counts.inc({ ...labels, [bounded]: bound(labels[bounded] ?? '') }, by) }
}

/** Values of a label that are told apart. */
export const mostValues = 500

/** Gives the first values as they are, cut to 100 characters, and `other` for all that come later. */
export function firstValues(most: number): (value: string) => string {
  const known = new Set<string>()
  return (value) => {
    const short = value.slice(0, 100)
    if (known.size < most) known.add(short)
    return known.has(short) ? short : 'other'
  }
}
