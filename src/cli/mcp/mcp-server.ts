import type * as Mcp from '@modelcontextprotocol/server'
import type { McpRequestContext, Server, ServerContext } from '@modelcontextprotocol/server'
import { PrehendError } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import { answerCall } from './answer-call.ts'
import { gatewayDoor } from './gateway-door.ts'
import type { GatewayDoor } from './gateway-door.ts'
import { offeredTools } from './offered-tools.ts'
import { listResources, readResource, resourceTemplates } from './read-resource.ts'

/** A client that asked for progress hears so often that its call is under way. */
const progressMs = 5000

export interface McpServerOptions {
  readonly url: string
  readonly token: string | undefined
  readonly session: string | undefined
  readonly version: string
}

/** Makes a server for a connection, or for one request over HTTP. A client over HTTP may bring a token and a session of its own. */
export function mcpServerFactory(
  { Server: McpServer, ResourceNotFoundError }: typeof Mcp,
  options: McpServerOptions,
): (context: McpRequestContext) => Server {
  return ({ requestInfo }) => {
    const token = bearerOf(requestInfo?.headers) ?? options.token
    const door = gatewayDoor({ url: options.url, token })
    const sessionOf = ({ mcpReq: { _meta: meta } }: ServerContext): string | undefined => {
      const said = meta?.['prehend/session']
      return typeof said === 'string' ? said : (requestInfo?.headers.get('x-session-id') ?? options.session)
    }
    const server = new McpServer(
      { name: 'prehend', version: options.version },
      { capabilities: { tools: {}, resources: {} }, instructions },
    )
    addTools(server, door, sessionOf)
    server.setRequestHandler('resources/list', async ({ params }, context) => {
      const asked = { session: sessionOf(context), cursor: params?.cursor, signal: context.mcpReq.signal }
      const { resources, nextCursor } = await listResources(door, asked)
      return { resources: [...resources], ...(nextCursor !== undefined && { nextCursor }) }
    })
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }))
    server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq: { signal } }) => {
      const content = await readResource(door, uri, signal)
      if (content === undefined) throw new ResourceNotFoundError(uri)
      return { contents: [content] }
    })
    return server
  }
}

const instructions =
  'Find a tool with search_tools, read its parameters with get_tool_schema, call it with execute_tool. rehydrate brings back what was left out of the session.'

function addTools(server: Server, door: GatewayDoor, sessionOf: (context: ServerContext) => string | undefined): void {
  server.setRequestHandler('tools/list', () => ({ tools: [...offeredTools] }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { signal } = context.mcpReq
    const given = (params.arguments ?? {}) as JsonObject
    const stop = tellProgress(context)
    try {
      const asked = { name: params.name, given, session: sessionOf(context), signal }
      const { text, isError = false } = await answerCall(door, asked)
      return { content: [{ type: 'text', text }], ...(isError && { isError }) }
    } finally {
      stop()
    }
  })
}

/** Says now and then that a call is under way, to a client that wants to know. */
function tellProgress({ mcpReq: { _meta: meta, notify } }: ServerContext): () => void {
  const progressToken = meta?.progressToken
  if (progressToken === undefined) return () => undefined
  let progress = 0
  const timer = setInterval(() => {
    progress += 1
    void notify({ method: 'notifications/progress', params: { progressToken, progress } }).catch(() => undefined)
  }, progressMs)
  return () => clearInterval(timer)
}

function bearerOf(headers: Headers | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers?.get('authorization') ?? '')?.[1]
}

/** The package that speaks the protocol. */
export async function mcpPackage(): Promise<typeof Mcp> {
  try {
    return await import('@modelcontextprotocol/server')
  } catch (error) {
    const remedy = 'npm install @modelcontextprotocol/server'
    const message = `prehend mcp needs the package @modelcontextprotocol/server. ${remedy}`
    throw new PrehendError('not-configured', message, { provider: 'mcp', remedy }, error)
  }
}
