import type { Tracing } from '../../tracing/index.ts'
import { errorCode } from '../../tracing/index.ts'
import type { CompileAnswer } from './compile-route.ts'

/** Trace context of who has asked, as it came in headers. */
export interface TraceContext {
  readonly traceparent: string | undefined
  readonly tracestate: string | undefined
}

/** A compile within the span of its request, where there is anybody to tell; otherwise `compile` is told that it is not traced. */
export async function tracedCompile(
  tracing: Tracing | undefined,
  context: TraceContext,
  compile: (isTraced: boolean) => Promise<CompileAnswer>,
): Promise<CompileAnswer> {
  const root = tracing?.begin('prehend.request compile', { kind: 'server', ...context })
  if (root === undefined) return compile(false)
  try {
    const answer = await compile(root.isRecording)
    const attributes = { 'http.request.method': 'POST', 'http.response.status_code': statusOf(answer) }
    root.end({ attributes, children: answer.span ? [answer.span] : [] })
    return answer
  } catch (error) {
    root.end({ attributes: { 'http.request.method': 'POST' }, children: [], error: errorCode(error) })
    throw error
  }
}

/** What does not fit is told as a document, and not as an error. */
export function statusOf({ hasPack }: CompileAnswer): 200 | 422 {
  return hasPack ? 200 : 422
}
