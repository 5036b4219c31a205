import { heuristicDetector } from '../../defense/index.ts'
import { isJsonObject } from '../../core/index.ts'
import type { InjectionDetector, JsonValue } from '../../core/index.ts'
import { sha256 } from '../../host/index.ts'
import { definitionText } from '../../tools/index.ts'
import type { SourcedTool } from '../../tools/index.ts'

/** What the registry remembers of a tool of a source, whether the source can be reached or not. */
export interface ToolPin {
  /** As models call it; it never goes to another tool. */
  readonly calledAs: string
  /** The definition that is offered. Absent while none was ever taken. */
  readonly accepted?: PinnedDefinition
  /** A definition that came later and is not offered, or one that was never taken. */
  readonly quarantined?: QuarantinedDefinition
}

export interface PinnedDefinition {
  /** SHA-256 of what a model reads of the tool. */
  readonly digest: string
  readonly tool: SourcedTool
}

export interface QuarantinedDefinition extends PinnedDefinition {
  /** `changed`: it is another than the one that was taken. `suspected`: its words look like orders to a model. */
  readonly why: 'changed' | 'suspected'
  /** What spoke for the suspicion. */
  readonly reasons?: readonly string[]
  readonly seenMs: number
}

export interface Pinning {
  readonly nowMs: number
  /** Whether a changed definition is held back: that of a server is, that of the operator's own files is not. */
  readonly isHeld: boolean
  /** Whether its words are taken as they are. */
  readonly isTrusted: boolean
  readonly detector?: InjectionDetector
}

/** As policies have it. */
const suspicion = 0.5
const mostScannedChars = 200_000

/** What is remembered of a tool after its source has listed it. The same value where nothing is new. */
export function pinned(pin: ToolPin, tool: SourcedTool, { nowMs, isHeld, isTrusted, detector }: Pinning): ToolPin {
  const digest = sha256(definitionText(tool))
  const { accepted, quarantined } = pin
  if (accepted?.digest === digest) return quarantined === undefined ? pin : { calledAs: pin.calledAs, accepted }
  if (quarantined?.digest === digest && !(isTrusted && quarantined.why === 'suspected')) return pin
  const found = { digest, tool }
  const reasons = isTrusted ? undefined : suspected(tool, detector)
  if (reasons !== undefined) return { ...pin, quarantined: { ...found, why: 'suspected', reasons, seenMs: nowMs } }
  if (accepted !== undefined && isHeld) return { ...pin, quarantined: { ...found, why: 'changed', seenMs: nowMs } }
  return { calledAs: pin.calledAs, accepted: found }
}

/** What makes the words of a definition look like orders to a model; undefined where nothing does. */
function suspected(tool: SourcedTool, detector: InjectionDetector = heuristicDetector): readonly string[] | undefined {
  const words = [tool.description, ...wordsIn(tool.inputSchema), ...(tool.examples ?? [])]
  const text = words.join('\n').slice(0, mostScannedChars)
  const { score, reasons } = detector.score(text, { trust: 'untrusted', kind: 'tool-schema' })
  return score >= suspicion ? reasons : undefined
}

/** Whatever stands in a schema as words: descriptions, titles, examples and allowed values. */
function wordsIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap((each: JsonValue) => wordsIn(each))
  return isJsonObject(value) ? Object.entries(value).flatMap(([name, part]) => [name, ...wordsIn(part)]) : []
}
