import type { SimulatedCall } from '../dialect.ts'
import type { Check } from '../wire.ts'
import { numberOf, objectOf, textOf } from '../read-json.ts'
import { invalid } from './invalid.ts'

type CallCheck = Check<SimulatedCall>

const knownFields = new Set(
  (
    'billing_policy cache_control compaction container context_management diagnostics fallback_credit_token fallbacks ' +
    'inference_geo max_tokens mcp_servers messages metadata model output_config output_format service_tier speed ' +
    'stop_sequences stream system temperature thinking thread tool_choice tools top_k top_p user_profile_id workspace_id'
  ).split(' '),
)

const versionIsGiven: CallCheck = ({ headers }) =>
  headers['anthropic-version'] === undefined ? invalid('anthropic-version: header is required') : undefined

const noUnknownFields: CallCheck = ({ body }) => {
  const unknown = Object.keys(body).find((field) => !knownFields.has(field))
  return unknown === undefined ? undefined : invalid(`${unknown}: Extra inputs are not permitted`)
}

const maxTokensFits: CallCheck = ({ body, model, countOnly }) => {
  if (countOnly) return undefined
  const { max_tokens: max } = body
  if (max === undefined) return invalid('max_tokens: Field required')
  if (typeof max !== 'number' || !Number.isInteger(max)) return invalid('max_tokens: Input should be a valid integer')
  if (max < 0) return invalid('max_tokens: Input should be greater than or equal to 0')
  if (max <= model.info.maxOutputTokens) return undefined
  return invalid(
    `max_tokens: ${max} > ${model.info.maxOutputTokens}, which is the maximum allowed number of output tokens for ${model.id}`,
  )
}

/** What a request with `max_tokens: 0`, which only fills the cache, may not ask for. */
const prefillOnlyIsPlain: CallCheck = ({ body }) => {
  if (body['max_tokens'] !== 0) return undefined
  const choice = textOf(objectOf(body['tool_choice'])['type'])
  const conflict = [
    body['stream'] === true ? 'stream' : undefined,
    objectOf(body['thinking'])['type'] === 'enabled' ? 'thinking' : undefined,
    objectOf(body['output_config'])['format'] == null ? undefined : 'output_config.format',
    choice === 'any' || choice === 'tool' ? 'tool_choice' : undefined,
  ].find((field) => field !== undefined)
  return conflict === undefined ? undefined : invalid(`max_tokens: 0 cannot be combined with ${conflict}`)
}

const systemIsText: CallCheck = ({ body }) => {
  const { system } = body
  if (system === undefined || system === null || typeof system === 'string' || Array.isArray(system)) return undefined
  return invalid('system: Input should be a valid string or list')
}

const streamIsBoolean: CallCheck = ({ body }) =>
  body['stream'] == null || typeof body['stream'] === 'boolean'
    ? undefined
    : invalid('stream: Input should be a valid boolean')

const samplingIsAccepted: CallCheck = ({ body, model }) => {
  const temperature = numberOf(body['temperature'])
  if (temperature !== undefined && (temperature < 0 || temperature > 1)) return invalid('temperature: range: 0..1')
  const refused = (['temperature', 'top_p', 'top_k'] as const).find((field) => {
    const value = numberOf(body[field])
    return value !== undefined && !(field !== 'top_k' && value === 1)
  })
  if (refused === undefined || (model.provider === 'anthropic' && model.claude.sampling)) return undefined
  return invalid(`${refused}: sampling parameters are not supported on this model`)
}

export const parameterChecks: readonly CallCheck[] = [
  versionIsGiven,
  noUnknownFields,
  maxTokensFits,
  prefillOnlyIsPlain,
  systemIsText,
  streamIsBoolean,
  samplingIsAccepted,
]
