import { within } from '../../host/index.ts'
import type { ToolSource } from './sources/tool-source.ts'

export interface ListedSource {
  readonly source: ToolSource
  readonly connectMs: number
}

/** Lists a source. Rejects where that takes longer than it may. */
export async function listedInTime({ source, connectMs }: ListedSource): ReturnType<ToolSource['list']> {
  const over = new AbortController()
  const late = (): Error => new Error(`it did not list its tools within ${connectMs} ms`)
  try {
    return await within(source.list(over.signal), connectMs, late)
  } finally {
    over.abort()
  }
}

/** Words of a server may be anything, so that only their first line is told, and little of it. */
export function unlistedReason(error: unknown): string {
  const said = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : ''
  return said.slice(0, 200) || 'it does not say why'
}
