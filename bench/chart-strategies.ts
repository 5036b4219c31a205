import { policies } from '../src/compiler/index.ts'

/** Policies for agents, as far as they come with the product. */
export const chartPolicies: readonly string[] = ['careful', 'balanced', 'thrifty', 'masked'].filter((name) =>
  Object.hasOwn(policies, name),
)

/** Every strategy that `prehend replay` knows, with usual numbers. */
export const chartRivals: readonly string[] = [
  'keep-last-10',
  'batch-mask-30-10',
  'batch-mask-20-5',
  'sliding-window-32000',
  'sliding-window-60000',
  'clear-tool-uses-20000-3',
  'clear-tool-uses-50000-3',
  'compact-30000-2000',
  'compact-60000-2000',
  'compact-100000-2000',
  'pass-through',
]

export interface FrontierCall {
  readonly sets: readonly string[]
  readonly rules: readonly string[]
  readonly policies?: readonly string[]
  readonly rivals?: readonly string[]
  readonly limit?: string | undefined
  readonly windowTokens?: number
  readonly data: string
}

/** Arguments of `bench/frontier.ts`; the policies and rivals of the chart by default. */
export function frontierArguments(call: FrontierCall): readonly string[] {
  const { sets, rules, limit, windowTokens, data } = call
  return [
    '--json',
    '--set',
    sets.join(','),
    '--rules',
    rules.join(','),
    '--data',
    data,
    ...(call.policies ?? chartPolicies).flatMap((name) => ['--policy', name]),
    ...(call.rivals ?? chartRivals).flatMap((name) => ['--rival', name]),
    ...(limit === undefined ? [] : ['--limit', limit]),
    ...(windowTokens === undefined ? [] : ['--window', String(windowTokens)]),
  ]
}
