import { hanging } from './wrap-text.ts'
import { providerEndpoints } from '../providers/index.ts'
import type { Serving } from './open-serving.ts'

const keys = Object.values(providerEndpoints).map(({ keyVariable }) => keyVariable)

/** A request whose model belongs to none of them goes to one that speaks the client's dialect. */
function providersLine(providers: readonly string[]): string {
  const gets = providers.length === 1 ? 'which gets' : 'of which each gets'
  return `${providers.join(', ')}, ${gets} its own models and other requests in its dialect; the rest are refused`
}

/** Where the gateway is and what stands behind it. */
export function servingLines(
  { url, inspector, providers, config, script, store, extensions, warnings }: Serving,
  columns?: number,
): readonly string[] {
  const simulated =
    script === undefined
      ? `the simulated provider (no key is set; set ${keys.slice(0, -1).join(', ')} or ${keys.at(-1)})`
      : `the simulated provider, which plays the script ${script}`
  const behind = providers.length === 0 ? simulated : providersLine(providers)
  return [
    `Gateway on ${url}, mode ${config.mode}, policy ${config.policy}`,
    `  behind it: ${behind}`,
    `  OpenAI base URL ${url}/v1, Anthropic and Google base URL ${url}`,
    `  receipts ${url}/v1/packs, metrics ${url}/metrics`,
    ...(inspector === undefined ? [] : [`  inspector ${inspector}`]),
    ...(extensions.length > 0 ? [`  extensions ${extensions.join(', ')}`] : []),
    ...warnings.map((warning) => `  warning: ${warning}`),
    `  store ${store}`,
    ...(config.record === 'content' ? ['  with whole requests, for you alone; --record receipts keeps none'] : []),
  ].map((line) => hanging(line, columns))
}
