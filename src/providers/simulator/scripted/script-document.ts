import { invalidInput, shape } from '../../../core/index.ts'
import type { JsonValue } from '../../../core/index.ts'

/**
 * One thing to do, by its one verb, whatever tool of the client does it. `{file:2}` stands for the second file that results have
 * named so far, `{folder}` for the folder that `make` has made.
 */
export interface ScriptAction {
  /** A folder. */
  readonly list?: string
  /** A file. */
  readonly read?: string
  /** A command for a shell. The client's answer to `pwd` is its working folder from then on. */
  readonly run?: string
  /** A fresh folder of this name, or of this name and a number, in the working folder. Needs an answer to `pwd` first. */
  readonly make?: string
  /** A pattern, in all files or in those of a folder. */
  readonly search?: string
  readonly in?: string
  /** A file, with its `content`: a text, or a list of lines. */
  readonly write?: string
  readonly content?: string | readonly string[]
  /** A file in which `find` becomes `replace`. A tool that takes patches needs both to be whole lines, with their ends. */
  readonly edit?: string
  readonly find?: string
  readonly replace?: string
  /** A tool by its name, with its `arguments`. */
  readonly call?: string
  readonly arguments?: Readonly<Record<string, JsonValue>>
}

/** One answer of the model: what it thinks and says, and which tools it calls. */
export interface ScriptStep {
  readonly think?: string
  readonly say?: string
  readonly do?: readonly ScriptAction[]
  /** Says what came of the steps before, by the results alone, and quotes the last match of this pattern in what commands printed. */
  readonly report?: string
}

/** A model that plays its part from a file, as `prehend.script/1` writes it. */
export interface ScriptDocument {
  readonly schema: 'prehend.script/1'
  readonly about?: string
  readonly steps: readonly ScriptStep[]
}

const words = shape.optional(shape.text)
const anything: shape.Shape<JsonValue> = { about: 'any value', schema: {}, problem: () => undefined }

const action = shape.object<ScriptAction>({
  list: words,
  read: words,
  run: words,
  make: words,
  search: words,
  in: words,
  write: words,
  content: shape.optional(shape.textOr(shape.text, shape.list(shape.text))),
  edit: words,
  find: words,
  replace: words,
  call: words,
  arguments: shape.optional(shape.record(anything)),
})

const document = shape.object<ScriptDocument>({
  schema: shape.oneOf(['prehend.script/1']),
  about: words,
  steps: shape.list(
    shape.object<ScriptStep>({ think: words, say: words, do: shape.optional(shape.list(action)), report: words }),
  ),
})

/** The members that must go with a verb, and those that may. */
const company = {
  list: [],
  read: [],
  run: [],
  make: [],
  search: [],
  write: ['content'],
  edit: ['find', 'replace'],
  call: ['arguments'],
} as const satisfies Readonly<Record<string, readonly (keyof ScriptAction)[]>>
const optionalCompany: Readonly<Partial<Record<Verb, readonly (keyof ScriptAction)[]>>> = { search: ['in'] }

export type Verb = keyof typeof company

export const verbs = Object.keys(company) as readonly Verb[]

/** The one verb of an action. */
export function verbOf(given: ScriptAction): Verb {
  return verbs.find((verb) => given[verb] !== undefined) ?? 'call'
}

/** Reads a script. Throws `invalid-input` that names what is wrong in it, below `at`. */
export function scriptDocument(value: unknown, at = 'script'): ScriptDocument {
  shape.check(document, value, at, { strict: true })
  // The shape says so.
  const script = value as ScriptDocument
  for (const [index, step] of script.steps.entries()) {
    const place = `${at}.steps[${index}]`
    if (Object.keys(step).length === 0) throw invalidInput(place, 'does nothing', 'Give say, think, do or report.')
    if (step.report !== undefined) requirePattern(step.report, `${place}.report`)
    for (const [nth, each] of (step.do ?? []).entries()) requireOneVerb(each, `${place}.do[${nth}]`)
  }
  return script
}

function requireOneVerb(given: ScriptAction, place: string): void {
  const members = Object.keys(given)
  const [verb, another] = verbs.filter((member) => members.includes(member))
  if (verb === undefined || another !== undefined)
    throw invalidInput(place, 'does not say one thing to do', `Give one of ${verbs.join(', ')}.`)
  const wanted: readonly string[] = company[verb]
  const known = [verb, ...wanted, ...(optionalCompany[verb] ?? [])]
  const lacking = wanted.find((member) => !members.includes(member))
  const idle = members.find((member) => !known.includes(member))
  if (lacking !== undefined) throw invalidInput(`${place}.${lacking}`, 'is missing', `It goes with ${verb}.`)
  if (idle !== undefined) throw invalidInput(`${place}.${idle}`, `does not go with ${verb}`, 'Leave it out.')
}

function requirePattern(pattern: string, place: string): void {
  try {
    ''.match(new RegExp(pattern))
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw invalidInput(place, `is no regular expression: ${cause}`, 'Give one, or an empty text.')
  }
}
