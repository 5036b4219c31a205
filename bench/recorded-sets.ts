/** The recorded coding runs, by their files below the folder of data, without endings. */
export const codingRuns: readonly string[] = [
  'lite_test_a',
  'deepseek_chat_dev',
  'deepseek_chat_dev_rerun',
  'deepseek_lite_dev_noparallel',
  'deepseek_reasoner_dev',
].map((name) => `swe-traces/${name}`)

/** The recorded sessions, as the tables of `docs/benchmarks/` take them together. */
export const recordedSets: readonly (readonly [name: string, files: readonly string[]])[] = [
  ['swe-traces', codingRuns],
  ['coding-sessions', ['coding-sessions/pi_sessions']],
  ['mcp-traces', ['mcp-traces/traces.dev']],
  ['tau-bench', ['tau-bench/airline.dev']],
]
