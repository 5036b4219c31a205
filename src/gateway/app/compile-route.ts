import type { CompileResult } from '../../core/index.ts'
import { compileMemory, originalsOf, readCompileBody } from '../../sessions/index.ts'
import type { GatewayParts } from '../parts.ts'

export interface CompileRequest {
  readonly tenant: string
  readonly session: string
  readonly requestId: string
  readonly body: string
}

/** Counts for models that are not named. */
const usualModel = 'gpt-4.1'

/** Compiles a document and keeps its receipt, and what its handles bring back. Throws on bad input. */
export async function compileRoute(
  parts: GatewayParts,
  { tenant, session, requestId, body }: CompileRequest,
): Promise<CompileResult & { readonly requestId: string }> {
  const { compile, handleKey } = parts.sessionParts
  const input = readCompileBody(body, {
    policy: parts.config.policy,
    catalogue: parts.catalogue,
    handleKey: handleKey(tenant),
  })
  const { model = usualModel } = input
  const result = compile(model, input, compileMemory())
  await parts.store.commit({
    scope: { tenant, session, lane: 'compile' },
    nowMs: parts.clock(),
    originals: originalsOf(input.items, result.manifest.decisions),
    receipt: {
      requestId,
      packId: result.manifest.packHash,
      dialect: 'compile',
      mode: 'on',
      model,
      manifest: result.manifest,
      ...(parts.config.record === 'content' && { input }),
    },
  })
  return { requestId, ...result }
}
