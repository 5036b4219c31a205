import type { JsonObject } from '../../../core/index.ts'
import type { SimulatedCall } from '../dialect.ts'
import { textOf } from '../read-json.ts'
import type { ProviderProblem } from '../wire.ts'
import { servingOf } from './serving.ts'

export function routedError({ status, message, metadata }: ProviderProblem): JsonObject {
  return { error: { message, code: status, ...(metadata && { metadata }) }, user_id: 'user_simulated' }
}

export function stranger(key: string): ProviderProblem {
  return { status: 401, message: key === '' ? 'No auth credentials found' : 'User not found.' }
}

export function unknownModel(id: string): ProviderProblem {
  return { status: 400, message: `${id} is not a valid model ID` }
}

/** What the router refuses itself. */
export function ownProblem({ body, headers }: SimulatedCall): ProviderProblem | undefined {
  const session = body['session_id'] ?? headers['x-session-id']
  if (session !== undefined && (textOf(session)?.length ?? Infinity) > 256)
    return { status: 400, message: 'session_id must be a string of at most 256 characters' }
  if (Array.isArray(body['messages']) && body['messages'].length > 0) return undefined
  return { status: 400, message: 'Input required: specify "prompt" or "messages"' }
}

/** What the provider behind it refuses, in the provider's words. */
export function providerProblem(
  call: SimulatedCall,
  problem: ProviderProblem | undefined,
): ProviderProblem | undefined {
  const { status = 400 } = problem ?? {}
  const raw = problem && servingOf(call).dialect.error(problem, 'req_simulated')
  const metadata = { raw: raw ?? '', provider_name: call.endpoint ?? '' }
  return problem && { status, message: 'Provider returned error', metadata }
}
