import { command } from '../command.ts'
import { gatewayOptions, usualGateway } from '../usual-gateway.ts'
import { variablesOf } from '../variables.ts'
import { version } from '../version.ts'
import { serveMcpHttp, serveMcpStdio } from './serve-mcp.ts'

export const mcpCommand = command({
  name: 'mcp',
  about: 'give agents the tools of a gateway, by the Model Context Protocol',
  details: [
    'It has four tools, whatever the gateway has: search_tools, get_tool_schema, execute_tool and rehydrate. Artifacts and the outline of the session are resources.',
    'It speaks on standard input and output, or over streamable HTTP on loopback with --http. A client over HTTP may send a token of its own, and its session as x-session-id.',
    'The package @modelcontextprotocol/server must be installed.',
  ],
  options: {
    ...gatewayOptions,
    http: {
      type: 'number',
      about: 'serve over HTTP on this port, 0 for a free one',
      placeholder: 'PORT',
      min: 0,
      max: 65_535,
    },
    session: {
      type: 'text',
      about: 'the session that calls belong to',
      placeholder: 'ID',
      variables: variablesOf('SESSION'),
    },
  },
  examples: ['prehend mcp --session my-session', 'prehend mcp --http 8485', 'claude mcp add prehend -- prehend mcp'],
  async run({ options: { url = usualGateway, token, http: port, session, json = false }, io }) {
    const serving = { url, token, session, version: version() }
    const signal = io.interrupted
    if (port === undefined) return serveMcpStdio(serving, signal)
    const listening = (at: string): void => io.out(json ? `${JSON.stringify({ url: at })}\n` : `MCP server at ${at}\n`)
    return serveMcpHttp(serving, { port, signal, listening })
  },
})
