import type { Usage } from '../core/index.ts'
import type { ModelInfo } from './catalogue/model-info.ts'

/** No request uses more than so many windows of its model; a report of more is a slip of the provider's. */
const mostWindows = 10

/** What a provider reports, unless no request of the model can have used it: then nothing is known of its tokens and costs. */
export function plausibleUsage<Reported extends Usage | undefined>(
  usage: Reported,
  { windowTokens }: Pick<ModelInfo, 'windowTokens'>,
): Reported | undefined {
  if (usage === undefined) return undefined
  const figures: readonly (number | undefined)[] = Object.values(usage)
  return figures.every((tokens = 0) => tokens >= 0 && tokens <= mostWindows * windowTokens) ? usage : undefined
}
