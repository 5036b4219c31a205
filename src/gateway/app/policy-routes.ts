import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { aboutPolicies, explainPolicy } from '../../compiler/index.ts'
import { PrehendError, invalidInput, isPrehendError } from '../../core/index.ts'
import type { Situation } from '../../core/index.ts'
import { affectSaid, situationNames } from '../layers/request-situation.ts'
import type { ServingParts } from '../parts.ts'
import { ownSettings } from '../tenant-settings.ts'

/** Policies by their names; one with every figure that is in force for the tenant in a situation, and where it came from. */
export function addPolicyRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  { policies, config }: ServingParts,
  tenantOf: (c: Context) => string,
): void {
  app.get('/v1/policies', (c) => {
    const tenant = tenantOf(c)
    const own = ownSettings(config, tenant)
    const data = Object.values(policies.all).map(({ id, version, revision = 0 }) => ({
      id,
      version,
      revision,
      ...(Object.hasOwn(aboutPolicies, id) && { about: aboutPolicies[id] }),
    }))
    return c.json({ object: 'list', usual: own?.policy ?? config.policy, data })
  })

  app.get('/v1/policies/:id', (c) => {
    const situation = situationOf(c, tenantOf(c))
    return c.json(explainPolicy(policyOf(c), { situation }))
  })

  function policyOf(c: Context) {
    try {
      return policies.named(c.req.param('id') ?? '', 'id')
    } catch (error) {
      if (!isPrehendError(error)) throw error
      const remedy = 'List them with GET /v1/policies.'
      throw new PrehendError('not-found', `There is no such policy. ${remedy}`, { what: 'policy', remedy })
    }
  }
}

/** As the query says, by the names of a situation's members. */
function situationOf(c: Context, tenant: string): Situation {
  const query = c.req.query()
  const known = [...situationNames, 'affect']
  const unknown = Object.keys(query).find((name) => !known.includes(name))
  if (unknown !== undefined) throw invalidInput(unknown, 'is not known', `There are ${known.join(', ')}.`)
  const named = situationNames.flatMap((name) => (query[name] ? [[name, query[name].slice(0, 200)]] : []))
  const affect = affectSaid(query['affect'], 'affect')
  return { ...Object.fromEntries(named), ...(affect && { affect }), tenant }
}
