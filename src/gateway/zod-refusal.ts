import type { z } from 'zod'
import { didYouMean, invalidInput } from '../core/index.ts'
import type { PrehendError } from '../core/index.ts'

export interface Refused {
  readonly schema: z.ZodType
  /** What was given, whole. */
  readonly value: unknown
  readonly error: z.core.$ZodError
  /** Where the value stands, for messages; nothing where its members are named alone. */
  readonly at?: string
  /** What the whole is called where it is wrong itself. */
  readonly whole: string
  /** The page that lists all members. */
  readonly page?: string
}

/** The first thing that is wrong with a value, by its path, with the name that was meant where there is one. */
export function zodRefusal(refused: Refused): PrehendError<'invalid-input'> {
  const [first = invalidInput(refused.at ?? refused.whole, 'is not valid', 'Correct it.')] = zodRefusals(refused)
  return first
}

/** Everything that is wrong with a value. */
export function zodRefusals(refused: Refused): readonly PrehendError<'invalid-input'>[] {
  return refused.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => unknownMember(refused, issue.path, key))
      : [wrongMember(refused, issue)],
  )
}

function unknownMember(
  { schema, at, page }: Refused,
  path: readonly PropertyKey[],
  key: string,
): PrehendError<'invalid-input'> {
  const known = membersAt(schema, path)
  const remedy = `${didYouMean(key, known)}${known.length > 0 ? `There are ${known.join(', ')}.` : 'Leave it out.'}`
  const listed = page === undefined ? '' : ` ${page} lists all.`
  return invalidInput(pathOf([...under(at), ...path, key]), 'is not known', `${remedy}${listed}`)
}

function wrongMember({ value, at, whole }: Refused, issue: z.core.$ZodIssue): PrehendError<'invalid-input'> {
  const { message, remedy = 'Correct it or leave it out.' } = problemOf(issue, valueAt(value, issue.path))
  return invalidInput(pathOf([...under(at), ...issue.path]) || whole, message, remedy)
}

function under(at: string | undefined): readonly string[] {
  return at === undefined ? [] : [at]
}

interface Problem {
  /** The end of a sentence about the field. */
  readonly message: string
  readonly remedy?: string
}

function problemOf(issue: z.core.$ZodIssue, given: unknown): Problem {
  // What is wrong with the name of a member says more than that something is.
  if (issue.code === 'invalid_key' && issue.issues[0]) return problemOf(issue.issues[0], given)
  if (issue.code === 'invalid_value' && !says(issue)) {
    const words = issue.values.map(String)
    const meant = typeof given === 'string' ? didYouMean(given, words) : ''
    return { message: `is not ${words.length > 1 ? 'one of ' : ''}${words.join(', ')}`, remedy: `${meant}Correct it.` }
  }
  if (issue.code === 'invalid_type' && !says(issue))
    return { message: given === undefined ? 'is missing' : `is not ${kinds[issue.expected] ?? issue.expected}` }
  return { message: says(issue) ? issue.message : `is not valid: ${issue.message}` }
}

const kinds: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
}

/** Whether a schema has words of its own for what is wrong; they go on after the field. */
function says({ message }: { readonly message: string }): boolean {
  return /^(?:is|has|are|names|holds|needs) /.test(message)
}

/** The members that an object may have at a path of a schema; none where they are the caller's own. */
function membersAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let here: z.ZodType | undefined = schema
  for (const key of path) here = here && memberOf(unwrapped(here), key)
  return Object.keys((here && partsOf(unwrapped(here)).shape) ?? {})
}

interface Parts {
  readonly type: string
  readonly innerType?: z.ZodType
  readonly in?: z.ZodType
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly valueType?: z.ZodType
  readonly element?: z.ZodType
}

function partsOf(schema: z.ZodType): Parts {
  return schema.def
}

/** What a schema with a default, or one that may be absent, is otherwise. */
function unwrapped(schema: z.ZodType): z.ZodType {
  const { innerType, in: before } = partsOf(schema)
  const inner = innerType ?? before
  return inner === undefined ? schema : unwrapped(inner)
}

function memberOf(schema: z.ZodType, key: PropertyKey): z.ZodType | undefined {
  const { shape, valueType, element } = partsOf(schema)
  return shape?.[String(key)] ?? valueType ?? element
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value
  for (const key of path)
    here = typeof here === 'object' && here !== null ? (here as Readonly<Record<PropertyKey, unknown>>)[key] : undefined
  return here
}

function pathOf(path: readonly PropertyKey[]): string {
  let text = ''
  for (const key of path) text += typeof key === 'number' ? `[${key}]` : `${text && '.'}${String(key)}`
  return text
}
