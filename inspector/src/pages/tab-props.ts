import type { PackRecord } from '../api/answers.ts'

export interface TabProps {
  readonly pack: PackRecord
}
