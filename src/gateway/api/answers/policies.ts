import type { z } from 'zod'
import { aboutPolicies, explainPolicy, readPolicy } from '../../../compiler/index.ts'
import { didYouMean, isPrehendError } from '../../../core/index.ts'
import type { Policy, Situation } from '../../../core/index.ts'
import { affectSaid, situationNames } from '../../exchange/request-situation.ts'
import type { ServingParts } from '../../parts.ts'
import { ownSettings } from '../../tenant-settings.ts'
import type { Asked } from '../route.ts'
import type { situationQuery } from '../routes/policy-routes.ts'
import { notFound } from './not-found.ts'

type Parts = Pick<ServingParts, 'policies' | 'config'>

export async function answerPolicies({ policies, config }: Parts, { tenant }: Asked) {
  const data = Object.values(policies.of(tenant)).map(({ id, version, revision = 0 }) => ({
    id,
    version,
    revision,
    ...(Object.hasOwn(aboutPolicies, id) && { about: aboutPolicies[id] ?? '' }),
  }))
  return { object: 'list' as const, usual: ownSettings(config, tenant)?.policy ?? config.policy, data }
}

export async function answerExplanation({ policies }: Parts, { tenant, params, query }: Asked<typeof situationQuery>) {
  return explainPolicy(policyOf(policies, params['id'] ?? '', tenant), { situation: situationOf(query, tenant) })
}

/** A policy as its author would write it into a file; throws `invalid-input` that names what is wrong in it. */
export async function answerCheck({ policies }: Parts, { tenant, body }: Asked) {
  const policy = readPolicy(body, { at: 'policy', known: policies.of(tenant) })
  return explainPolicy(policy, { situation: { tenant }, written: body as object })
}

function policyOf(policies: Parts['policies'], id: string, tenant: string): Policy {
  try {
    return policies.named({ id, field: 'id', tenant })
  } catch (error) {
    if (!isPrehendError(error) || !('field' in error.data) || error.data.field !== 'id') throw error
    throw notFound('policy', `${didYouMean(id, Object.keys(policies.of(tenant)))}List them with GET /v1/policies.`)
  }
}

/** As the query says, by the names of a situation's members. */
function situationOf(query: z.output<typeof situationQuery>, tenant: string): Situation {
  const named = situationNames.flatMap((name) => {
    const said = query[name]
    return said ? [[name, said.slice(0, 200)]] : []
  })
  const affect = affectSaid(query.affect, 'affect')
  return { ...Object.fromEntries(named), ...(affect && { affect }), tenant }
}
