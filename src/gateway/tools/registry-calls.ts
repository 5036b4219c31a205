import { ownServer } from '../../tools/index.ts'
import type { CatalogueTool } from './catalogue-tool.ts'
import { runCall, toolOfCall } from './execute-call.ts'
import type { Executing } from './execute-call.ts'
import type { Catalogues } from './open-catalogues.ts'
import { writeTools } from './registry-parts.ts'
import type { RegistryParts } from './registry-parts.ts'
import { ToolFailure } from './sources/tool-failure.ts'
import type { ToolError } from './sources/tool-failure.ts'
import type { RegistryAnswer, RegistryCall, RegistryCallContext } from './tool-call.ts'
import { shapedResult } from './tool-result.ts'

export interface AskedCall {
  readonly call: RegistryCall
  readonly context: RegistryCallContext
}

type Calls = (tenant: string, tools: readonly CatalogueTool[], asked: AskedCall) => Promise<RegistryAnswer>

/** Calls of tools: checked, run, measured and noted. */
export function registryCalls(parts: RegistryParts, sources: Pick<Catalogues, 'source' | 'has'>): Calls {
  const { settings, stopwatch, wait, newId } = parts
  const limits = { fast: settings.fastMs, medium: settings.mediumMs, slow: settings.slowMs }
  return async (tenant, tools, { call, context }) => {
    const executing: Executing = {
      tools,
      sourceOf: ({ server }) => sources.source(server),
      timeoutMs: ({ timeout }) => limits[timeout],
      wait,
      caller: { tenant, ...(context.session !== undefined && { session: context.session }) },
    }
    const callId = newId()
    const started = stopwatch()
    const permitted = { ...context, scopes: scopesOf(settings.scopes, tenant, context.scopes) }
    let tool: CatalogueTool | undefined
    const answer = await (async (): Promise<RegistryAnswer> => {
      tool = toolOfCall(executing, call, permitted)
      const result = await runCall(executing, tool, { ...call, signal: context.signal })
      const { session, requestId } = context
      const of = { tenant, tool: tool.id, name: tool.calledAs, callId, session, requestId }
      const shaped = await shapedResult({ ...parts, resultTokens: settings.resultTokens }, result, of)
      return { ok: true, tool: tool.id, ...shaped, tookMs: tookMs(stopwatch, started) }
    })().catch((error: unknown): RegistryAnswer => {
      const said = errorOf(error, parts)
      return { ok: false, ...(tool && { tool: tool.id }), error: said, tookMs: tookMs(stopwatch, started) }
    })
    await noted(parts, tenant, { callId, answer, context, source: sourceName(tool, sources) })
    return answer
  }
}

/** What a tenant may do, and of that what the caller asks for: a call never has more than its tenant. */
function scopesOf(
  allowed: Readonly<Record<string, readonly string[]>>,
  tenant: string,
  asked: readonly string[] | undefined,
): readonly string[] | undefined {
  const ofTenant = Object.hasOwn(allowed, tenant) ? allowed[tenant] : allowed['*']
  if (ofTenant === undefined || asked === undefined) return asked ?? ofTenant
  return asked.filter((scope) => ofTenant.includes(scope))
}

function errorOf(error: unknown, { failed }: RegistryParts): ToolError {
  if (error instanceof ToolFailure) return error.error
  failed?.('tool-call', error)
  const hint = 'Try again later, or go on without it.'
  return { code: 'tool-error', message: 'The result could not be stored.', retryable: true, hint }
}

function tookMs(stopwatch: () => number, started: number): number {
  return Math.round(stopwatch() - started)
}

/** Labels of metrics are names of the configuration, never of tenants. */
function sourceName(tool: CatalogueTool | undefined, sources: Pick<Catalogues, 'has'>): string {
  if (tool === undefined) return 'none'
  return sources.has(tool.server) ? tool.server : ownServer
}

interface Noted extends Pick<AskedCall, 'context'> {
  readonly callId: string
  readonly answer: RegistryAnswer
  readonly source: string
}

async function noted(parts: RegistryParts, tenant: string, { callId, answer, context, source }: Noted): Promise<void> {
  const outcome = answer.ok ? 'ok' : answer.error.code
  parts.called?.(source, outcome)
  if (answer.tool === undefined) return
  const { session, requestId } = context
  const call = {
    id: callId,
    tool: answer.tool,
    outcome,
    tookMs: answer.tookMs,
    tokens: answer.ok ? answer.tokens : 0,
    ...(session !== undefined && { session }),
    ...(requestId !== undefined && { requestId }),
  }
  await writeTools(parts, tenant, { call }).catch((error: unknown) => parts.failed?.('tool-calls', error))
}
