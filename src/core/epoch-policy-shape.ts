import { lineWorthUnits, lowestRungs, mediaRetentions, ownCallRules } from './policy-parts.ts'
import type { CompactionPolicy, EpochPolicy, JustReadPolicy } from './policy-parts.ts'
import * as shape from './shape.ts'

const { amount, count, flag, object, oneOf, optional, share } = shape

export const compactionPolicyShape = object<CompactionPolicy>({
  views: count,
  viewSteps: count,
  tasks: count,
  outlines: count,
  lines: count,
  patience: amount,
  newestSteps: count,
  newestTokens: count,
  loanShare: amount,
})

export const justReadPolicyShape = object<JustReadPolicy>({
  lineWorth: amount,
  around: count,
  leastTokens: optional(count),
  leastShare: optional(share),
  payWithin: optional(amount),
  steps: optional(count),
})

export const epochPolicyShape = object<EpochPolicy>({
  lowestRung: oneOf(lowestRungs),
  keepFull: count,
  keepTokens: count,
  keepErrors: count,
  lineWorth: amount,
  ownCalls: oneOf(ownCallRules),
  callTokens: count,
  media: optional(oneOf(mediaRetentions)),
  toolFrom: optional(count),
  expectedTurns: amount,
  patience: amount,
  riskShare: share,
  reserveCalls: amount,
  loanAfter: count,
  loanShare: share,
  loanWithin: amount,
  compaction: optional(compactionPolicyShape),
  debtShare: optional(share),
  payback: optional(share),
  justRead: optional(justReadPolicyShape),
  touchAge: optional(flag),
  oldText: optional(count),
  replacedTokens: optional(count),
  dataLineWorth: optional(amount),
  lineWorthPer: optional(oneOf(lineWorthUnits)),
})
