import type { PackSummary } from '../api/answers.ts'

/** A tab asks for what it shows as soon as the request is named, and shows it when the request itself is there. */
export interface TabProps {
  /** As the address has it. */
  readonly id: string
  readonly pack: PackSummary | undefined
}
