import type { JsonObject, MediaContent } from '../../core/index.ts'
import { rehydrateTool } from '../../sessions/index.ts'
import type { SessionOptions } from '../../sessions/index.ts'

/** Options of `mcpRehydrate`. */
export interface McpRehydrateOptions {
  /** Where sessions keep what they left out. */
  readonly store: NonNullable<SessionOptions['store']>
  readonly tenant?: string
  /** The only session whose handles are answered; any of the tenant's where absent. */
  readonly session?: string
  /** Longer answers tell how to ask for their parts; 24,000 by default. */
  readonly maxChars?: number
}

/** What an answer consists of: its words, and what stands beside them. */
export type McpAnswerPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }

/** A tool that a server of the protocol offers, and how it answers. */
export interface McpRehydrate {
  readonly tool: {
    readonly name: string
    readonly description: string
    readonly inputSchema: { readonly type: 'object' }
  }
  /** Answers a call with these arguments, with `isError` where nothing is found. Rejects where the store fails. */
  call(input: unknown): Promise<{ content: McpAnswerPart[]; isError: boolean }>
}

/**
 * `rehydrate` for a server of the protocol: brings back what stands behind a handle, in the words in which a session does.
 *
 * ```ts
 * server.setRequestHandler(CallToolRequestSchema, ({ params }) => rehydrate.call(params.arguments))
 * ```
 */
export function mcpRehydrate({
  store,
  tenant = 'default',
  session,
  maxChars = 24_000,
}: McpRehydrateOptions): McpRehydrate {
  const { name, description, schema } = rehydrateTool.definition
  const scope = { tenant, ...(session !== undefined && { session }) }
  return {
    tool: { name, description, inputSchema: { ...(schema as JsonObject), type: 'object' } },
    async call(input) {
      const call = { id: '', name, arguments: JSON.stringify(input ?? {}) }
      const original = (handle: string) => store.read('originals').get(scope, handle)
      const originals = async () => (session === undefined ? [] : store.read('originals').all({ tenant, session }))
      const { text, found, media } = await rehydrateTool.answer(call, { original, originals, maxChars })
      return { content: [{ type: 'text', text }, ...(media ? [contentOf(media)] : [])], isError: !found }
    },
  }
}

const dataForm = /^data:([\w.+/-]{1,100})[^,]{0,100};base64,/

/** Pictures and sounds as they are; of the rest, and of what is elsewhere, the URL. */
function contentOf({ type, url }: MediaContent): McpAnswerPart {
  const [head, mimeType] = dataForm.exec(url.slice(0, 300)) ?? []
  if (head === undefined || mimeType === undefined || (type !== 'image' && type !== 'audio'))
    return { type: 'text', text: url }
  return { type, data: url.slice(head.length), mimeType }
}
