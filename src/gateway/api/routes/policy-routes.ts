import { z } from 'zod'
import { route } from '../route.ts'
import { situation } from '../schemas/manifest.ts'

const figure = z.union([z.string(), z.number(), z.boolean()])

const explanation = z
  .strictObject({
    id: z.string(),
    version: z.string(),
    revision: z.number(),
    situation,
    overrides: z.array(z.string()).describe('Those that hold, in the order in which they apply.'),
    values: z.array(
      z.strictObject({
        path: z.string(),
        value: figure,
        from: z.string().describe('`base`, `extends NAME`, `default`, or the override that says so.'),
        base: figure.exactOptional(),
      }),
    ),
  })
  .meta({ id: 'ExplainedPolicy' })

export const listPolicies = route({
  method: 'get',
  path: '/v1/policies',
  name: 'listPolicies',
  about: 'All policies, and the name of the default one.',
  answer: z
    .strictObject({
      object: z.literal('list'),
      usual: z.string(),
      data: z.array(
        z.strictObject({
          id: z.string(),
          version: z.string(),
          revision: z.number(),
          about: z.string().exactOptional(),
        }),
      ),
    })
    .meta({ id: 'PolicyList' }),
  example: '/v1/policies',
})

const named = z.string().optional()

/** By the names of a situation's members. */
export const situationQuery = z.strictObject({
  taskClass: named,
  agentPhase: named,
  lifecyclePhase: named,
  regime: named,
  turnPhase: named,
  affect: named.describe('Three numbers from -1 to 1 with commas between: pleasure, arousal, dominance.'),
})

export const explainOne = route({
  method: 'get',
  path: '/v1/policies/{id}',
  name: 'explainPolicy',
  about: 'Every figure of a policy that is in force for you in a situation, and where each comes from.',
  query: situationQuery,
  answer: explanation,
  example: '/v1/policies/careful?regime=volatile',
  errors: ['not-found'],
})

export const checkPolicy = route({
  method: 'post',
  path: '/v1/policies/check',
  name: 'checkPolicy',
  scope: 'read',
  about: 'Reads a policy as a policy file is read, and explains it; nothing is changed.',
  body: z.looseObject({}).describe('A policy: whole, or with `extends` and what is otherwise.'),
  answer: explanation,
  example: '/v1/policies/check',
  errors: ['invalid-input'],
})
