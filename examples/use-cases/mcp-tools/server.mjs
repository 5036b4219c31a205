// An MCP server with 120 tools over standard input and output: reports of thirty departments. Yours would be a program of npm or of your own.
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const departments = 'sales payroll shipping returns stock purchasing legal travel events press training recruiting benefits security facilities fleet kitchen audit tax treasury insurance patents labs quality support renewals pricing partners exports archive'.split(' ')
const kinds = { count: 'How many cases are open in', list: 'Lists the open cases of', close: 'Closes a case of', report: 'Writes the monthly report of' }
const tools = departments.flatMap((department) =>
  Object.entries(kinds).map(([kind, words]) => ({
    name: `${kind}_${department}`,
    description: `${words} the department ${department}.`,
    inputSchema: { type: 'object', properties: { month: { type: 'string', description: 'YYYY-MM' } } },
  })),
)

serveStdio(() => {
  const server = new Server({ name: 'office', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({ tools }))
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: `${params.name} for ${params.arguments?.month ?? 'this month'}: 17` }],
  }))
  return server
})
