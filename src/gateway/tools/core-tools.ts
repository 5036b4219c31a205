import type { CallContext, HiddenTool, ToolAnswer } from '../../sessions/index.ts'
import { offeredSchema } from '../../tools/index.ts'
import type { RegistryAnswer, RegistryCallContext } from './tool-call.ts'
import type { ToolRegistry } from './tool-registry.ts'

/** The core tools of a registry as tools that sessions offer and the gateway answers. */
export function coreHiddenTools(registry: Pick<ToolRegistry, 'core' | 'execute'>): readonly HiddenTool[] {
  return registry.core.map(({ tool, isOf }) => ({
    definition: { name: tool.calledAs, description: tool.description, schema: offeredSchema(tool) },
    boundsTime: true,
    offer: ({ scope }) => isOf(scope.tenant),
    async answer(call, context) {
      const asked = { tool: tool.id, arguments: call.arguments }
      return toolAnswer(await registry.execute(context.scope.tenant, asked, onBehalfOf(context)))
    },
  }))
}

/** Counts core tools that a request has offered; undefined where there are none. Nobody waits for it. */
export function coreOffers(
  registry: Pick<ToolRegistry, 'core' | 'offered'>,
  failed: (error: unknown) => void,
): ((tenant: string, names: readonly string[]) => void) | undefined {
  if (registry.core.length === 0) return undefined
  const ids = new Map(registry.core.map(({ tool }) => [tool.calledAs, tool.id]))
  return (tenant, names) => {
    const offered = names.flatMap((name) => ids.get(name) ?? [])
    if (offered.length > 0) registry.offered(tenant, offered).catch(failed)
  }
}

/** Whom a call of a session is made for, and what its step allows. */
export function onBehalfOf({ scope: { session }, requestId, signal, step }: CallContext): RegistryCallContext {
  const { scopes, only } = step?.tools ?? {}
  return { session, requestId, signal, ...(scopes && { scopes }), ...(only && { only }) }
}

/** An answer of the registry as a model reads it. */
export function toolAnswer(answer: RegistryAnswer): ToolAnswer {
  if (answer.ok) return { text: answer.text, found: true }
  const { code, message, hint } = answer.error
  return { text: `Error ${code}: ${message} ${hint}`, found: false, isError: true }
}
