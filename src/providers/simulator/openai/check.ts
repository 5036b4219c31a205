import type { SimulatedCall } from '../dialect.ts'
import type { ProviderProblem } from '../wire.ts'
import { firstProblem } from '../wire.ts'
import { numberOf } from '../read-json.ts'
import { cacheChecks } from './check-cache.ts'
import { messageChecks, shapeChecks } from './check-messages.ts'
import { parameterChecks } from './check-parameters.ts'
import { refused } from './problem.ts'

const otherChecks = [...messageChecks, ...cacheChecks]

/** The first reason for which Chat Completions would refuse the request. DeepSeek answers wrong parameters with 422. */
export function checkOpenai(call: SimulatedCall): ProviderProblem | undefined {
  const parameter = firstProblem(parameterChecks, call)
  if (parameter !== undefined && call.model.provider === 'deepseek') return { ...parameter, status: 422 }
  return parameter ?? firstProblem(otherChecks, call)
}

export function checkOpenaiShape(call: SimulatedCall): ProviderProblem | undefined {
  return firstProblem(shapeChecks, call)
}

export function checkOpenaiTokens({ body, model }: SimulatedCall, tokens: number): ProviderProblem | undefined {
  const asked = numberOf(body['max_completion_tokens']) ?? numberOf(body['max_tokens']) ?? 0
  if (tokens + asked <= model.info.windowTokens) return undefined
  const wanted =
    asked === 0
      ? `your messages resulted in ${tokens} tokens`
      : `you requested ${tokens + asked} tokens (${tokens} in the messages, ${asked} in the completion)`
  return refused(
    `This model's maximum context length is ${model.info.windowTokens} tokens. However, ${wanted}. ` +
      'Please reduce the length of the messages or completion.',
    'messages',
    'context_length_exceeded',
  )
}
