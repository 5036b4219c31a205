import type { SimulatedCall } from '../dialect.ts'
import type { Check, ProviderProblem } from '../wire.ts'
import { listOf, numberOf, objectOf, objectsOf, repeated, textOf } from '../read-json.ts'
import { mostChoices } from './choices.ts'
import { toolName } from './message.ts'
import { refused } from './problem.ts'

type CallCheck = Check<SimulatedCall>

const knownFields = new Set(
  (
    'audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages ' +
    'metadata modalities model moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key ' +
    'prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed ' +
    'service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user ' +
    'verbosity web_search_options'
  ).split(' '),
)

const noUnknownFields: CallCheck = ({ body, model }) => {
  const deepseek = model.provider === 'deepseek'
  const unknown = Object.keys(body).find((field) => !knownFields.has(field) && !(deepseek && field === 'thinking'))
  return unknown === undefined ? undefined : refused(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter')
}

const limitFieldIsRight: CallCheck = ({ body, model }) => {
  const reasoning = model.provider === 'openai' && model.openai.reasoning
  if (!reasoning || body['max_tokens'] == null) return undefined
  return refused(
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    'max_tokens',
    'unsupported_parameter',
  )
}

const limitFits: CallCheck = ({ body, model }) => {
  const field = body['max_completion_tokens'] == null ? 'max_tokens' : 'max_completion_tokens'
  const limit = body[field]
  if (limit == null) return undefined
  if (typeof limit !== 'number' || !Number.isInteger(limit))
    return refused(`Invalid type for '${field}': expected an integer.`, field, 'invalid_type')
  if (limit < 1)
    return refused(
      `Invalid '${field}': integer below minimum value. Expected a value >= 1, but got ${limit} instead.`,
      field,
      'integer_below_min_value',
    )
  if (limit <= model.info.maxOutputTokens) return undefined
  return refused(
    `${field} is too large: ${limit}. This model supports at most ${model.info.maxOutputTokens} completion tokens.`,
    field,
    'invalid_value',
  )
}

const temperatureIsAccepted: CallCheck = ({ body, model }) => {
  const temperature = numberOf(body['temperature'])
  if (temperature === undefined) return undefined
  if (temperature < 0 || temperature > 2) return outOfRange(temperature)
  const fixed = model.provider === 'openai' && model.openai.reasoning && temperature !== 1
  if (!fixed) return undefined
  return refused(
    `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`,
    'temperature',
    'unsupported_value',
  )
}

function outOfRange(temperature: number): ProviderProblem {
  return refused(
    `Invalid 'temperature': decimal out of range. Expected a value between 0 and 2, but got ${temperature} instead.`,
    'temperature',
    temperature < 0 ? 'decimal_below_min_value' : 'decimal_above_max_value',
  )
}

const streamOptionsNeedAStream: CallCheck = ({ body }) =>
  body['stream_options'] != null && body['stream'] !== true
    ? refused("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options')
    : undefined

const toolsAreWellFormed: CallCheck = ({ body }) => {
  if (body['tools'] === undefined) return undefined
  const tools = objectsOf(body['tools'])
  if (!Array.isArray(body['tools'])) return refused("Invalid type for 'tools'.", 'tools', 'invalid_type')
  if (listOf(body['tools']).length === 0)
    return refused(
      "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      'tools',
      'empty_array',
    )
  const bad = tools.findIndex((tool) => !/^[a-zA-Z0-9_-]{1,64}$/.test(toolName(tool)))
  if (bad >= 0)
    return refused(
      `Invalid 'tools[${bad}].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      `tools[${bad}].function.name`,
      'invalid_value',
    )
  const twice = repeated(tools.map(toolName))[0]
  return twice === undefined ? undefined : refused(`Duplicate tool name: '${twice}'.`, 'tools')
}

const choiceIsPossible: CallCheck = ({ body }) => {
  const choice = body['tool_choice']
  if (choice == null || choice === 'none') return undefined
  const names = objectsOf(body['tools']).map(toolName)
  if (names.length === 0)
    return refused(
      "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
      'tool_choice',
    )
  if (typeof choice === 'string') {
    const known = ['auto', 'required'].includes(choice)
    return known
      ? undefined
      : refused(
          `Invalid value: '${choice}'. Supported values are: 'none', 'auto', and 'required'.`,
          'tool_choice',
          'invalid_value',
        )
  }
  const name = toolName(objectOf(choice))
  const listed = objectOf(choice)['type'] === 'allowed_tools' || names.includes(name)
  return listed ? undefined : refused(`Tool choice '${name}' not found in 'tools' parameter.`, 'tool_choice')
}

const choicesAreGiven: CallCheck = ({ body, model }) => {
  const { n } = body
  if (n == null || n === 1) return undefined
  const most = model.provider === 'openai' ? mostChoices : 1
  if (typeof n === 'number' && Number.isInteger(n) && n >= 1 && n <= most) return undefined
  return refused(`Invalid 'n': expected an integer from 1 to ${most}.`, 'n', 'invalid_value')
}

const effortIsKnown: CallCheck = ({ body, model }) => {
  const effort = textOf(body['reasoning_effort'])
  if (effort !== undefined && model.provider === 'openai' && !model.openai.reasoning)
    return refused('Unrecognized request argument supplied: reasoning_effort', 'reasoning_effort', 'unknown_parameter')
  if (effort === undefined || ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'].includes(effort))
    return undefined
  return refused(`Invalid value: '${effort}' for 'reasoning_effort'.`, 'reasoning_effort', 'invalid_value')
}

export const parameterChecks: readonly CallCheck[] = [
  noUnknownFields,
  limitFieldIsRight,
  limitFits,
  temperatureIsAccepted,
  streamOptionsNeedAStream,
  effortIsKnown,
  choicesAreGiven,
  toolsAreWellFormed,
  choiceIsPossible,
]
