import { z } from 'zod'
import { route } from '../route.ts'
import { limit, listOf } from '../schemas/parts.ts'
import { tool, toolAnswer, toolCall, toolCallRecord, toolEntry, toolList } from '../schemas/tools.ts'

const path = '/v1/tools/{id}'
const example = '/v1/tools/files::read_file'
const model = z.string().min(1).max(200).default('gpt-5').describe('Whose tokenizer counts. Default: `gpt-5`.')
const ids = '`id` is `server::name`; a name alone stands for `own::name`. Another tenant’s tool is not found.'

export const toolsQuery = z.strictObject({
  q: z.string().max(2000).optional().describe('What a tool is wanted for, in words. Default: all tools, by id.'),
  limit: limit(100),
  cursor: z.string().max(400).optional().describe('`next` of the page before; not with `q`.'),
  model,
})

export const listTools = route({
  method: 'get',
  path: '/v1/tools',
  name: 'listTools',
  about: 'Tools of the registry, by id, or those that fit a query, the best first.',
  more: 'Tools that cannot be called are listed and never found by `q`.',
  query: toolsQuery,
  answer: toolList,
  example: '/v1/tools?q=read%20a%20file&limit=5',
})

export const modelQuery = z.strictObject({ model })

export const showTool = route({
  method: 'get',
  path,
  name: 'getTool',
  about: 'One tool, with its schemas.',
  more: ids,
  query: modelQuery,
  answer: tool,
  example,
  errors: ['not-found'],
})

export const putTool = route({
  method: 'put',
  path,
  name: 'putTool',
  scope: 'admin',
  about: 'Adds a tool of the tenant’s own, or changes it.',
  more: `${ids} A tool with \`http\` runs by a request to a host of \`tools.allowedHosts\`; without it, it is described here and run by the client.`,
  body: toolEntry,
  answer: tool,
  example: '/v1/tools/own::open_ticket',
  errors: ['forbidden'],
})

export const removeTool = route({
  method: 'delete',
  path,
  name: 'deleteTool',
  scope: 'admin',
  about:
    'Removes a tool of the tenant’s own. Of a source, forgets the accepted definition, so that what its server says next is taken.',
  more: 'Definitions of sources are those of all tenants: forgetting one takes the scope `operator`, where there are tokens.',
  answer: z.strictObject({ id: z.string(), result: z.enum(['removed', 'forgotten']) }),
  example: '/v1/tools/own::open_ticket',
  errors: ['not-found', 'forbidden'],
})

export const callTool = route({
  method: 'post',
  path: `${path}/call`,
  name: 'callTool',
  about: 'Calls a tool. If the call fails, the answer has a message that a model can act on.',
  more: 'Arguments are checked first. A call is tried again only where the tool is idempotent.',
  body: toolCall,
  mayBeEmpty: true,
  answer: toolAnswer,
  example: `${example}/call`,
  errors: ['not-found'],
})

export const listToolCalls = route({
  method: 'get',
  path: `${path}/calls`,
  name: 'listToolCalls',
  about: 'Calls of a tool, the newest first, without arguments and results.',
  query: z.strictObject({ limit: limit(100) }),
  answer: listOf(toolCallRecord),
  example: `${example}/calls?limit=20`,
  errors: ['not-found'],
})

export const showToolClient = route({
  method: 'get',
  path: `${path}/client.ts`,
  name: 'getToolClient',
  about: 'A TypeScript function that calls the tool, with the types of its schema, for agents that write code.',
  media: 'text/plain',
  example: `${example}/client.ts`,
  errors: ['not-found'],
})
