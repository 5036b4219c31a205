import { invalidInput, shape } from '../../../core/index.ts'
import type { JsonValue } from '../../../core/index.ts'

/**
 * One thing to do, by its one verb, whatever tool of the client does it. In `read`, `run` and `search`, `{file:2}` stands for the
 * second file that results have named so far.
 */
export interface ScriptAction {
  /** A folder. */
  readonly list?: string
  /** A file. */
  readonly read?: string
  /** A command for a shell. */
  readonly run?: string
  /** A pattern, in all files. */
  readonly search?: string
  /** A file, with its `content`. */
  readonly write?: string
  readonly content?: string
  /** A file in which `find` becomes `replace`. */
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
  search: words,
  write: words,
  content: words,
  edit: words,
  find: words,
  replace: words,
  call: words,
  arguments: shape.optional(shape.record(anything)),
})

const document = shape.object<ScriptDocument>({
  schema: shape.oneOf(['prehend.script/1']),
  about: words,
  steps: shape.list(shape.object<ScriptStep>({ think: words, say: words, do: shape.optional(shape.list(action)) })),
})

/** The members that go with a verb. */
const company: Readonly<Record<string, readonly (keyof ScriptAction)[]>> = {
  list: [],
  read: [],
  run: [],
  search: [],
  write: ['content'],
  edit: ['find', 'replace'],
  call: ['arguments'],
}

const verbs = Object.keys(company)

/** Reads a script. Throws `invalid-input` that names what is wrong in it, below `at`. */
export function scriptDocument(value: unknown, at = 'script'): ScriptDocument {
  shape.check(document, value, at, { strict: true })
  // The shape says so.
  const script = value as ScriptDocument
  for (const [index, step] of script.steps.entries()) {
    const place = `${at}.steps[${index}]`
    if (Object.keys(step).length === 0) throw invalidInput(place, 'does nothing', 'Give say, think or do.')
    for (const [nth, each] of (step.do ?? []).entries()) requireOneVerb(each, `${place}.do[${nth}]`)
  }
  return script
}

function requireOneVerb(given: ScriptAction, place: string): void {
  const members = Object.keys(given)
  const [verb, another] = members.filter((member) => verbs.includes(member))
  if (verb === undefined || another !== undefined)
    throw invalidInput(place, 'does not say one thing to do', `Give one of ${verbs.join(', ')}.`)
  const wanted: readonly string[] = company[verb] ?? []
  const lacking = wanted.find((member) => !members.includes(member))
  const idle = members.find((member) => member !== verb && !wanted.includes(member))
  if (lacking !== undefined) throw invalidInput(`${place}.${lacking}`, 'is missing', `It goes with ${verb}.`)
  if (idle !== undefined) throw invalidInput(`${place}.${idle}`, `does not go with ${verb}`, 'Leave it out.')
}
