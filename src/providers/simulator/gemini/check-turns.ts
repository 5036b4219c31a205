import type { JsonObject } from '../../../core/index.ts'
import type { SimulatedCall } from '../dialect.ts'
import { textOf } from '../read-json.ts'
import type { Check } from '../wire.ts'
import type { Content } from './body.ts'
import { callIn, contentsOf, either, responseIn, turnsOf } from './body.ts'
import { invalid } from './invalid.ts'
import { isSignature } from './signature.ts'

type CallCheck = Check<SimulatedCall>

const contentsAreThere: CallCheck = ({ body }) =>
  contentsOf(body).length > 0 ? undefined : invalid('* GenerateContentRequest.contents: contents is not specified\n')

const roles: ReadonlySet<string> = new Set(['user', 'model', 'function'])

const rolesAreKnown: CallCheck = ({ body }) =>
  contentsOf(body).every(({ role }) => roles.has(role)) ? undefined : invalid('Please use a valid role: user, model.')

const partsAreThere: CallCheck = ({ body }) => {
  const empty = contentsOf(body).find(({ parts }) => parts.length === 0)
  if (empty === undefined) return undefined
  return invalid(`* GenerateContentRequest.contents[${empty.index}].parts: contents.parts must not be empty.\n`)
}

const data = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
]

const partsSaySomething: CallCheck = ({ body }) => {
  for (const { parts, index } of contentsOf(body)) {
    const bad = parts.findIndex((part) => data.every((name) => either(part, name) === undefined))
    if (bad < 0) continue
    const field = `GenerateContentRequest.contents[${index}].parts[${bad}].data`
    return invalid(`* ${field}: required oneof field 'data' must have one initialized field\n`)
  }
  return undefined
}

const responsesAreNamed: CallCheck = ({ body }) => {
  for (const { parts, index } of contentsOf(body)) {
    const bad = parts.findIndex((part) => responseIn(part) && (textOf(responseIn(part)?.['name']) ?? '') === '')
    if (bad < 0) continue
    const field = `GenerateContentRequest.contents[${index}].parts[${bad}].function_response.name`
    return invalid(`* ${field}: Name cannot be empty.\n`)
  }
  return undefined
}

function countOf({ parts }: Content, kind: (part: JsonObject) => JsonObject | undefined): number {
  return parts.filter((part) => kind(part) !== undefined).length
}

/** Calls come after a turn of the user, and their answers, as many as there are calls, right after them. */
const callsAreAnswered: CallCheck = ({ body }) => {
  const turns = turnsOf(body)
  for (const [index, turn] of turns.entries()) {
    const [calls, responses] = [countOf(turn, callIn), countOf(turn, responseIn)]
    const before = turns[index - 1]
    if (calls > 0 && (turn.role !== 'model' || before === undefined))
      return invalid(
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      )
    const open = before === undefined ? 0 : countOf(before, callIn)
    if (responses > 0 && (turn.role === 'model' || open === 0))
      return invalid('Please ensure that function response turn comes immediately after a function call turn.')
    if (responses !== open) return unequal
  }
  const last = turns.at(-1)
  return last !== undefined && countOf(last, callIn) > 0 ? unequal : undefined
}

const unequal = invalid(
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
)

const endsWithTheUser: CallCheck = ({ body }) =>
  turnsOf(body).at(-1)?.role === 'model'
    ? invalid('Please ensure that single turn requests end with a user role or the role field is empty.')
    : undefined

/** The first call of each step since the user last spoke. */
const callsAreSigned: CallCheck = ({ body, model }) => {
  if (model.provider !== 'google' || !model.gemini.signs) return undefined
  const turns = turnsOf(body)
  const current = turns.findLastIndex(({ role, parts }) => role === 'user' && parts.some((part) => !responseIn(part)))
  for (const { parts, index } of turns.slice(current + 1)) {
    const first = parts.find((part) => callIn(part) !== undefined)
    if (first === undefined || textOf(either(first, 'thoughtSignature')) !== undefined) continue
    return invalid(
      'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, ' +
        'and missing thought_signature may lead to degraded model performance. Additional data, function call ' +
        `\`default_api:${textOf(callIn(first)?.['name']) ?? ''}\` , position ${index + 1}. ` +
        'Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.',
    )
  }
  return undefined
}

const signaturesAreWhole: CallCheck = ({ body, model }) => {
  if (model.provider !== 'google' || !model.gemini.signs) return undefined
  const signatures = contentsOf(body).flatMap(({ parts }) =>
    parts.flatMap((part) => textOf(either(part, 'thoughtSignature')) ?? []),
  )
  return signatures.every(isSignature) ? undefined : invalid('Corrupted thought signature.')
}

/** What nobody could make sense of, whatever the model. */
export const shapeChecks: readonly CallCheck[] = [contentsAreThere, partsAreThere, callsAreAnswered]

export const turnChecks: readonly CallCheck[] = [
  contentsAreThere,
  rolesAreKnown,
  partsAreThere,
  partsSaySomething,
  responsesAreNamed,
  callsAreAnswered,
  endsWithTheUser,
  callsAreSigned,
  signaturesAreWhole,
]
