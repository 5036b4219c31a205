import { perObject } from '../core/index.ts'
import { compilers } from '../sessions/index.ts'
import type { SessionParts } from '../sessions/index.ts'
import { modelCatalogue } from '../tokens/index.ts'
import type { ModelCatalogue } from '../tokens/index.ts'
import type { GatewayConfig } from './config.ts'
import type { GatewayParts } from './parts.ts'
import { settingsFor } from './tenant-settings.ts'

/** What is known of models, by tenant: those that have the same tokenizer and say nothing of models share one. */
export function catalogues(config: GatewayConfig, ofAll: ModelCatalogue): GatewayParts['catalogueOf'] {
  const known = new Map<unknown, ModelCatalogue>()
  return (tenant) => {
    const { tokenizer, models, largestWindow } = settingsFor(config, tenant)
    const isOfAll = models === config.models
    if (tokenizer === config.tokenizer && largestWindow === config.largestWindow && isOfAll) return ofAll
    const key = isOfAll ? `${tokenizer} ${largestWindow}` : models
    const own = known.get(key) ?? modelCatalogue({ models, tokenizer, largestWindow })
    known.set(key, own)
    return own
  }
}

type TenantSurroundings = Pick<GatewayParts, 'config' | 'catalogue' | 'catalogueOf' | 'compileExtras'>

/** What tenants have otherwise; of one that counts in another way, nothing is known of how its counts compare. */
export function tenantParts({
  config,
  catalogue,
  catalogueOf,
  compileExtras: extras,
}: TenantSurroundings): NonNullable<SessionParts['tenant']> {
  const compileBy = perObject((own: ModelCatalogue) => compilers(own, extras))
  return (tenant) => {
    const settings = settingsFor(config, tenant)
    if (settings === config) return undefined
    const { rehydrateRounds: hiddenRounds, rehydrateChars: answerChars, toolMs } = settings.limits
    const own = catalogueOf(tenant)
    return {
      limits: { hiddenRounds, answerChars, toolMs },
      recordsContent: settings.record === 'content',
      ...(own !== catalogue && { compile: compileBy(own), modelInfo: own.info }),
      ...(settings.tokenizer !== config.tokenizer && { fittingTokens: (_: string, tokens: number) => tokens }),
    }
  }
}
