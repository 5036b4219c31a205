import type { SimulatedCall } from '../dialect.ts'
import type { ProviderProblem } from '../wire.ts'
import { firstProblem } from '../wire.ts'
import { cacheChecks } from './check-cache.ts'
import { messageChecks, messagesAreThere } from './check-messages.ts'
import { parameterChecks } from './check-parameters.ts'
import { thinkingChecks } from './check-thinking.ts'
import { pairChecks, toolChecks } from './check-tools.ts'
import { invalid } from './invalid.ts'
import { numberOf } from '../read-json.ts'

const checks = [...parameterChecks, ...messageChecks, ...toolChecks, ...thinkingChecks, ...cacheChecks]

/** The first reason for which the Messages API would refuse the request. */
export function checkAnthropic(call: SimulatedCall): ProviderProblem | undefined {
  return firstProblem(checks, call)
}

const shapeChecks = [messagesAreThere, ...pairChecks]

/** The same of what nobody could make sense of, whatever the model. */
export function checkAnthropicShape(call: SimulatedCall): ProviderProblem | undefined {
  return firstProblem(shapeChecks, call)
}

/** Input that does not fit is refused; input and output together only by models before 4.5. */
export function checkAnthropicTokens(call: SimulatedCall, tokens: number): ProviderProblem | undefined {
  const { model } = call
  if (call.countOnly) return undefined
  if (tokens > model.info.windowTokens)
    return invalid(`prompt is too long: ${tokens} tokens > ${model.info.windowTokens} maximum`)
  const stops = model.provider === 'anthropic' && model.claude.stopsAtWindow
  const max = numberOf(call.body['max_tokens']) ?? 0
  if (stops || tokens + max <= model.info.windowTokens) return undefined
  return invalid(
    `input length and \`max_tokens\` exceed context limit: ${tokens} + ${max} > ${model.info.windowTokens}, ` +
      'decrease input length or `max_tokens` and try again',
  )
}
