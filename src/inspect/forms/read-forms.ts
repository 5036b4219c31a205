import { isJsonObject, isPrehendError } from '../../core/index.ts'
import type { JsonObject, PrehendError } from '../../core/index.ts'
import { inside, traceError } from '../trace-error.ts'
import { allForms } from './all-forms.ts'
import type { Form, Found, FoundSession, Located, Unanswered } from './form.ts'
import { wireMessages } from './wire-messages.ts'

/** What a form has found. */
export interface ReadFound {
  readonly form: Form
  readonly found: Exclude<Found, Unanswered>
}

/** Takes the values of one file, and gives what forms find in them. */
export interface FormsReader {
  add(located: Located): readonly ReadFound[]
  /** What could only be told of the whole file. */
  end(): readonly ReadFound[]
  /** Names of the forms that have recognised anything so far. */
  recognised(): readonly string[]
}

/** `onInvalid` is told of values that cannot be read, and `onUnanswered` of sessions without an answer; both are then passed over. */
export function formsReader(
  onInvalid: (error: PrehendError) => void,
  onUnanswered: (error: PrehendError) => void = onInvalid,
): FormsReader {
  const whole = new Map<Form, Located[]>()
  const recognised = new Set<string>()
  let current: Form | undefined

  const read = (form: Form, values: readonly Located[]): readonly ReadFound[] => {
    try {
      return form.read(values).flatMap((found) => answeredIn(form, found))
    } catch (error) {
      if (!isPrehendError(error)) throw error
      onInvalid(error)
      return []
    }
  }

  const answeredIn = (form: Form, found: Found): readonly ReadFound[] => {
    if (found.kind !== 'unanswered') return [{ form, found }]
    onUnanswered(found.error)
    return []
  }

  const formOf = (value: unknown): Form | undefined =>
    current?.recognise(value) === true ? current : allForms.find((form) => form.recognise(value))

  const add = (located: Located): readonly ReadFound[] => {
    const form = formOf(located.value)
    if (form === undefined) {
      const inner = listedIn(located)
      if (inner !== undefined) return inner.flatMap(add)
      // New versions of agents write new kinds of lines.
      if (current?.isWhole !== true || !isJsonObject(located.value)) onInvalid(unknownForm(located))
      return []
    }
    current = form
    recognised.add(form.name)
    if (form.isWhole !== true) return read(form, [located])
    const values = whole.get(form) ?? []
    values.push(located)
    whole.set(form, values)
    return []
  }

  return {
    add,
    end: () => Array.from(whole).flatMap(([form, values]) => read(form, values)),
    recognised: () => Array.from(recognised),
  }
}

/** Whether a value, or the first that it lists, is of any form. */
export function isRecognised(located: Located): boolean {
  if (allForms.some((form) => form.recognise(located.value))) return true
  const [first] = listedIn(located) ?? []
  return first !== undefined && isRecognised(first)
}

/** How many messages stood before each answer of a session, one for every request. */
export function requestEnds({
  body,
  dialect,
  sharedAnswers = 0,
}: Pick<FoundSession, 'body' | 'dialect' | 'sharedAnswers'>): readonly number[] {
  const { messages } = wireMessages(body, dialect)
  const isAnswer = ({ raw }: { readonly raw: unknown }): boolean => isJsonObject(raw) && raw['role'] === 'assistant'
  return messages.flatMap((message, index) => (index > 0 && isAnswer(message) ? [index] : [])).slice(sharedAnswers)
}

/** Members in which exports list their records. */
const listNames = [
  'data',
  'requests',
  'runs',
  'observations',
  'traces',
  'items',
  'records',
  'results',
  'logs',
  'rows',
  'spans',
]

/** The elements of a list, or of an object that wraps one, each with its place. */
function listedIn({ value, place }: Located): readonly Located[] | undefined {
  if (Array.isArray(value)) {
    if (!value.some(isJsonObject)) return undefined
    return value.map((one: unknown, index) => ({ value: one, place: inside(place, index) }))
  }
  if (!isJsonObject(value)) return undefined
  const name = listNames.find((one) => Array.isArray(value[one]) && value[one].some(isJsonObject))
  return name === undefined ? undefined : listedIn({ value: value[name], place: inside(place, name) })
}

function unknownForm({ value, place }: Located): PrehendError {
  if (!isJsonObject(value)) return traceError(place, 'is not an object', 'Every line holds a session or a request body')
  const remedy = 'Give request bodies, or a file of one of the forms in docs/files.md'
  return traceError(place, `is of no form that is known (${membersOf(value)})`, remedy)
}

function membersOf(value: JsonObject): string {
  const names = Object.keys(value)
  if (names.length === 0) return 'it is empty'
  return `it has ${names.slice(0, 6).join(', ')}${names.length > 6 ? ' and more' : ''}`
}
