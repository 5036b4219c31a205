import { z } from 'zod'
import { route } from '../route.ts'
import { givenOutcome, outcome } from '../schemas/outcomes.ts'
import { cursor, limit, listOf, name } from '../schemas/parts.ts'

/** Route `POST /v1/outcomes`: records how good a request or a session turned out. */
export const addOutcome = route({
  method: 'post',
  path: '/v1/outcomes',
  name: 'addOutcome',
  about: 'Records how good a request or a whole session turned out.',
  more: 'The same quality again changes nothing, and what was recorded first is answered. Another quality of the same source needs `replace`. A request to a model may say it of the request before with the header `x-prehend-outcome`.',
  body: givenOutcome,
  answer: outcome,
  status: 201,
  example: '/v1/outcomes',
  errors: ['not-found', 'conflict'],
})

export const outcomesQuery = z.strictObject({
  session: name,
  requestId: name.optional().describe('Only those of this request.'),
  limit: limit(100),
  cursor,
})

/** Route `GET /v1/outcomes`: the outcomes of a session, the oldest first. */
export const listOutcomes = route({
  method: 'get',
  path: '/v1/outcomes',
  name: 'listOutcomes',
  about: 'The outcomes of a session and of its requests, the oldest first.',
  more: 'They are kept as long as the session.',
  query: outcomesQuery,
  answer: listOf(outcome),
  example: '/v1/outcomes?session=my-session',
  errors: ['not-found'],
})
