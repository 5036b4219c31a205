import type { GateSet } from './policy-gates.ts'
import { codingRuns } from './recorded-sets.ts'

/** Sets of recorded sessions that policies are tuned and checked on, by their files below the folder of data, without endings. */
export const frontierSets = {
  /** Coding runs that settings are chosen on. */
  'swe': ['swe-traces/lite_test_a'],
  /** Two long sessions. */
  'long': ['coding-sessions/pi_sessions'],
  /** Coding runs that no setting was chosen on. */
  'held-out': codingRuns.filter((name) => !name.endsWith('lite_test_a')),
  'dev': ['swe-traces/deepseek_chat_dev'],
  'mcp': ['mcp-traces/traces.dev'],
  'airline': ['tau-bench/airline.dev'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type FrontierSet = keyof typeof frontierSets
export const frontierSetNames = Object.keys(frontierSets) as readonly FrontierSet[]

/** Gates know all coding runs by one name. */
export function gateSetOf(set: FrontierSet): GateSet {
  return set === 'held-out' || set === 'dev' ? 'swe' : set
}
