import type { CompactionPolicy, EpochPolicy, Policy, Pressure, SectionShare, ToolPolicy } from '../../core/index.ts'
import { frozen } from '../../core/index.ts'

/** What each section may take of the window, and its weight where it competes. No section is promised a minimum. */
const shares: readonly SectionShare[] = [
  { section: 'policy', min: 0, max: 1, weight: 1 },
  { section: 'role', min: 0, max: 1, weight: 1 },
  { section: 'task', min: 0, max: 1, weight: 1 },
  { section: 'tools', min: 0, max: 0.25, weight: 1 },
  { section: 'evidence', min: 0, max: 1, weight: 0.6 },
  { section: 'memory', min: 0, max: 0.5, weight: 0.25 },
  { section: 'situation', min: 0, max: 0.5, weight: 0.25 },
  { section: 'history', min: 0, max: 1, weight: 0.15 },
  { section: 'query', min: 0, max: 1, weight: 1 },
]

const usualEpochs: EpochPolicy = {
  lowestRung: 'trimmed',
  keepFull: 3,
  keepTokens: 1_000,
  keepErrors: 6,
  lineWorth: 0.001,
  ownCalls: 'spent',
  callTokens: 150,
  media: 'superseded',
  expectedTurns: 60,
  patience: 1.3,
  riskShare: 1,
  reserveCalls: 0.3,
  loanAfter: 20,
  loanShare: 0.03,
  loanWithin: 0.15,
}

/** What a brief holds, and when old steps become one. Larger budgets and more standing steps lose less. */
const usualCompaction: CompactionPolicy = {
  patience: 0.25,
  newestSteps: 10,
  newestTokens: 4_000,
  views: 8_000,
  viewSteps: 200,
  tasks: 2_500,
  outlines: 2_000,
  lines: 1_000,
  loanShare: 0.08,
}

const carefulEpochs: EpochPolicy = {
  ...usualEpochs,
  toolFrom: 4_000,
  oldText: 16,
  replacedTokens: 40,
  compaction: { ...usualCompaction, patience: 0.2, newestSteps: 16, views: 12_000, outlines: 4_000, loanShare: 0.03 },
}

/** Fitted on recorded coding runs: docs/policies/briefs.md. */
const balancedEpochs: EpochPolicy = {
  ...usualEpochs,
  toolFrom: 0,
  justRead: { lineWorth: 0.0025, around: 3, steps: 40 },
  keepFull: 4,
  lineWorth: 0.006,
  dataLineWorth: 0.001,
  lineWorthPer: 'character',
  touchAge: true,
  oldText: 16,
  replacedTokens: 40,
  expectedTurns: 40,
  patience: 1.2,
  reserveCalls: 0,
  debtShare: 0.03,
  payback: 0.25,
  compaction: usualCompaction,
}

/** As `balanced`, and fewer lines are worth their tokens. */
const thriftyEpochs: EpochPolicy = {
  ...balancedEpochs,
  justRead: { lineWorth: 0.004, around: 3, steps: 40 },
  keepFull: 3,
  lineWorth: 0.01,
  patience: 1.1,
  debtShare: 0.05,
  compaction: {
    ...usualCompaction,
    patience: 0.5,
    views: 5_000,
    viewSteps: 60,
    tasks: 2_000,
    outlines: 500,
    loanShare: 0.1,
  },
}

/** Room is worth more where what is missing is fetched. */
const thriftyPressure: Pressure = { prepare: 0.8, compress: 0.85, evict: 0.95, roomTurns: 24, lowest: 0.5 }

/** The default: keeps what a model may still need, saves where nothing is lost. */
export const careful: Policy = frozen({
  id: 'careful',
  version: '1.0.0',
  shares,
  floors: { relevance: 0, freshness: 0, authority: 0 },
  rank: { relevance: 0.5, authority: 0.15, freshness: 0.2, utility: 0.1, thrift: 0.05 },
  overflow: 'cascade-compress',
  provenance: 'source',
  pressure: { prepare: 0.8, compress: 0.85, evict: 0.95, roomTurns: 12, lowest: 0.7 },
  reserveShare: 0.1,
  costSensitivity: 0,
  epochs: carefulEpochs,
})

/** Tools of servers are found where that costs less than to carry them: docs/tools/costs.md has what it saves. */
const foundTools: ToolPolicy = { selection: 'auto' }

/** For agents: trims what was just read, and old results where a session's debt stays small. */
export const balanced: Policy = frozen({
  ...careful,
  id: 'balanced',
  version: '0.2.0',
  tools: foundTools,
  epochs: balancedEpochs,
})

/** Saves more and leaves more to rehydration. */
export const thrifty: Policy = frozen({
  ...careful,
  id: 'thrifty',
  version: '1.1.0',
  tools: foundTools,
  pressure: thriftyPressure,
  epochs: thriftyEpochs,
})

/**
 * Plain masking of observations: the newest two results and those that no turn has read stand, every other is the one line that says what it
 * was and how it ended, with its handle. Its own calls stay as the model wrote them.
 */
export const masked: Policy = frozen({
  ...careful,
  id: 'masked',
  version: '1.0.0',
  epochs: {
    ...usualEpochs,
    lowestRung: 'line',
    keepFull: 2,
    keepTokens: 0,
    lineWorth: 1_000_000,
    ownCalls: 'whole',
  },
})

/** As `careful`, and what is suspected to hold orders is quoted as data; words of users are noted and let pass. */
export const guarded: Policy = frozen({
  ...careful,
  id: 'guarded',
  version: '1.0.0',
  defense: { threshold: 0.5, untrusted: 'quarantine', semiTrusted: 'log', stripInvisible: true },
})

/**
 * As `guarded`, and every pack is held to all eight targets of quality: what is out of bounds raises an alarm, and refuses the compile of a task that is
 * safety-critical.
 */
export const audited: Policy = frozen({ ...guarded, id: 'audited', version: '1.0.0', quality: {} })

/** Packs that keep more: low floors, room for evidence, and nothing sent where not all of it fits. */
export const qualityFirst: Policy = frozen({
  ...careful,
  id: 'quality-first',
  version: '1.0.0',
  rank: { relevance: 0.6, authority: 0.2, freshness: 0.1, utility: 0.1, thrift: 0 },
  overflow: 'fail-loud',
  epochs: { ...usualEpochs, toolFrom: 4_000 },
})

/** Packs that cost less: higher floors, small items first, and a price on every token. */
export const costFirst: Policy = frozen({
  ...careful,
  id: 'cost-first',
  version: '1.0.0',
  floors: { relevance: 0.3, freshness: 0, authority: 0 },
  rank: { relevance: 0.5, authority: 0.1, freshness: 0.1, utility: 0.1, thrift: 0.2 },
  costSensitivity: 0.00001,
  pressure: thriftyPressure,
  epochs: thriftyEpochs,
})

/**
 * For payloads that are one step of a task: policy, step and criteria must be given, and what does not fit gives way in the order of
 * `relief: "step-pack"`, never tools.
 */
export const stepPackPolicy: Policy = frozen({
  ...careful,
  id: 'step-pack',
  version: '1.0.0',
  requires: ['policy', 'step', 'acceptance'],
  relief: 'step-pack',
})
