import { searchHistoryTool } from '../../sessions/index.ts'
import type { ConfiguredExtension } from '../../sessions/index.ts'
import type { GatewayConfig } from '../config.ts'
import type { Extension } from './additions.ts'

/** Offers the tool that finds what was said earlier in a session. */
const searchHistory: Extension = {
  name: 'search-history',
  specificationVersion: 1,
  open: ({ store }) => ({ tools: [searchHistoryTool(store)] }),
}

/** Features of the product that are extensions like any other; a setting says whether each is used. */
export function builtInExtensions(config: Pick<GatewayConfig, 'searchHistory'>): readonly ConfiguredExtension[] {
  return config.searchHistory ? [{ extension: searchHistory, config: undefined }] : []
}
