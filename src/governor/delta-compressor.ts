import type { Hasher } from '../core/index.ts'
import { PrehendError, invalidInput } from '../core/index.ts'
import { fastHash } from './fast-hash.ts'

/** A named part of what is sent again and again. */
export interface Segment {
  /** Unique among the segments of a run. */
  readonly name: string
  readonly text: string
  readonly tokens: number
}

/** Options of `deltaCompressor`. */
export interface DeltaCompressorOptions {
  /** What the segments may take together, in tokens. */
  readonly budgetTokens: number
  /** Tells segments apart; `fastHash` by default. */
  readonly hash?: Hasher
  /** A delta of a larger share of the budget is sent as a full one; 0.3 by default. */
  readonly fullAbove?: number
  /** After so many deltas in a row comes a full one; 10 by default. */
  readonly mostDeltas?: number
}

/** Why everything was sent. */
export type FullCause = 'first' | 'budget' | 'deltas' | 'regime'

/** What is sent of one run: everything, or what is other than in the run before. */
export type SegmentFrame = FullFrame | DeltaFrame

/** A frame with all segments. */
export interface FullFrame {
  readonly kind: 'full'
  readonly cause: FullCause
  /** Names the segments, in their order; the next delta names what it was made upon. */
  readonly digest: string
  readonly segments: readonly Segment[]
  readonly tokens: number
}

/** A frame with the changes since the frame before. */
export interface DeltaFrame {
  readonly kind: 'delta'
  /** The digest of what it was made upon. */
  readonly upon: string
  readonly digest: string
  /** New ones, and those that changed, in their order. */
  readonly changed: readonly Segment[]
  readonly removed: readonly string[]
  /** All names, where they do not stand as before with new ones at the end. */
  readonly order?: readonly string[]
  /** Of what changed. */
  readonly tokens: number
}

/** What is remembered from one run to the next: plain data, without the texts. */
export interface CompressorState {
  readonly digest: string
  /** Name and hash of each segment, in their order. */
  readonly segments: readonly (readonly [name: string, hash: string])[]
  /** Deltas since everything was sent. */
  readonly deltas: number
  readonly regime?: string
}

/** The segments of one run. A change of `regime` makes the next frame a full one. */
export interface SegmentRun {
  readonly segments: readonly Segment[]
  readonly regime?: string
}

/** The frame of a run, and the state that the next run needs. */
export interface CompressedRun {
  readonly state: CompressorState
  readonly frame: SegmentFrame
}

/** Turns the segments of successive runs into frames that carry only the changes. */
export interface DeltaCompressor {
  /** Pure: of the same state and the same segments the same frame. Throws `invalid-input` for a name that stands twice. */
  compress(run: SegmentRun, before?: CompressorState): CompressedRun
  /**
   * The segments that a frame stands for. Throws `conflict` where it was made upon others than `before`, or says other than what comes
   * out.
   */
  reconstruct(frame: SegmentFrame, before?: readonly Segment[]): readonly Segment[]
}

/**
 * Sends a run of named segments as what has changed since the run before, and all of them where the changes exceed a share of the
 * budget, after many deltas in a row, and in another regime.
 *
 * ```ts
 * const { state, frame } = deltaCompressor({ budgetTokens: 8_000 }).compress({ segments }, before)
 * ```
 */
export function deltaCompressor(options: DeltaCompressorOptions): DeltaCompressor {
  const { budgetTokens, hash = fastHash, fullAbove = 0.3, mostDeltas = 10 } = options
  checkOptions({ budgetTokens, fullAbove, mostDeltas })
  const digestOf = (known: CompressorState['segments']): string => hash(JSON.stringify(known))
  const known = (segments: readonly Segment[]) => segments.map((one) => [one.name, hashOf(hash, one)] as const)
  return {
    compress({ segments, regime }, before) {
      checkNames(segments)
      const now = known(segments)
      const digest = digestOf(now)
      const delta = before && deltaFrame({ segments, now, before, digest })
      const cause = fullCause(before, { regime, delta, mostDeltas, most: fullAbove, budgetTokens })
      const head = { digest, segments: now, ...(regime === undefined ? {} : { regime }) }
      if (delta !== undefined && before !== undefined && cause === undefined)
        return { state: { ...head, deltas: before.deltas + 1 }, frame: delta }
      const frame = { kind: 'full', cause: cause ?? 'first', digest, segments, tokens: tokensOf(segments) } as const
      return { state: { ...head, deltas: 0 }, frame }
    },
    reconstruct(frame, before) {
      if (frame.kind === 'delta' && (before === undefined || digestOf(known(before)) !== frame.upon))
        throw notUpon('was made upon other segments')
      const segments = frame.kind === 'full' ? frame.segments : withDelta(frame, before ?? [])
      if (digestOf(known(segments)) !== frame.digest) throw notUpon('does not lead to what it says')
      return segments
    },
  }
}

interface Judged {
  readonly regime: string | undefined
  readonly delta: DeltaFrame | undefined
  readonly mostDeltas: number
  readonly most: number
  readonly budgetTokens: number
}

function fullCause(before: CompressorState | undefined, judged: Judged): FullCause | undefined {
  const { regime, delta, mostDeltas, most, budgetTokens } = judged
  if (before === undefined || delta === undefined) return 'first'
  if (before.regime !== regime) return 'regime'
  if (before.deltas >= mostDeltas) return 'deltas'
  return delta.tokens / budgetTokens > most ? 'budget' : undefined
}

interface DeltaInput {
  readonly segments: readonly Segment[]
  readonly now: CompressorState['segments']
  readonly before: CompressorState
  readonly digest: string
}

function deltaFrame({ segments, now, before, digest }: DeltaInput): DeltaFrame {
  const hashes = new Map(before.segments)
  const names = new Set(now.map(([name]) => name))
  const changed = segments.filter(({ name }, index) => hashes.get(name) !== now[index]?.[1])
  const removed = before.segments.map(([name]) => name).filter((name) => !names.has(name))
  const stayed = before.segments.map(([name]) => name).filter((name) => names.has(name))
  const expected = [...stayed, ...segments.map(({ name }) => name).filter((name) => !hashes.has(name))]
  const moved = segments.some(({ name }, index) => name !== expected[index])
  return {
    kind: 'delta',
    upon: before.digest,
    digest,
    changed,
    removed,
    ...(moved && { order: segments.map(({ name }) => name) }),
    tokens: tokensOf(changed),
  }
}

function withDelta({ changed, removed, order }: DeltaFrame, before: readonly Segment[]): readonly Segment[] {
  const segments = new Map(before.map((one) => [one.name, one]))
  for (const name of removed) segments.delete(name)
  for (const one of changed) segments.set(one.name, one)
  return order === undefined ? [...segments.values()] : order.flatMap((name) => segments.get(name) ?? [])
}

/** Tokens belong to a segment as its text does. */
function hashOf(hash: Hasher, { text, tokens }: Segment): string {
  return `${hash(text)} ${text.length} ${tokens}`
}

function tokensOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { tokens }) => sum + tokens, 0)
}

function checkOptions(options: Required<Omit<DeltaCompressorOptions, 'hash'>>): void {
  const { budgetTokens, fullAbove, mostDeltas } = options
  const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0
  if (!isCount(budgetTokens))
    throw invalidInput('budgetTokens', 'is no number of tokens', 'Give a whole number from 0 on')
  if (!isCount(mostDeltas)) throw invalidInput('mostDeltas', 'is no count', 'Give a whole number from 0 on')
  if (!(fullAbove >= 0 && fullAbove <= 1)) throw invalidInput('fullAbove', 'is no share', 'Give a number from 0 to 1')
}

function checkNames(segments: readonly Segment[]): void {
  const names = new Set<string>()
  for (const [index, { name }] of segments.entries()) {
    if (names.has(name)) {
      const remedy = 'Give every segment a name of its own'
      throw invalidInput(`segments[${index}].name`, `${JSON.stringify(name)} stands twice`, remedy)
    }
    names.add(name)
  }
}

function notUpon(how: string): PrehendError<'conflict'> {
  const remedy = 'Ask for a full frame: compress the run without the state before it'
  return new PrehendError('conflict', `The frame ${how}. ${remedy}.`, { what: 'frame', remedy })
}
