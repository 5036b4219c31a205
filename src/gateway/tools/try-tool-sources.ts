import { listedInTime, unlistedReason } from './listed-in-time.ts'
import { openSource } from './open-sources.ts'
import { kindOf } from './tool-settings.ts'
import type { SourceKind, ToolSettings } from './tool-settings.ts'

/** What a source of the configuration has answered. */
export interface TriedToolSource {
  readonly server: string
  readonly kind: SourceKind | undefined
  /** How many tools it has listed; undefined where it has failed. */
  readonly tools?: number
  /** Why it has failed, in words that may be those of a server. */
  readonly problem?: string
}

/** Has each source list its tools, and ends what that has begun. Never rejects for what a source does. */
export function tryToolSources(
  { sources, connectMs }: Pick<ToolSettings, 'sources' | 'connectMs'>,
  fetcher: typeof fetch,
): Promise<readonly TriedToolSource[]> {
  return Promise.all(
    Object.entries(sources).map(async ([server, settings]): Promise<TriedToolSource> => {
      const kind = kindOf(settings)
      const source = openSource({ server, settings, connectMs, fetcher }, { changed: () => undefined })
      try {
        return { server, kind, tools: (await listedInTime({ source, connectMs })).length }
      } catch (error) {
        return { server, kind, problem: withoutSecrets(`${unlistedReason(error)}${causeOf(error)}`) }
      } finally {
        await source.close()
      }
    }),
  )
}

/** An address may carry a key in its query, or before its host. */
function withoutSecrets(text: string): string {
  return text.replace(/\bhttps?:\/\/[^\s'"()]+/g, (found) => {
    const url = URL.parse(found)
    return url === null ? 'an address' : `${url.origin}${url.pathname}`
  })
}

/** A request that was refused says why only in the code of its cause. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
}
