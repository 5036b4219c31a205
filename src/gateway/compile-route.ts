import type { CompileInput, CompileResult } from '../core/index.ts'
import type { Original } from '../stores/index.ts'
import { readCompileBody } from './compile-body.ts'
import type { GatewayParts } from './parts.ts'

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
  // A key of the caller's choosing could make handles that stand for other texts.
  const read = readCompileBody(body, { policy: parts.config.policy, catalogue: parts.catalogue })
  const input: CompileInput = { ...read, handleKey: parts.handleKey(tenant) }
  const { model = usualModel } = input
  const result = parts.compile(model, input)
  await parts.store.commit({
    scope: { tenant, session, lane: 'compile' },
    nowMs: parts.clock(),
    originals: originalsOf(input, result),
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

function originalsOf({ items }: CompileInput, { manifest }: CompileResult): Original[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  return manifest.decisions.flatMap(({ handle, itemId }) => {
    const item = byId.get(itemId)
    if (handle === undefined || !item) return []
    const { text, kind, toolName } = item
    return [{ handle, text, kind, ...(toolName !== undefined && { toolName }) }]
  })
}
