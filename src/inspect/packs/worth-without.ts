import { isPrehendError } from '../../core/index.ts'
import type { CompileInput, CompileResult, Item } from '../../core/index.ts'

/** How worth is asked for. */
export interface WorthOptions<Input> {
  /** Compiles an input: `compile`, or the method of a compiler. */
  readonly compile: (input: Input) => CompileResult
  /** What a pack is worth, in the caller's own unit; where there is no pack it is 0. */
  readonly worth: (result: CompileResult) => number
}

/** What a pack is worth without some sections, and without what shares a group with them. */
export function worthWithout<Input extends Pick<CompileInput, 'items'>>(
  input: Input,
  sections: readonly string[],
  { compile, worth }: WorthOptions<Input>,
): number {
  const items = without(input.items, new Set(sections))
  try {
    const result = compile({ ...input, items })
    return result.pack === undefined ? 0 : worth(result)
  } catch (error) {
    // Of what a policy insists on, a pack without it is none. What is wrong with the input is wrong with all of it.
    if (isPrehendError(error) && error.code !== 'invalid-input') return 0
    throw error
  }
}

function without(items: readonly Item[], sections: ReadonlySet<string>): readonly Item[] {
  const gone = items.filter(({ section }) => sections.has(section))
  const groups = new Set(gone.flatMap(({ group }) => group ?? []))
  return items.filter(({ section, group }) => !sections.has(section) && (group === undefined || !groups.has(group)))
}

/** Sections of an input, in the order of their first items. */
export function sectionsOf({ items }: Pick<CompileInput, 'items'>): readonly string[] {
  return [...new Set(items.map(({ section }) => section))]
}
