import { serve } from '@hono/node-server'
import type { AddressInfo } from 'node:net'
import type { Server as HttpServer } from 'node:http'
import { mcpPackage, mcpServerFactory } from './mcp-server.ts'
import type { McpServerOptions } from './mcp-server.ts'

/** Speaks the protocol on standard input and output until the client closes them, or until the signal is aborted. */
export async function serveMcpStdio(options: McpServerOptions, signal: AbortSignal): Promise<void> {
  const mcp = await mcpPackage()
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
  const handle = serveStdio(mcpServerFactory(mcp, options))
  await new Promise<void>((done) => {
    process.stdin.once('end', done)
    process.stdin.once('close', done)
    process.stdout.once('error', () => done())
    signal.addEventListener('abort', () => done(), { once: true })
  })
  await handle.close()
}

const path = '/mcp'

/** Speaks the protocol over streamable HTTP on loopback until the signal is aborted. Pages of other origins are refused. */
export async function serveMcpHttp(
  options: McpServerOptions,
  {
    port,
    signal,
    listening,
  }: { readonly port: number; readonly signal: AbortSignal; readonly listening: (url: string) => void },
): Promise<void> {
  const mcp = await mcpPackage()
  const { createMcpHandler, hostHeaderValidationResponse, localhostAllowedHostnames } = mcp
  const { originValidationResponse, localhostAllowedOrigins } = mcp
  const handler = createMcpHandler(mcpServerFactory(mcp, options))
  const answer = (request: Request): Response | Promise<Response> => {
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins())
    if (refused) return refused
    return new URL(request.url).pathname === path ? handler.fetch(request) : new Response('Not found', { status: 404 })
  }
  const server = await new Promise<HttpServer>((done, fail) => {
    const opened = serve({ fetch: answer, port, hostname: '127.0.0.1' }, () => done(opened as HttpServer))
    opened.once('error', fail)
  })
  listening(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)
  await new Promise<void>((done) => {
    if (signal.aborted) done()
    signal.addEventListener('abort', () => done(), { once: true })
  })
  await handler.close()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
}
