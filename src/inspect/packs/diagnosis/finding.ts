import type { CompileInput, InjectionDetector, Item, Manifest, Pack } from '../../../core/index.ts'

/** Why a model goes wrong by what it was shown: the five root causes. */
export const rootCauses = ['missing', 'poisoned', 'buried', 'conflicting', 'overloaded'] as const
/** The name of one of the five root causes. */
export type RootCause = (typeof rootCauses)[number]

/** A text that a finding is about, and where it stands. */
export interface FoundText {
  /** An item, or a part of the frame such as `frame.request`. */
  readonly at: string
  /** Line of the item as it came, from 1. */
  readonly line?: number
  /** Cut where it is long. */
  readonly text: string
  /** Brings back what is not shown. */
  readonly handle?: string
}

/** A fault that was found in a pack, with its remedy. */
export interface Finding {
  readonly cause: RootCause
  /** How sure and how bad, in [0, 1]; findings are told in this order. */
  readonly weight: number
  /** What is wrong, in a sentence. */
  readonly why: string
  readonly texts: readonly FoundText[]
  /** What to do, in a sentence. */
  readonly remedy: string
}

/** A request as it was packed, read once for all causes. */
export interface Case {
  readonly input: CompileInput
  readonly manifest: Manifest
  readonly pack: Pack
  /** What is asked for. */
  readonly request: string
  /** Ids of the items that say it. */
  readonly asking: ReadonlySet<string>
  /** Texts that whoever answers needs, and whether somebody has named them; those of the request are names in it. */
  readonly needed: readonly { readonly text: string; readonly isNamed: boolean }[]
  /** By item, as shown. */
  readonly shown: ReadonlyMap<string, string>
  /** Ids of items of which all is shown, if in another form. */
  readonly whole: ReadonlySet<string>
  readonly handles: ReadonlyMap<string, string>
  readonly detector: InjectionDetector
}

/** Packs that are smaller bury nothing and overload nobody. */
export const largePack = 8_000

const longestText = 160

/** A line of an item, told with its number. */
export function lineOf(given: Pick<Case, 'handles'>, { id, text }: Item, index: number): FoundText {
  const line = text.split('\n')[index] ?? ''
  const handle = given.handles.get(id)
  return { at: id, line: index + 1, text: short(line), ...(handle !== undefined && { handle }) }
}

export function short(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  return flat.length > longestText ? `${flat.slice(0, longestText - 1)}…` : flat
}
