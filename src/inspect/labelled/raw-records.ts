import type { JsonObject } from '../../core/index.ts'
import type { LabelledPassage } from './labelled-set.ts'
import type { PlacedRecord } from './record-fields.ts'
import { listField, textEntry, textField } from './record-fields.ts'

/** What a question needs, by names that its conversation or its documents resolve. */
export interface RawQuestion {
  readonly placed: PlacedRecord
  readonly id: string
  readonly text: string
  /** The conversation that it was asked of; a document set where absent. */
  readonly of?: string
  /** Ids of passages or, where `byIndex`, their places. */
  readonly evidence: readonly (string | number)[]
  /** The member that names them. */
  readonly field: string
  readonly answers: readonly string[]
  /** Sentences that tell it, by document and place. */
  readonly sentences: readonly { readonly document: string; readonly sentence: number }[]
  /** Why it is not asked, where it is not. */
  readonly leftOut?: string
}

export interface RawConversation {
  readonly id: string
  readonly passages: readonly LabelledPassage[]
  readonly questions: readonly RawQuestion[]
}

export interface RawDocument extends LabelledPassage {
  readonly sentences: readonly string[]
}

/** What a line of a labelled file was read as. */
export type ReadRecord =
  | { readonly kind: 'conversation'; readonly conversation: RawConversation }
  | { readonly kind: 'document'; readonly document: RawDocument }
  | { readonly kind: 'questions'; readonly questions: readonly RawQuestion[] }

/** One way in which labelled data is written, told by the members of a record. */
export interface RecordShape {
  readonly name: string
  /** Its members, as an error names them. */
  readonly members: string
  is(record: JsonObject): boolean
  read(placed: PlacedRecord): ReadRecord
}

interface QuestionParts extends Pick<RawQuestion, 'placed' | 'field' | 'evidence'> {
  /** The member that asks. */
  readonly text: string
  readonly of?: string
  readonly answers?: readonly string[]
  readonly sentences?: RawQuestion['sentences']
  readonly leftOut?: string | undefined
}

export function rawQuestion({
  placed,
  text,
  answers = [],
  sentences = [],
  leftOut,
  ...rest
}: QuestionParts): RawQuestion {
  const reason = leftOut ?? (rest.evidence.length === 0 ? 'without evidence' : undefined)
  const id = textField(placed, 'id')
  const read = { ...rest, placed, id, text: textField(placed, text), answers, sentences }
  return reason === undefined ? read : { ...read, leftOut: reason }
}

export function asQuestion(parts: QuestionParts): ReadRecord {
  return { kind: 'questions', questions: [rawQuestion(parts)] }
}

export function ids(placed: PlacedRecord, field: string): readonly string[] {
  return listField(placed, field, textEntry)
}
