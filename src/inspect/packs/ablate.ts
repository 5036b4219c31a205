import { invalidInput, isPrehendError } from '../../core/index.ts'
import type { CompileInput, CompileResult, ErrorCode, Item, Outcome } from '../../core/index.ts'
import { comparePacks } from './compare-packs.ts'
import type { PackComparison } from './compare-packs.ts'

/** Options of `ablate`. */
export interface AblationOptions<Input> {
  /** Compiles an input: `compile`, or the method of a compiler. */
  readonly compile: (input: Input) => CompileResult
  /** What is left out each time: a section, or an item with its group. Sections by default. */
  readonly by?: 'section' | 'item'
  /** Only these; everything that there is by default. */
  readonly names?: readonly string[]
  /** What a pack is worth, in the caller's own unit; asked once for each compile that gives one. */
  readonly worth?: (result: CompileResult) => number
}

/** What a compile without something came to. */
export interface Ablation {
  /** The section or item. */
  readonly name: string
  /** All that was left out. */
  readonly itemIds: readonly string[]
  readonly outcome: Outcome['kind'] | ErrorCode
  /** Tokens of the pack that the part took, directly and by what it kept others from; signed. Absent where nothing was packed without it. */
  readonly savedTokens?: number
  /** Items that are shown with more tokens without it: what it displaced. */
  readonly displaced?: readonly string[]
  /** Against the compile with everything. */
  readonly comparison?: PackComparison
  /** Worth with it less worth without it; about 0 where nobody would miss it. Absent where `worth` was not told, or nothing was packed. */
  readonly worth?: number
}

/**
 * Compiles again without each section or item and says what changes: one compile for each. By worth, dearest first, where that is told, else in
 * the order of the input. Throws `invalid-input` for a name that the input does not have.
 *
 * ```ts
 * for (const { name, savedTokens, displaced } of ablate(input, { compile })) console.log(name, savedTokens, displaced)
 * ```
 */
export function ablate<Input extends Pick<CompileInput, 'items'>>(
  input: Input,
  options: AblationOptions<Input>,
): readonly Ablation[] {
  const { compile, by = 'section', worth } = options
  const whole = compile(input)
  const wholeWorth = whole.pack === undefined ? undefined : worth?.(whole)
  const made = partsOf(input.items, by, options.names).map(({ name, items }): Ablation => {
    const gone = new Set(items)
    const itemIds = items.map(({ id }) => id)
    const result = attempt(() => compile({ ...input, items: input.items.filter((item) => !gone.has(item)) }))
    if (typeof result === 'string') return { name, itemIds, outcome: result }
    const outcome = result.outcome.kind
    if (result.pack === undefined) return { name, itemIds, outcome }
    const own = worth?.(result)
    const comparison = comparePacks(whole, result)
    return {
      name,
      itemIds,
      outcome,
      savedTokens: -comparison.packTokens.delta,
      displaced: displacedIn(comparison),
      comparison,
      ...(own === undefined || wholeWorth === undefined ? {} : { worth: wholeWorth - own }),
    }
  })
  return worth === undefined ? made : made.toSorted((one, other) => worthOf(other) - worthOf(one))
}

/** What cannot be left out is worth most. */
function worthOf({ worth }: Ablation): number {
  return worth ?? Number.POSITIVE_INFINITY
}

interface Part {
  readonly name: string
  readonly items: readonly Item[]
}

function partsOf(
  items: readonly Item[],
  by: 'section' | 'item',
  names: readonly string[] | undefined,
): readonly Part[] {
  const nameOf = (item: Item): string => (by === 'section' ? item.section : item.id)
  const byName = new Map<string, Item[]>()
  for (const item of items) byName.set(nameOf(item), [...(byName.get(nameOf(item)) ?? []), item])
  const missing = names?.findIndex((name) => !byName.has(name)) ?? -1
  if (missing >= 0) {
    const remedy = `Name ${by === 'section' ? 'sections' : 'items'} of the input`
    throw invalidInput(`names[${missing}]`, `the input has no ${by} ${JSON.stringify(names?.[missing])}`, remedy)
  }
  return (names ?? [...byName.keys()]).map((name) => ({ name, items: withGroups(items, byName.get(name) ?? []) }))
}

/** Items of a group are left out together. */
function withGroups(items: readonly Item[], own: readonly Item[]): readonly Item[] {
  const groups = new Set(own.flatMap(({ group }) => group ?? []))
  const chosen = new Set(own)
  return items.filter((item) => chosen.has(item) || (item.group !== undefined && groups.has(item.group)))
}

function attempt(compile: () => CompileResult): CompileResult | ErrorCode {
  try {
    return compile()
  } catch (error) {
    if (isPrehendError(error)) return error.code
    throw error
  }
}

function displacedIn({ decisions }: PackComparison): readonly string[] {
  return decisions
    .filter(({ before, after }) => before !== undefined && after !== undefined && after.tokens > before.tokens)
    .map(({ itemId }) => itemId)
}
