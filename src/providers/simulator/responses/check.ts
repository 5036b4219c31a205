import type { SimulatedCall } from '../dialect.ts'
import { checkOpenai, checkOpenaiShape, checkOpenaiTokens } from '../openai/check.ts'
import { refused } from '../openai/problem.ts'
import { numberOf, textOf } from '../read-json.ts'
import type { Check, ProviderProblem } from '../wire.ts'
import { firstProblem } from '../wire.ts'
import { chatCall, itemsOf } from './chat-form.ts'

/** Least tokens that an answer may be given. */
const leastTokens = 16

/** The first reason for which Responses would refuse the request. */
export function checkResponses(call: SimulatedCall): ProviderProblem | undefined {
  return firstProblem(checks, call) ?? ofInput(checkOpenai(chatCall(call)))
}

export function checkResponsesShape(call: SimulatedCall): ProviderProblem | undefined {
  return firstProblem(shapeChecks, call) ?? ofInput(checkOpenaiShape(chatCall(call)))
}

export function checkResponsesTokens(call: SimulatedCall, tokens: number): ProviderProblem | undefined {
  return ofInput(checkOpenaiTokens(chatCall(call), tokens))
}

const shapeChecks: readonly Check<SimulatedCall>[] = [hasInput, hasCalls, keepsReasoning]
const checks: readonly Check<SimulatedCall>[] = [...shapeChecks, hasRoom]

function ofInput(problem: ProviderProblem | undefined): ProviderProblem | undefined {
  const param = problem?.param?.replace(/^messages/, 'input')
  return problem && { ...problem, ...(param === undefined ? {} : { param }) }
}

function hasInput({ body }: SimulatedCall): ProviderProblem | undefined {
  if (itemsOf(body['input']).length > 0) return undefined
  return refused("Missing required parameter: 'input'.", 'input', 'missing_required_parameter')
}

function hasCalls({ body }: SimulatedCall): ProviderProblem | undefined {
  const items = itemsOf(body['input'])
  const idsOf = (isResult: boolean): ReadonlySet<string> =>
    new Set(
      items.flatMap(({ type, call_id: id }) => {
        const isSo = String(type).endsWith(isResult ? '_call_output' : '_call')
        return isSo && textOf(id) !== undefined ? [String(id)] : []
      }),
    )
  const [calls, results] = [idsOf(false), idsOf(true)]
  const orphan = [...results].find((id) => !calls.has(id))
  if (orphan !== undefined)
    return refused(`No tool call found for function call output with call_id ${orphan}.`, 'input')
  const open = [...calls].find((id) => !results.has(id))
  return open === undefined ? undefined : refused(`No tool output found for function call ${open}.`, 'input')
}

/** Reasoning stands right before what it led to. */
function keepsReasoning({ body }: SimulatedCall): ProviderProblem | undefined {
  const items = itemsOf(body['input'])
  const found = items.find((item, index) => {
    const next = items[index + 1]
    const leads =
      next !== undefined && (next['role'] ?? 'assistant') === 'assistant' && !String(next['type']).endsWith('_output')
    return item['type'] === 'reasoning' && !leads
  })
  if (found === undefined) return undefined
  const id = textOf(found['id']) ?? ''
  return refused(`Item '${id}' of type 'reasoning' was provided without its required following item.`, 'input')
}

function hasRoom({ body }: SimulatedCall): ProviderProblem | undefined {
  const most = numberOf(body['max_output_tokens'])
  if (most === undefined || most >= leastTokens) return undefined
  return refused(
    `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${leastTokens}, but got ${most} instead.`,
    'max_output_tokens',
    'integer_below_min_value',
  )
}
