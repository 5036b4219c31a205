import type * as Mcp from '@modelcontextprotocol/client'
import type { Client, JsonSchemaValidator, Transport, jsonSchemaValidator } from '@modelcontextprotocol/client'
import { PrehendError } from '../../../core/index.ts'
import type { JsonValue } from '../../../core/index.ts'
import type { SourcedTool } from '../../../tools/index.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { mcpResult } from './mcp-text.ts'
import { ToolFailure, unavailable } from './tool-failure.ts'
import type { SourceWatch, ToolSource } from './tool-source.ts'

/** An MCP server: a program, or an address. */
export type McpPlace =
  | {
      readonly command: string
      readonly args?: readonly string[]
      readonly env?: Readonly<Record<string, string>>
      readonly cwd?: string
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }

export interface McpSourceParts {
  readonly server: string
  readonly place: McpPlace
  readonly connectMs: number
  readonly version: string
  readonly fetcher: typeof fetch
}

/** Bytes of one message of a program. */
const mostMessageBytes = 4 * 1024 * 1024

interface Connected {
  readonly client: Client
  readonly connection: Connection
}

interface Connection {
  readonly connected: Promise<Connected>
  /** It failed, or the server has gone: the next call begins another one. */
  isOver: boolean
}

/**
 * An MCP server of either protocol era. It is connected with the first call, and again with the next one after it has died. A schema that it
 * states is never compiled: our own check of arguments is bounded, and results are not checked.
 */
export function mcpSource(parts: McpSourceParts, { changed }: SourceWatch): ToolSource {
  const { server } = parts
  let current: Connection | undefined
  let isClosed = false
  const connection = async (): Promise<Connected> => {
    if (isClosed) throw unavailable(server, 'the gateway stops')
    if (current === undefined || current.isOver) current = connect(parts, changed)
    return current.connected
  }
  return {
    protocol: 'mcp',
    async list(signal) {
      const { client } = await connection()
      const { tools } = await client.listTools(undefined, { signal, timeout: parts.connectMs, cacheMode: 'refresh' })
      return tools.map(sourced)
    },
    async call({ tool, arguments: given, signal, timeoutMs }) {
      const connected = await connection().catch((error: unknown) => {
        throw unavailable(server, reasonOf(error))
      })
      const asked = { name: tool.name, arguments: { ...given } }
      const options = { signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs }
      try {
        return mcpResult(await connected.client.callTool(asked, options))
      } catch (error) {
        if (error instanceof ToolFailure) throw error
        throw failureOf(server, connected, error)
      }
    },
    async close() {
      isClosed = true
      const connected = await current?.connected.catch(() => undefined)
      await connected?.client.close().catch(() => undefined)
    },
  }
}

function connect(parts: McpSourceParts, changed: () => void): Connection {
  const { promise, resolve, reject } = Promise.withResolvers<Connected>()
  const connection: Connection = { connected: promise, isOver: false }
  const ended = (): void => {
    connection.isOver = true
  }
  opened(parts, { changed, ended }).then(
    (client) => resolve({ client, connection }),
    (error: unknown) => {
      ended()
      reject(error instanceof Error ? error : new Error('it cannot be reached'))
    },
  )
  return connection
}

interface ClientWatch {
  changed(): void
  ended(): void
}

async function opened({ place, connectMs, version, fetcher }: McpSourceParts, watch: ClientWatch): Promise<Client> {
  const { Client: McpClient } = await mcpClient()
  const client = new McpClient(
    { name: 'prehend', version },
    {
      capabilities: {},
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: Math.ceil(connectMs / 4) } },
      jsonSchemaValidator: uncompiled,
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => watch.changed() } },
    },
  )
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a client has no other way
  client.onclose = () => watch.ended()
  const transport = await transportTo(place, fetcher)
  try {
    await client.connect(transport, { timeout: connectMs })
  } catch (error) {
    await client.close().catch(() => undefined)
    await transport.close().catch(() => undefined)
    throw error
  }
  return client
}

async function transportTo(place: McpPlace, fetcher: typeof fetch): Promise<Transport> {
  if ('url' in place) {
    const { StreamableHTTPClientTransport } = await mcpClient()
    return new StreamableHTTPClientTransport(new URL(place.url), {
      requestInit: { headers: { ...place.headers } },
      fetch: boundedFetch(fetcher),
    })
  }
  const { StdioClientTransport, getDefaultEnvironment } = await import('@modelcontextprotocol/client/stdio')
  const { command, args = [], env = {}, cwd } = place
  return new StdioClientTransport({
    command,
    args: [...args],
    env: { ...getDefaultEnvironment(), ...env },
    ...(cwd !== undefined && { cwd }),
    stderr: 'ignore',
    maxBufferSize: mostMessageBytes,
  })
}

async function mcpClient(): Promise<typeof Mcp> {
  try {
    return await import('@modelcontextprotocol/client')
  } catch (error) {
    const remedy = 'npm install @modelcontextprotocol/client'
    const message = `Tools of MCP servers need the package @modelcontextprotocol/client. ${remedy}`
    throw new PrehendError('not-configured', message, { provider: 'tools', remedy }, error)
  }
}

/** Takes results as they come. The usual validators compile schemas of strangers, and their expressions may take for ever. */
const uncompiled: jsonSchemaValidator = {
  getValidator:
    <Value>(): JsonSchemaValidator<Value> =>
    (data) => ({ valid: true, data: data as Value, errorMessage: undefined }),
}

interface ListedTool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: unknown
  readonly outputSchema?: unknown
  readonly annotations?:
    | { readonly readOnlyHint?: boolean | undefined; readonly idempotentHint?: boolean | undefined }
    | undefined
}

function sourced({ name, description = '', inputSchema, outputSchema, annotations = {} }: ListedTool): SourcedTool {
  const idempotent = annotations.readOnlyHint === true || annotations.idempotentHint === true
  return {
    name,
    description,
    inputSchema: inputSchema as JsonValue,
    ...(outputSchema !== undefined && { outputSchema: outputSchema as JsonValue }),
    ...(idempotent && { idempotent }),
  }
}

/** An error that the server answers with is the tool's; everything else is the server's. */
function failureOf(server: string, connected: Connected, error: unknown): ToolFailure {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  if (typeof code === 'number' && error instanceof Error)
    return new ToolFailure({
      code: 'tool-error',
      message: `The server ${server} refused the call: ${error.message.slice(0, 2000)}`,
      retryable: false,
      hint: 'Change the arguments, or choose another tool.',
    })
  return unavailable(server, connected.connection.isOver ? 'it ended during the call' : reasonOf(error))
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it cannot be reached'
  if ('code' in error && error.code === 'ENOENT') return 'its program is not found'
  return error.message.split('\n', 1)[0]?.slice(0, 200) ?? 'it cannot be reached'
}
