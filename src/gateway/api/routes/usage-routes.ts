import { z } from 'zod'
import { route } from '../route.ts'
import { limit, name, since } from '../schemas/parts.ts'
import { sessionLabel, tokenUsage, toolUsage } from '../schemas/usage.ts'

export const usageQuery = z.strictObject({
  since,
  session: name.optional().describe('Only of this session.'),
  limit: limit(200, 500),
  top: limit(10, 100),
})

export const showUsage = route({
  method: 'get',
  path: '/v1/usage',
  name: 'showUsage',
  about: 'Where the tokens of the newest requests went: by what they are, and which items took most.',
  more: 'Of what was sent. Texts are named where content is recorded; else items are grouped by their sections.',
  query: usageQuery,
  answer: tokenUsage,
  example: '/v1/usage?limit=100',
})

export const toolUsageQuery = z.strictObject({
  since,
  session: name.optional().describe('Only of this session.'),
  limit: limit(200, 500),
  top: limit(200, 1000),
})

export const showToolUsage = route({
  method: 'get',
  path: '/v1/tool-usage',
  name: 'showToolUsage',
  about:
    'How the newest requests used the tools of their clients: defined, called, failed, wasted, tokens and dollars.',
  more: 'Of what was sent. Tools without a call in that time are listed too if earlier requests have taught something about them. Calls are counted where content is recorded.',
  query: toolUsageQuery,
  answer: toolUsage,
  example: '/v1/tool-usage?since=2026-11-01T00:00:00Z',
})

export const labelsQuery = z.strictObject({
  limit: limit(200, 1000),
  session: name.optional().describe('Only the one of this name.'),
})

export const listSessionLabels = route({
  method: 'get',
  path: '/v1/session-labels',
  name: 'listSessionLabels',
  about:
    'Of the newest sessions: the first words of the user in the first request that offers tools, and its model. A session without tools is named by its oldest request.',
  query: labelsQuery,
  answer: z.strictObject({ data: z.array(sessionLabel) }),
  example: '/v1/session-labels',
})
