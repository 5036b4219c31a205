import { afterEach, describe, expect, it } from 'vitest'
import { closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const uris = 'prehend.artifact.uris'

async function artifact(gateway: TestGateway, path: string): Promise<string> {
  const answer = await fetch(`${gateway.url}/v1/artifacts/${path}`)
  return answer.status === 200 ? answer.text() : `${answer.status}`
}

async function list(gateway: TestGateway): Promise<readonly string[]> {
  const { data } = (await (await fetch(`${gateway.url}/v1/artifacts`)).json()) as { data: { uri: string }[] }
  return data.map(({ uri }) => uri.replace('artifact://', ''))
}

function compiled(gateway: TestGateway, more: object = {}, items: readonly object[] = []) {
  const frame = { goal: 'A release', step: 'Find it', acceptance: ['Names one commit'], request: 'What broke it?' }
  const document = {
    schema: 'prehend.compile/1',
    layout: 'payload',
    budget: { windowTokens: 8000 },
    frame,
    items,
    scope: { taskId: '42', stepId: '1' },
    ...more,
  }
  const headers = { 'content-type': 'application/json' }
  return fetch(`${gateway.url}/v1/compile`, { method: 'POST', headers, body: JSON.stringify(document) })
}

function evidence(uri: string) {
  return {
    id: 'e1',
    section: 'evidence',
    kind: 'evidence',
    text: 'no such module',
    provenance: { sourceId: 'log', uri },
  }
}

describe('artifacts of steps', () => {
  it('A-042, M-20: the manifest of a pack for a task is stored, and its URI is in the log with the id of the pack', async () => {
    const gateway = await testGateway()
    const log = 'tasks/42/step-1/build.log'
    await fetch(`${gateway.url}/v1/artifacts/${log}`, { method: 'PUT', body: 'no such module' })
    const answer = await compiled(gateway, {}, [evidence(`artifact://${log}`)])
    const { manifestUri, manifest, requestId } = (await answer.json()) as {
      manifestUri: string
      requestId: string
      manifest: { packHash: string }
    }
    expect([answer.status, manifestUri]).toEqual([200, 'artifact://tasks/42/step-1/manifest.json'])
    expect(JSON.parse(await artifact(gateway, 'tasks/42/step-1/manifest.json'))).toMatchObject({
      packId: manifest.packHash,
      artifactUris: [`artifact://${log}`],
    })
    expect(gateway.log.find(({ event }) => event === 'compiled')?.fields).toEqual({
      requestId,
      packId: manifest.packHash,
      [uris]: `artifact://tasks/42/step-1/manifest.json artifact://${log}`,
    })
    await compiled(gateway, { scope: {} })
    expect(await list(gateway)).toEqual([log, 'tasks/42/step-1/manifest.json'])
  })

  it('A-022: evidence that names an artifact that is not there is an error, and nothing is stored', async () => {
    const gateway = await testGateway()
    const answer = await compiled(gateway, {}, [evidence('artifact://tasks/9/step-1/gone.txt')])
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain('items[0].provenance.uri: there is no artifact://tasks/9/step-1/gone.txt')
    expect(await list(gateway)).toEqual([])
  })

  it('M-14: the reply that ends a step is stored, streamed or not, and one that calls tools is not', async () => {
    const gateway = await testGateway({ script: () => 'It was 3f2a.' })
    const prehend = { taskId: '42', stepId: 'find' }
    await (await post(gateway, openaiFixture, openaiFixture.body(1, { prehend }))).text()
    await expect.poll(() => artifact(gateway, 'tasks/42/step-find/response.md')).toBe('It was 3f2a.')
    const streamed = openaiFixture.body(1, { prehend: { taskId: '42', stepId: 'fix' }, stream: true })
    await (await post(gateway, openaiFixture, streamed)).text()
    await expect.poll(() => artifact(gateway, 'tasks/42/step-fix/response.md')).toBe('It was 3f2a.')
    await expect
      .poll(() => list(gateway))
      .toEqual([
        'tasks/42/step-find/manifest.json',
        'tasks/42/step-find/response.md',
        'tasks/42/step-fix/manifest.json',
        'tasks/42/step-fix/response.md',
      ])
    const told = gateway.log.filter(({ event }) => event === 'request').map(({ fields }) => fields)
    expect(told[0]).toMatchObject({
      packId: expect.stringMatching(/^[0-9a-f]{64}$/),
      [uris]: 'artifact://tasks/42/step-find/response.md artifact://tasks/42/step-find/manifest.json',
    })
    await (await post(gateway, openaiFixture, openaiFixture.body(1))).text()
    expect(await list(gateway)).toHaveLength(4)
  })

  it('keeps no reply where content is not recorded', async () => {
    const gateway = await testGateway({ script: () => 'a secret', config: { record: 'receipts' } })
    await (await post(gateway, openaiFixture, openaiFixture.body(1, { prehend: { taskId: '42' } }))).text()
    await expect.poll(() => list(gateway)).toEqual(['tasks/42/step-0/manifest.json'])
    expect(await artifact(gateway, 'tasks/42/step-0/manifest.json')).not.toContain('a secret')
  })
})
