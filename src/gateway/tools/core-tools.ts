import type { HiddenTool, ToolAnswer } from '../../sessions/index.ts'
import { offeredSchema } from '../../tools/index.ts'
import type { RegistryAnswer } from './tool-call.ts'
import type { ToolRegistry } from './tool-registry.ts'

/** The core tools of a registry as tools that sessions offer and the gateway answers. */
export function coreHiddenTools(registry: Pick<ToolRegistry, 'core' | 'execute'>): readonly HiddenTool[] {
  return registry.core.map(({ tool, isOf }) => ({
    definition: { name: tool.calledAs, description: tool.description, schema: offeredSchema(tool) },
    offer: ({ scope }) => isOf(scope.tenant),
    async answer(call, { scope: { tenant, session }, requestId, signal }) {
      const asked = { tool: tool.id, arguments: call.arguments }
      return toolAnswer(await registry.execute(tenant, asked, { session, requestId, signal }))
    },
  }))
}

/** An answer of the registry as a model reads it. */
export function toolAnswer(answer: RegistryAnswer): ToolAnswer {
  if (answer.ok) return { text: answer.text, found: true }
  const { code, message, hint } = answer.error
  return { text: `Error ${code}: ${message} ${hint}`, found: false, isError: true }
}
