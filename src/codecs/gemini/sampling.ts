import type { JsonValue, ResponseFormat, Sampling, ToolChoice } from '../../core/index.ts'
import { optional } from '../optional.ts'
import type { Field } from '../read-field.ts'
import { child } from '../read-field.ts'
import { numberAt, stringsAt, valueAt } from '../sampling-fields.ts'
import { eitherChild, spelling } from './members.ts'
import { jsonSchema } from '../open-schema.ts'
import { thinkingWish } from './thinking.ts'

export function geminiSampling(body: Field): Sampling {
  const config = eitherChild(body, 'generationConfig')
  return {
    ...(config && configSampling(config)),
    ...optional('toolChoice', toolChoice(body)),
  }
}

function configSampling(config: Field): Sampling {
  const stops = stringsAt(config, spelling(config, 'stopSequences'))
  return {
    ...optional('temperature', numberAt(config, 'temperature')),
    ...optional('topP', numberAt(config, spelling(config, 'topP'))),
    ...optional('topK', numberAt(config, spelling(config, 'topK'))),
    ...optional('stop', stops),
    ...optional('seed', numberAt(config, 'seed')),
    ...optional('responseFormat', responseFormat(config)),
    ...optional('reasoning', thinkingWish(config)),
  }
}

/** How calls are chosen; one name alone forces its tool. */
function toolChoice(body: Field): ToolChoice | undefined {
  const calling = callingConfig(body)
  const names = calling && stringsAt(calling, spelling(calling, 'allowedFunctionNames'))
  switch (calling && valueAt(calling, 'mode')) {
    case 'AUTO':
      return 'auto'
    case 'NONE':
      return 'none'
    case 'ANY': {
      const [only, ...others] = names ?? []
      return only !== undefined && others.length === 0 ? { name: only } : 'required'
    }
    default:
      return undefined
  }
}

export function callingConfig(body: Field): Field | undefined {
  const config = eitherChild(body, 'toolConfig')
  const calling = config && eitherChild(config, 'functionCallingConfig')
  return calling && child(calling, 'mode') ? calling : undefined
}

function responseFormat(config: Field): ResponseFormat | undefined {
  if (valueAt(config, spelling(config, 'responseMimeType')) !== 'application/json') return undefined
  const schema: JsonValue | undefined = valueAt(config, spelling(config, 'responseJsonSchema'))
  if (schema !== undefined) return { schema }
  const open = valueAt(config, spelling(config, 'responseSchema'))
  return open === undefined ? 'json' : { schema: jsonSchema(open) }
}
