import type { SimulatedCall } from '../dialect.ts'
import type { Problem } from '../wire.ts'
import { firstProblem } from '../wire.ts'
import { parameterChecks } from './check-parameters.ts'
import { shapeChecks, turnChecks } from './check-turns.ts'
import { invalid } from './invalid.ts'

/** The first reason for which generateContent would refuse the request. */
export function checkGemini(call: SimulatedCall): Problem | undefined {
  return firstProblem(call.countOnly ? shapeChecks : [...parameterChecks, ...turnChecks], call)
}

export function checkGeminiShape(call: SimulatedCall): Problem | undefined {
  return firstProblem(shapeChecks, call)
}

export function checkGeminiTokens({ model }: SimulatedCall, tokens: number): Problem | undefined {
  const most = model.info.windowTokens
  if (tokens <= most) return undefined
  return invalid(`The input token count (${tokens}) exceeds the maximum number of tokens allowed (${most}).`)
}
