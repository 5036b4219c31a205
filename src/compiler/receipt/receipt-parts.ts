import type { CompileInput } from '../../core/index.ts'
import type { CandidateList } from '../items/read-candidates.ts'
import type { QualityMeter } from '../quality/quality-meter.ts'
import type { Decide } from './decide.ts'
import type { ReportSections } from './report-sections.ts'

/** What a receipt is made with. */
export interface ReceiptParts {
  readonly tokenizerId: string
  readonly decide: Decide
  readonly reportSections: ReportSections
  readonly measureQuality: QualityMeter
  hash(text: string): string
  inputHash(input: CompileInput, list: CandidateList): string
}
