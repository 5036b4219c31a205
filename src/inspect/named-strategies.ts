import { didYouMean, invalidInput } from '../core/index.ts'
import { batchMask, keepLast, passThrough, slidingWindow } from './plain-strategies.ts'
import { clearToolUses, compact } from './provider-strategies.ts'
import type { Strategy } from './strategy.ts'

/** Makes a strategy from the numbers in its name. */
interface NamedStrategy {
  readonly name: string
  readonly pattern: RegExp
  make(numbers: readonly number[]): Strategy
}

const plain: readonly NamedStrategy[] = [
  { name: 'pass-through', pattern: /^pass-through$/, make: () => passThrough() },
  { name: 'keep-last-10', pattern: /^keep-last-(\d{1,6})$/, make: ([kept = 10]) => keepLast(kept) },
  {
    name: 'batch-mask-30-10',
    pattern: /^batch-mask-(\d{1,6})-(\d{1,6})$/,
    make: ([high = 30, low = 10]) => batchMask({ high, low }),
  },
  {
    name: 'sliding-window',
    pattern: /^sliding-window(?:-(\d{1,9}))?$/,
    make: ([tokens = 32_000]) => slidingWindow(tokens),
  },
]

/** What providers do themselves where they are asked to; only where they are named. */
const byProvider: readonly NamedStrategy[] = [
  {
    name: 'clear-tool-uses-100000-3',
    pattern: /^clear-tool-uses(?:-(\d{1,9})(?:-(\d{1,6}))?)?$/,
    make: ([trigger = 100_000, keep = 3]) => clearToolUses({ trigger, keep }),
  },
  {
    name: 'compact-150000-2000',
    pattern: /^compact(?:-(\d{1,9})(?:-(\d{1,9}))?)?$/,
    make: ([trigger = 150_000, summary = 2000]) => compact({ trigger, summary }),
  },
]

/** Those of the report unless some are named, in its order; numbers in a name may be others. */
export function strategiesNamed(names: readonly string[] | undefined, ours: readonly Strategy[]): readonly Strategy[] {
  const all = [...plain.map(({ name }) => name), ...ours.map(({ name }) => name)]
  return [...new Set(names ?? all)].map((name) => {
    const own = ours.find((strategy) => strategy.name === name)
    if (own !== undefined) return own
    for (const { pattern, make } of [...plain, ...byProvider]) {
      const match = pattern.exec(name)
      if (match !== null) return make(match.slice(1).flatMap((text) => (text === undefined ? [] : [Number(text)])))
    }
    const known = [...all, ...byProvider.map((each) => each.name)]
    const hint = didYouMean(name, known)
    const list = `${known.join(', ')}, and prehend:POLICY with the name or file of a policy`
    throw invalidInput('--strategy', `${JSON.stringify(name)} is not known`, `${hint}There are ${list}`)
  })
}
