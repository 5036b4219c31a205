import type { components } from './schema.ts'

type Schemas = components['schemas']

/** What the routes answer, by the names of the published document. */
export type Artifact = Schemas['Artifact']
export type AuditEntry = Schemas['AuditEntry']
export type BudgetStanding = Schemas['BudgetStanding']
export type ClientTool = Schemas['ClientTool']
export type ClientToolUsage = Schemas['ToolUsageOfClients']
export type Figures = Schemas['Figures']
export type Health = Schemas['Health']
export type Key = Schemas['Key']
export type MadeKey = Schemas['MadeKey']
export type Outcome = Schemas['Outcome']
export type PackBytes = Schemas['PackBytes']
export type PackDifference = Schemas['PackDifference']
export type PackHead = Schemas['ReceiptSummary']
export type PackComparison = Schemas['PackComparison']
export type PackSummary = Schemas['PackSummary']
export type PackView = Schemas['PackView']
export type PolicyExplained = Schemas['ExplainedPolicy']
export type PolicyList = Schemas['PolicyList']
export type ProviderKey = Schemas['ProviderKey']
export type Rehydrated = Schemas['Rehydrated']
export type Replay = Schemas['Replay']
export type ReplayReport = Schemas['ReplayReport']
export type ReplayedRequest = Schemas['ReplayedRequest']
export type SearchResult = Schemas['SearchResult']
export type SessionDetail = Schemas['SessionDetail']
export type SessionEpoch = Schemas['SessionEpoch']
export type SessionOutline = Schemas['SessionOutline']
export type SessionSummary = Schemas['SessionSummary']
export type ShownItem = Schemas['ShownItem']
export type Statistics = Schemas['Statistics']
export type SessionLabel = Schemas['SessionLabel']
export type Steering = Schemas['Steering']
export type TenantSettings = Schemas['TenantSettings']
export type Tool = Schemas['Tool']
export type ToolCall = Schemas['ToolCall']
export type ToolSummary = Schemas['ToolSummary']
export type TokenUsage = Schemas['TokenUsage']
export type TimelineEntry = Schemas['TimelineEntry']
export type Verification = Schemas['Verification']
export type Decision = Schemas['NamedDecision']
export type SectionBudget = Schemas['SectionBudget']

/** A page of a list. */
export interface List<Row> {
  readonly data: readonly Row[]
  /** `cursor` of the page behind this one; null where there is none. */
  readonly next: string | null
}
