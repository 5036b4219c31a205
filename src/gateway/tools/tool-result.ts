import { ladderFor } from '../../ladders/index.ts'
import { putArtifact } from '../../sessions/index.ts'
import type { ArtifactHost } from '../../sessions/index.ts'
import type { SourceResult } from './sources/tool-source.ts'
import type { ToolSucceeded } from './tool-call.ts'

export interface ResultParts extends ArtifactHost {
  readonly count: (text: string) => number
  /** A longer result becomes an artifact. */
  readonly resultTokens: number
}

export interface ResultOf {
  readonly tenant: string
  readonly tool: string
  readonly name: string
  readonly callId: string
  readonly session?: string | undefined
  readonly requestId?: string | undefined
}

type Shaped = Pick<ToolSucceeded, 'text' | 'structured' | 'artifact' | 'tokens'>

/** A result as its caller gets it: as it came, or its summary and where the whole is. */
export async function shapedResult(
  parts: ResultParts,
  { text, structured }: SourceResult,
  of: ResultOf,
): Promise<Shaped> {
  const tokens = parts.count(text)
  if (tokens <= parts.resultTokens) return { text, tokens, ...(structured !== undefined && { structured }) }
  const isJson = structured !== undefined && /^\s*[[{]/.test(text)
  const { path } = await putArtifact(parts, {
    tenant: of.tenant,
    uri: `tasks/tool-calls/step-${of.callId}/result.${isJson ? 'json' : 'txt'}`,
    bytes: new TextEncoder().encode(text),
    mediaType: isJson ? 'application/json' : 'text/plain; charset=utf-8',
    class: 'raw',
    session: of.session,
    requestId: of.requestId,
  })
  const artifact = `artifact://${path}`
  const head = `The result has ${tokens} tokens. It is stored as ${artifact}; this is a summary.`
  return { text: `${head}\n\n${summaryOf(parts, text, of.name)}`, artifact, tokens }
}

/** The fullest form of a result that takes a quarter of what may be shown. */
function summaryOf({ count, resultTokens }: ResultParts, text: string, toolName: string): string {
  const room = Math.floor(resultTokens / 4)
  const item = { id: 'result', section: 'history', kind: 'tool-result', text, toolName } as const
  const forms = ladderFor(item, { count, handle: 'artifact', unhandled: true })
  const fitting = forms.find(({ tokens }) => tokens <= room)?.text ?? forms.at(-1)?.text ?? ''
  return count(fitting) <= room ? fitting : firstTokens(fitting, room, count)
}

/** About so many tokens of the beginning, for texts that no form shortens. */
function firstTokens(text: string, room: number, count: (text: string) => number): string {
  let chars = Math.min(text.length, room * 4)
  while (chars > 0 && count(text.slice(0, chars)) > room) chars = Math.floor(chars * 0.8)
  return `${text.slice(0, chars).toWellFormed()}...`
}
