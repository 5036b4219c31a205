import type { JsonObject } from '../../../core/index.ts'
import { isJsonObject } from '../../../core/index.ts'
import type { SimulatedCall } from '../dialect.ts'
import type { Check } from '../wire.ts'
import { objectOf, objectsOf, textOf } from '../read-json.ts'
import { contentParts } from './message.ts'
import { refused } from './problem.ts'

type CallCheck = Check<SimulatedCall>

interface PlacedMark {
  readonly path: string
  readonly part: JsonObject
}

function marksIn(body: JsonObject): readonly PlacedMark[] {
  return objectsOf(body['messages']).flatMap((message, index) => [
    ...(message['prompt_cache_breakpoint'] == null ? [] : [{ path: `messages[${index}]`, part: message }]),
    ...contentParts(message).flatMap((part, place) =>
      part['prompt_cache_breakpoint'] == null ? [] : [{ path: `messages[${index}].content[${place}]`, part }],
    ),
  ])
}

const marksAreSupported: CallCheck = ({ body, model }) => {
  const [first] = marksIn(body)
  if (first === undefined || (model.provider === 'openai' && model.openai.breakpoints)) return undefined
  return refused(
    `Unsupported parameter: 'prompt_cache_breakpoint' is not supported with this model.`,
    `${first.path}.prompt_cache_breakpoint`,
    'unsupported_parameter',
  )
}

const optionsAreSupported: CallCheck = ({ body, model }) => {
  const supported = model.provider === 'openai' && model.openai.breakpoints
  if (body['prompt_cache_options'] == null) return undefined
  if (!supported)
    return refused(
      `Unsupported parameter: 'prompt_cache_options' is not supported with this model.`,
      'prompt_cache_options',
      'unsupported_parameter',
    )
  const { mode = 'implicit', ttl = '30m' } = objectOf(body['prompt_cache_options'])
  const fits = ['implicit', 'explicit'].includes(textOf(mode) ?? '') && ['30m', '12h'].includes(textOf(ttl) ?? '')
  return fits
    ? undefined
    : refused("Invalid value for 'prompt_cache_options'.", 'prompt_cache_options', 'invalid_value')
}

const markable = new Set(['text', 'image_url', 'input_audio', 'file', 'refusal'])

const marksAreWellFormed: CallCheck = ({ body }) => {
  const bad = marksIn(body).find(({ part }) => {
    const mark = part['prompt_cache_breakpoint']
    if (!markable.has(textOf(part['type']) ?? '') || !isJsonObject(mark) || mark['mode'] !== 'explicit') return true
    return mark['ttl'] !== undefined && mark['ttl'] !== '30m' && mark['ttl'] !== '12h'
  })
  return (
    bad &&
    refused(`Invalid 'prompt_cache_breakpoint' at ${bad.path}.`, `${bad.path}.prompt_cache_breakpoint`, 'invalid_value')
  )
}

export const cacheChecks: readonly CallCheck[] = [marksAreSupported, optionsAreSupported, marksAreWellFormed]
