import type { SessionParts } from '../session-parts.ts'
import type { HiddenTool, OfferContext } from './hidden-tool.ts'

/** Whether a tool wants to be offered. One that cannot say so is not. */
export function wantsOffer({ watch }: Pick<SessionParts, 'watch'>, tool: HiddenTool, context: OfferContext): boolean {
  try {
    return tool.offer?.(context) !== false
  } catch (error) {
    watch.failed(tool.definition.name, error, context.requestId)
    return false
  }
}
