import type { Tracing } from '../../tracing/index.ts'
import { errorCode } from '../../tracing/index.ts'
import type { Served } from '../api/serve-route.ts'

interface Called {
  readonly ok: boolean
  readonly tool: string
  readonly error?: { readonly code: string }
}

/** A call of a tool within a span, in the words of OpenTelemetry for agents. Neither arguments nor results stand in it. */
export async function tracedTool<Answer extends Called>(
  tracing: Tracing | undefined,
  c: Served,
  call: () => Promise<Answer>,
): Promise<Answer> {
  const context = { traceparent: c.req.header('traceparent'), tracestate: c.req.header('tracestate') }
  const root = tracing?.begin('execute_tool', { kind: 'server', ...context })
  if (root === undefined) return call()
  try {
    const answer = await call()
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': answer.tool }
    root.end({ attributes, children: [], ...(answer.error && { error: answer.error.code }) })
    return answer
  } catch (error) {
    root.end({ attributes: { 'gen_ai.operation.name': 'execute_tool' }, children: [], error: errorCode(error) })
    throw error
  }
}
