import type { PackSummary } from '../api/answers.ts'

export interface TabProps {
  readonly pack: PackSummary
}
