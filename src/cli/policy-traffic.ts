import type { Manifest, Policy, Situation } from '../core/index.ts'
import { countingOf, replay } from '../inspect/index.ts'
import type { Replay, StrategyReport } from '../inspect/index.ts'
import type { Io } from './io.ts'
import { prehendStrategies } from './prehend-strategies.ts'
import { feed, rulesOf } from './replay-feed.ts'

/** What a policy would have made of recorded traffic. */
export interface PolicyTraffic {
  readonly policy: string
  readonly report: StrategyReport
  /** Tokens that each section took, in all requests together. */
  readonly sections: Readonly<Record<string, number>>
}

export interface Traffic {
  /** The rules that it is billed by. */
  readonly provider: string
  readonly traces: number
  readonly requests: number
  readonly policies: readonly PolicyTraffic[]
}

export interface TrafficOptions {
  readonly files: readonly string[]
  readonly window?: number
  readonly limit?: number
  readonly situation: Situation
  readonly io: Io
  readonly json?: boolean
  /** Told of every pack that would have been sent, with the index of its policy. */
  packed?(manifest: Manifest, policy: number): void
}

/** Replays traffic under each policy, as `prehend replay` does. */
export async function trafficOf(
  policies: readonly Policy[],
  { files, window, limit, situation, io, json = false, packed }: TrafficOptions,
): Promise<Traffic | 'interrupted'> {
  const rules = await rulesOf({}, files)
  const tallies = policies.map((_, index) => tally((manifest) => packed?.(manifest, index)))
  const strategies = await prehendStrategies(rules, {
    policies: policies.map((policy, index) => ({
      name: `${'AB'.charAt(index)} ${policy.id}`,
      policy,
      packed: (manifest) => tallies[index]?.add(manifest),
    })),
    windowTokens: window,
    situation,
  })
  const run = replay({
    strategies,
    provider: rules.name,
    ...countingOf(rules),
    openCache: rules.openCache,
    prices: rules.prices,
    outputPrice: rules.outputPrice,
    windowTokens: window,
    clock: () => performance.now(),
  })
  const fed = { files, limit, findNeedles: true, skipInvalid: false, io, quiet: json }
  // A trace is packed again for what it would cost to fetch what is missing; that is not what would have been sent.
  const firstOnly: Replay = {
    ...run,
    add(trace) {
      for (const own of tallies) own.begin(trace.requests.length)
      run.add(trace)
    },
  }
  if (!(await feed(firstOnly, fed)).whole) return 'interrupted'
  const { traces, requests, strategies: reports } = run.report()
  return {
    provider: rules.name,
    traces,
    requests,
    policies: reports.map((report, index) => ({
      policy: policies[index]?.id ?? '',
      report,
      sections: tallies[index]?.sections() ?? {},
    })),
  }
}

function tally(told: (manifest: Manifest) => void) {
  const sections = new Map<string, number>()
  let left = 0
  return {
    begin(requests: number): void {
      left = requests
    },
    add(manifest: Manifest): void {
      if (left === 0) return
      left -= 1
      told(manifest)
      for (const { section, usedTokens } of manifest.sections)
        if (usedTokens > 0) sections.set(section, (sections.get(section) ?? 0) + usedTokens)
    },
    sections: () => Object.fromEntries(sections),
  }
}
