import { didYouMean, slipOf } from './suggest.ts'

/** What is wrong with a value, and where. */
export interface Problem {
  /** A path below the value that was looked at, such as `items[3].scores.relevance`; empty where it is the value itself. */
  readonly field: string
  readonly message: string
  readonly remedy: string
}

/** A member that is a known one but for a letter. */
export function slip(value: object, names: readonly string[], known: ReadonlySet<string>): Problem | undefined {
  for (const member in value) {
    if (known.has(member)) continue
    const meant = slipOf(member, names)
    if (meant !== undefined)
      return { field: member, message: 'is not known', remedy: `Did you mean ${meant}? Correct it.` }
  }
  return undefined
}

/** The first member that nobody knows. */
export function unknownMember(value: object, names: readonly string[]): Problem | undefined {
  const other = Object.keys(value).find((member) => !names.includes(member))
  return other === undefined ? undefined : unknown(other, names)
}

/** Says of a member that it is not known, and which was meant. */
export function unknown(field: string, names: readonly string[]): Problem {
  const remedy = `${didYouMean(field, names)}Leave it out, or use one of ${names.join(', ')}.`
  return { field, message: 'is not known', remedy }
}
