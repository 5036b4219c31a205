import type { SimulatedCall } from '../dialect.ts'
import { listOf, numberOf, objectsOf, repeated, textOf } from '../read-json.ts'
import type { Check } from '../wire.ts'
import { callingOf, configOf, declarationsOf, either } from './body.ts'
import { invalid } from './invalid.ts'

type CallCheck = Check<SimulatedCall>

const knownFields: ReadonlySet<string> = new Set(
  (
    'alt model stream contents systemInstruction system_instruction tools toolConfig tool_config safetySettings safety_settings ' +
    'generationConfig generation_config cachedContent cached_content serviceTier service_tier store'
  ).split(' '),
)

const noUnknownFields: CallCheck = ({ body }) => {
  const unknown = Object.keys(body).find((field) => !knownFields.has(field))
  if (unknown === undefined) return undefined
  return invalid(`Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`)
}

const limitFits: CallCheck = ({ body, model }) => {
  const limit = numberOf(either(configOf(body), 'maxOutputTokens'))
  const most = model.info.maxOutputTokens
  if (limit === undefined || (limit >= 1 && limit <= most)) return undefined
  return invalid(
    `Unable to submit request because it has a maxOutputTokens value of ${limit} but the supported range is from 1 ` +
      `(inclusive) to ${most + 1} (exclusive). Update the value and try again.`,
  )
}

const temperatureIsInRange: CallCheck = ({ body }) => {
  const temperature = numberOf(configOf(body)['temperature'])
  if (temperature === undefined || (temperature >= 0 && temperature <= 2)) return undefined
  return invalid(
    '* GenerateContentRequest.generation_config.temperature: temperature must be in the range [0.0, 2.0].\n',
  )
}

const oneCandidateOnly: CallCheck = ({ body }) =>
  (numberOf(either(configOf(body), 'candidateCount')) ?? 1) === 1
    ? undefined
    : invalid('The simulated provider gives one candidate only.')

const fewStops: CallCheck = ({ body }) =>
  listOf(either(configOf(body), 'stopSequences')).length <= 5
    ? undefined
    : invalid('* GenerateContentRequest.generation_config.stop_sequences: at most 5 stop sequences are allowed.\n')

const functionsAreNamed: CallCheck = ({ body }) => {
  for (const [index, tool] of objectsOf(body['tools']).entries()) {
    const names = objectsOf(either(tool, 'functionDeclarations')).map(({ name }) => textOf(name) ?? '')
    const bad = names.findIndex((name) => !/^[a-zA-Z_][\w.:-]{0,127}$/.test(name))
    if (bad >= 0)
      return invalid(
        `* GenerateContentRequest.tools[${index}].function_declarations[${bad}].name: Invalid function name. ` +
          'Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), ' +
          'colons (:), or dashes (-), with a maximum length of 128.\n',
      )
    const twice = repeated(names)[0]
    if (twice !== undefined) return invalid(`Duplicate function declaration found: ${twice}`)
  }
  return undefined
}

/** Before the third generation, functions and the provider's own tools do not go together. */
const toolsGoTogether: CallCheck = ({ body, model }) => {
  const tools = objectsOf(body['tools'])
  const own = tools.filter((tool) => Object.keys(tool).some((name) => !/^function_?declarations$/i.test(name)))
  const mixes = own.length > 0 && declarationsOf(body).length > 0
  if (!mixes || (model.provider === 'google' && model.gemini.signs)) return undefined
  return invalid('Multiple tools are supported only when they are all search tools.')
}

const callingIsPossible: CallCheck = ({ body }) => {
  const calling = callingOf(body)
  const allowed = listOf(either(calling, 'allowedFunctionNames'))
  const mode = textOf(calling['mode']) ?? 'AUTO'
  if (!['AUTO', 'ANY', 'NONE', 'VALIDATED', 'MODE_UNSPECIFIED'].includes(mode))
    return invalid(`Invalid value at 'tool_config.function_calling_config.mode': "${mode}"`)
  if (allowed.length > 0 && mode !== 'ANY' && mode !== 'VALIDATED')
    return invalid('Allowed function names should be set only when function calling mode is ANY or VALIDATED.')
  const names = declarationsOf(body).map(({ name }) => name)
  const missing = allowed.find((name) => !names.includes(name))
  return missing === undefined ? undefined : invalid(`Function ${String(missing)} is allowed but not declared.`)
}

export const parameterChecks: readonly CallCheck[] = [
  noUnknownFields,
  limitFits,
  temperatureIsInRange,
  oneCandidateOnly,
  fewStops,
  functionsAreNamed,
  toolsGoTogether,
  callingIsPossible,
]
