import type { StrategyReport } from '../src/inspect/index.ts'

export const ruleNames = ['plain', 'anthropic', 'openai', 'deepseek', 'Gemini', 'OpenRouter'] as const
export type RuleName = (typeof ruleNames)[number]

/** Sessions of so many requests are not short. */
export const longFrom = 10
/** What the definition of our tool costs where it is read, about. */
export const definitionTokens = 60

/** Recorded sessions of one set by the rules of one provider, sent by one policy. */
export interface GateFigures {
  readonly rule: RuleName
  readonly set: string
  readonly policy: string
  readonly report: StrategyReport
  readonly sessions: readonly SessionCost[]
}

/** What a session cost beside sending everything. */
export interface SessionCost {
  readonly requests: number
  readonly ratio: number
  /** In tokens at the full price. */
  readonly above: number
  /** The same without the definition of our tool, where it is short and dearer than that. */
  readonly besideTool: number
}
