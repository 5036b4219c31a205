import type { SimulatedCall } from '../dialect.ts'
import type { ProviderProblem } from '../wire.ts'
import { firstProblem } from '../wire.ts'
import { parameterChecks } from './check-parameters.ts'
import { shapeChecks, turnChecks } from './check-turns.ts'
import { invalid } from './invalid.ts'

/** The first reason for which generateContent would refuse the request. */
export function checkGemini(call: SimulatedCall): ProviderProblem | undefined {
  return firstProblem(call.countOnly ? shapeChecks : [...parameterChecks, ...turnChecks], call)
}

export function checkGeminiShape(call: SimulatedCall): ProviderProblem | undefined {
  return firstProblem(shapeChecks, call)
}

export function checkGeminiTokens({ model }: SimulatedCall, tokens: number): ProviderProblem | undefined {
  const most = model.info.windowTokens
  if (tokens <= most) return undefined
  return invalid(`The input token count (${tokens}) exceeds the maximum number of tokens allowed (${most}).`)
}
