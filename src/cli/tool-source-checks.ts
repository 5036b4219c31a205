import { tryToolSources } from '../gateway/index.ts'
import type { GatewayConfig } from '../gateway/index.ts'
import { failed, ok } from './health-check.ts'
import type { HealthCheck } from './health-check.ts'
import { printable } from './printable.ts'

const kinds = { file: 'file', command: 'MCP server (command)', url: 'MCP server (url)', openapi: 'OpenAPI document' }

const remedies = {
  file: 'Check the path and the list in it',
  command: 'Run the program by hand, and check args, env and cwd',
  url: 'Check the address, the headers and whether the server runs',
  openapi: 'Check the address or path, and the document',
}

/** Has each source of tools list what it has; programs of MCP servers are started for that, and ended. */
export async function toolSourceChecks(
  { tools }: Pick<GatewayConfig, 'tools'>,
  ask: typeof fetch,
): Promise<readonly HealthCheck[]> {
  const tried = await tryToolSources(tools, ask)
  return tried.map(({ server, kind = 'file', tools: found, problem }) =>
    problem === undefined
      ? ok('tools', `${server} (${kinds[kind]}) answers; tools: ${found}`)
      : failed('tools', `${server} (${kinds[kind]}) fails: ${printable(problem).replace(/\.+$/, '')}`, remedies[kind]),
  )
}
