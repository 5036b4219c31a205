import { afterEach, describe, expect, it } from 'vitest'
import { foldPolicy } from '../../compiler/index.ts'
import type { PolicyUpdate } from '../../core/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { parseConfig } from '../index.ts'
import type { GatewayConfigInput } from '../index.ts'
import { anthropicFixture as dialect, closeTestGateways, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const house = {
  extends: 'careful',
  id: 'house',
  version: '1.0.0',
  overrides: {
    tenant: { acme: { epochs: { keepFull: 6 } } },
    taskClass: { review: { floors: { relevance: 0.2 } } },
    agentPhase: { planning: { epochs: { keepFull: 9 } }, executing: { epochs: { keepFull: 4 } } },
    regime: { busy: { pressure: { compress: 0.82 } }, calm: { reserveShare: 0.2 } },
  },
}

const config: GatewayConfigInput = {
  policy: house,
  tokens: [
    { token: 'token-of-acme', tenant: 'acme' },
    { token: 'token-of-umbrella', tenant: 'umbrella' },
  ],
  tenants: { umbrella: { policy: 'thrifty', metadata: { epochs_keep_full: '5', compression_threshold: 0.9 } } },
}

const as = (tenant: string) => ({ 'x-api-key': `token-of-${tenant}` })

async function manifestOf(gateway: TestGateway, tenant: string) {
  const [newest] = await gateway.store.read('receipts').list(tenant, { limit: 1 })
  return (await gateway.store.read('receipts').get(tenant, newest!.requestId))!.manifest
}

async function asked(
  gateway: TestGateway,
  { tenant = 'acme', headers = {}, prehend }: { tenant?: string; headers?: Record<string, string>; prehend?: object },
) {
  const response = await post(gateway, dialect, dialect.body(3, prehend ? { prehend } : {}), {
    ...as(tenant),
    ...headers,
  })
  await response.text()
  return response
}

describe('policies of a gateway', () => {
  it('X-12, X-30: token, headers and body say what a request is part of; the body goes first, the token cannot be overruled', async () => {
    const gateway = await testGateway({ config, script: () => 'fine' })
    const headers = {
      'x-prehend-task-class': 'review',
      'x-prehend-agent-phase': 'planning',
      'x-prehend-regime': 'calm',
      'x-prehend-affect': '-0.5,0.25,0',
    }
    expect((await asked(gateway, { headers, prehend: { regime: 'busy' } })).status).toBe(200)
    expect(await manifestOf(gateway, 'acme')).toMatchObject({
      policyId: 'house',
      policyVersion: '1.0.0',
      policyRevision: 1,
      situation: {
        tenant: 'acme',
        taskClass: 'review',
        agentPhase: 'planning',
        regime: 'busy',
        affect: { pleasure: -0.5, arousal: 0.25, dominance: 0 },
      },
      overrides: ['tenant acme', 'taskClass review', 'agentPhase planning', 'regime busy'],
    })
    for (const { headers: sent, body } of gateway.provider.requests) {
      expect(Object.keys(sent).filter((name) => name.startsWith('x-prehend'))).toEqual([])
      expect(body).not.toContain('"prehend"')
    }
    expect((await asked(gateway, { prehend: { tenant: 'umbrella' } })).status).toBe(400)
  })

  it('C-003: a phase that nobody names is found', async () => {
    const gateway = await testGateway({ config, script: () => 'fine' })
    await asked(gateway, {})
    const { situation } = await manifestOf(gateway, 'acme')
    expect(['planning', 'executing', 'reviewing']).toContain(situation!.agentPhase)
  })

  it('C-027, X-30: a tenant goes before the gateway, and a request before its tenant', async () => {
    const gateway = await testGateway({ config, script: () => 'fine' })
    await asked(gateway, { tenant: 'umbrella' })
    expect(await manifestOf(gateway, 'umbrella')).toMatchObject({ policyId: 'thrifty', overrides: ['tenant umbrella'] })
    const [newest] = await gateway.store.read('receipts').list('umbrella', { limit: 1 })
    const { input } = (await gateway.store.read('receipts').get('umbrella', newest!.requestId))!
    expect(input!.policy.overrides!.tenant!['umbrella']).toEqual({
      epochs: { keepFull: 5 },
      pressure: { compress: 0.9 },
    })
    await asked(gateway, { tenant: 'umbrella', prehend: { policy: 'house' } })
    expect((await manifestOf(gateway, 'umbrella')).policyId).toBe('house')
  })

  it('a policy without overrides says nothing of a situation that nobody has told', async () => {
    const gateway = await testGateway({ config: { policy: 'careful' }, script: () => 'fine' })
    await (await post(gateway, dialect, dialect.body(3))).text()
    const manifest = await manifestOf(gateway, 'default')
    expect([manifest.situation, manifest.overrides, manifest.policyRevision]).toEqual([undefined, undefined, undefined])
  })

  it('lists them, and explains one in a situation, to each tenant as it is for it', async () => {
    const gateway = await testGateway({ config })
    const read = async (path: string, tenant: string) => {
      const response = await fetch(`${gateway.url}/v1/policies${path}`, { headers: as(tenant) })
      return { status: response.status, json: (await response.json()) as Record<string, unknown> }
    }
    expect((await read('', 'acme')).json).toMatchObject({ usual: 'house' })
    const list = (await read('', 'umbrella')).json
    expect(list).toMatchObject({ usual: 'thrifty' })
    expect(list['data']).toContainEqual({ id: 'house', version: '1.0.0', revision: 1 })
    const keepFull = async (path: string, tenant: string) =>
      ((await read(path, tenant)).json['values'] as readonly { path: string }[]).find(
        ({ path: at }) => at === 'epochs.keepFull',
      )
    expect(await keepFull('/house', 'acme')).toMatchObject({ value: 6, from: 'tenant acme', base: 3 })
    expect(await keepFull('/house', 'umbrella')).toMatchObject({ value: 5, from: 'tenant umbrella' })
    expect(await keepFull('/house?agentPhase=planning', 'acme')).toMatchObject({
      value: 9,
      from: 'agentPhase planning',
    })
    expect(JSON.stringify((await read('/house', 'umbrella')).json)).not.toContain('acme')
    expect((await read('/none', 'acme')).status).toBe(404)
    expect((await read('/house?tenant=umbrella', 'acme')).status).toBe(400)
    expect((await read('/house?affect=9', 'acme')).status).toBe(400)
    expect((await fetch(`${gateway.url}/v1/policies`)).status).toBe(401)
  })

  it.each<[Record<string, string>, string]>([
    [{ 'x-prehend-regime': ' ' }, 'x-prehend-regime'],
    [{ 'x-prehend-regime': 'x'.repeat(201) }, 'x-prehend-regime'],
    [{ 'x-prehend-affect': '1,2' }, 'x-prehend-affect'],
    [{ 'x-prehend-affect': '1,2,3' }, 'x-prehend-affect'],
    [{ 'x-prehend-affect': 'a,b,c' }, 'x-prehend-affect'],
  ])('a wrong header is named: %j', async (headers, name) => {
    const gateway = await testGateway({ config })
    const response = await post(gateway, dialect, dialect.body(1), { ...as('acme'), ...headers })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain(`${name}:`)
  })

  it.each<[string, string]>([
    ['x-prehend-task-clas', 'Did you mean x-prehend-task-class?'],
    ['x-prehend-polcy', 'Did you mean x-prehend-policy?'],
    ['x-prehend-session', 'a session goes by x-session-id'],
  ])('a header that nobody reads is told, and not ignored: %s', async (name, remedy) => {
    const gateway = await testGateway({ config })
    for (const path of ['/v1/messages', '/v1/compile', '/v1/unknown/of/theirs']) {
      const init = { method: 'POST', headers: { ...as('acme'), [name]: 'x' }, body: '{}' }
      const response = await fetch(gateway.url + path, init)
      expect([path, response.status]).toEqual([path, 400])
      const text = await response.text()
      expect(text).toContain(`${name}: is not a header that is read.`)
      expect(text).toContain(remedy)
    }
    expect(gateway.provider.requests).toHaveLength(0)
  })

  it('a header says policy and mode where somebody else writes the body, which goes first', async () => {
    const gateway = await testGateway({ config, script: () => 'fine' })
    const headers = { 'x-prehend-policy': 'thrifty', 'x-prehend-mode': 'observe' }
    const observed = await asked(gateway, { headers })
    expect(observed.headers.get('x-prehend-mode')).toBe('observe')
    expect((await manifestOf(gateway, 'acme')).policyId).toBe('thrifty')
    const told = await asked(gateway, { headers, prehend: { policy: 'masked', mode: 'on' } })
    expect(told.headers.get('x-prehend-mode')).toBe('on')
    expect((await manifestOf(gateway, 'acme')).policyId).toBe('masked')
    for (const [name, value, said] of [
      ['x-prehend-policy', 'thirfty', 'x-prehend-policy: thirfty is not a policy. Did you mean thrifty?'],
      ['x-prehend-mode', 'observ', 'x-prehend-mode: is not one of on, observe, off. Did you mean observe?'],
    ] as const) {
      const wrong = await post(gateway, dialect, dialect.body(1), { ...as('acme'), [name]: value })
      expect(await wrong.text()).toContain(said)
    }
  })

  it('what of `prehend` is misspelt comes with what was meant', async () => {
    const gateway = await testGateway({ config, script: () => 'fine' })
    for (const [prehend, said] of [
      [{ polcy: 'careful' }, 'prehend.polcy: is not known. Did you mean policy?'],
      [{ mode: 'onn' }, 'prehend.mode: is not one of on, observe, off. Did you mean on?'],
      [{ limits: { costUds: 1 } }, 'prehend.limits.costUds: is not known. Did you mean costUsd?'],
      [{ limits: { costUsd: '1' } }, 'prehend.limits.costUsd: is not a number.'],
    ] as const)
      expect(await (await post(gateway, dialect, dialect.body(1, { prehend }), as('acme'))).text()).toContain(said)
    const missed = await fetch(`${gateway.url}/v1/policies/thirfty`, { headers: as('acme') })
    expect([missed.status, await missed.text()]).toEqual([404, expect.stringContaining('Did you mean thrifty?')])
  })

  it.each<[GatewayConfigInput, string]>([
    [{ policy: { ...house, extends: 'carful' } }, 'policy.extends'],
    [{ policies: [{ ...house, id: 'careful' }] }, 'policies[0].id'],
    [{ policies: [house, house] }, 'policies[1].id'],
    [{ policy: 'hous', policies: [house] }, 'policy'],
    [{ tenants: { acme: { policy: 'none' } } }, 'tenants.acme.policy'],
    [{ tenants: { acme: { metadata: { epochs_keep_ful: 1 } } } }, 'tenants.acme.metadata.epochs_keep_ful'],
  ])('C-027: a wrong configuration is named: %#', (wrong, field) => {
    expect(() => parseConfig(wrong)).toThrow(`${field}:`)
  })
})

describe('revisions of the policies of a gateway', () => {
  const updatesOf = ({ log }: TestGateway): readonly PolicyUpdate[] =>
    log
      .filter(({ event }) => event === 'policy-updated')
      .map(({ fields }) => ({
        type: 'context:policy-updated',
        policyId: String(fields['policy']),
        revision: Number(fields['revision']),
        trigger: String(fields['trigger']),
        delta: JSON.parse(String(fields['delta'])) as PolicyUpdate['delta'],
      }))

  it('V-067, V-068: a change is logged once, with all of it, and the log gives the policy back', async () => {
    const store = memoryStore()
    const updates: PolicyUpdate[] = []
    const startedWith = async (policy: object) => {
      const gateway = await testGateway({
        config: { policy: policy as Record<string, unknown> },
        store,
        script: () => 'fine',
      })
      await (await post(gateway, dialect, dialect.body(3))).text()
      const { policyRevision } = await manifestOf(gateway, 'default')
      updates.push(...updatesOf(gateway))
      await gateway.close()
      return policyRevision
    }
    const changed = { ...house, overrides: { regime: house.overrides.regime }, reserveShare: 0.15 }
    expect([
      await startedWith(house),
      await startedWith(house),
      await startedWith(changed),
      await startedWith(changed),
    ]).toEqual([1, 1, 2, 2])
    expect(updates.map(({ revision, trigger }) => [revision, trigger])).toEqual([
      [1, 'created'],
      [2, 'configured'],
    ])
    expect(foldPolicy(updates)).toMatchObject({
      id: 'house',
      revision: 2,
      reserveShare: 0.15,
      overrides: changed.overrides,
    })
  })

  it('P-031, V-009: a policy that has changed under the same revision is refused', async () => {
    const store = memoryStore()
    await testGateway({ config: { policy: { ...house, revision: 4 } }, store })
    const changed = { ...house, revision: 4, reserveShare: 0.3 }
    await expect(testGateway({ config: { policy: changed }, store })).rejects.toThrow(
      'Give policy house revision 5 or more',
    )
    await testGateway({ config: { policy: { ...changed, revision: 6 } }, store })
  })

  it('V-037, V-067: a change of regime is logged once', async () => {
    const gateway = await testGateway({ config, script: () => 'fine' })
    for (const [index, regime] of ['calm', 'busy', 'busy'].entries()) {
      const headers = { ...as('acme'), 'x-session-id': 's', 'x-prehend-regime': regime }
      await (await post(gateway, dialect, dialect.body(index + 2), headers)).text()
    }
    const told = gateway.log.filter(({ event }) => event === 'regime-override')
    expect(told.map(({ fields }) => [fields['previousRegime'], fields['newRegime']])).toEqual([['calm', 'busy']])
  })
})
