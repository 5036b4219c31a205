import { afterEach, describe, expect, it } from 'vitest'
import { sha256 } from '../../host/index.ts'
import { askingAnthropic, askingOpenai } from '../seams/ask.fixture.ts'
import { closeTestGateways, longResult, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const withArtifacts = { id: 'moving', version: '1.0.0', extends: 'careful', artifacts: { inlineTokens: 1000 } }

async function artifact(gateway: TestGateway, uri: string): Promise<string> {
  const answer = await fetch(`${gateway.url}/v1/artifacts/${uri.replace('artifact://', '')}`)
  return answer.status === 200 ? answer.text() : `${answer.status}`
}

const urisIn = (body: string) => [...new Set(body.match(/artifact:\/\/sha256\/[0-9a-f]{64}/g) ?? [])]

describe.each([askingOpenai, askingAnthropic])('artifacts.inlineTokens, $fixture.name', ({ fixture, ask }) => {
  it('A-011, A-022: a large result stands as an extract with its URI from its first request, and can be fetched', async () => {
    const gateway = await testGateway({ config: { policy: withArtifacts } })
    await ask(gateway, fixture.body(2), false)
    const first = gateway.provider.requests.at(-1)?.body ?? ''
    const uris = urisIn(first)
    expect(uris).toEqual([1, 2].map((number) => `artifact://sha256/${sha256(longResult(number))}`))
    expect(first.length).toBeLessThan(JSON.stringify(fixture.body(2)).length / 4)
    expect(first).toMatch(/rehydrate\(/)
    for (const [at, uri] of uris.entries()) await expect.poll(() => artifact(gateway, uri)).toBe(longResult(at + 1))
    const listed = await (await fetch(`${gateway.url}/v1/artifacts?versions=true`)).json()
    expect(listed).toMatchObject({
      data: [
        { class: 'raw', version: 1 },
        { class: 'raw', version: 1 },
      ],
    })

    // Cached bytes stay, and nothing is stored twice.
    await ask(gateway, fixture.body(3), false)
    const second = gateway.provider.requests.at(-1)?.body ?? ''
    const shown = (body: string) => /[^"]*artifact:[^"]*/.exec(body.replaceAll('\\"', "'"))?.[0] ?? 'nothing'
    expect(shown(first)).toContain(uris[0])
    expect(shown(second)).toBe(shown(first))
    await expect.poll(async () => artifact(gateway, urisIn(second)[2] ?? '')).toBe(longResult(3))
    const after = (await (await fetch(`${gateway.url}/v1/artifacts?versions=true`)).json()) as { data: unknown[] }
    expect(after.data).toHaveLength(3)
  })

  it('leaves results below it, failures and all results without it as they are', async () => {
    const small = { ...withArtifacts, artifacts: { inlineTokens: 100_000 } }
    for (const policy of [small, { ...withArtifacts, artifacts: undefined }]) {
      const { artifacts, ...rest } = policy
      const gateway = await testGateway({ config: { policy: { ...rest, ...(artifacts && { artifacts }) } } })
      await ask(gateway, fixture.body(1), false)
      const sent = gateway.provider.requests.at(-1)?.body ?? ''
      expect(urisIn(sent)).toEqual([])
      expect(sent).toContain(JSON.stringify(longResult(1)).slice(1, -1))
    }
  })

  it('has its receipts verified, and the model gets the whole by its handle', async () => {
    const gateway = await testGateway({ config: { policy: withArtifacts } })
    await ask(gateway, fixture.body(2), false)
    const { data } = (await (await fetch(`${gateway.url}/v1/packs`)).json()) as { data: { requestId: string }[] }
    const verified = await fetch(`${gateway.url}/v1/packs/${data[0]?.requestId}/verify`, { method: 'POST' })
    expect(await verified.json()).toMatchObject({ verified: true })
    const sent = gateway.provider.requests.at(-1)?.body ?? ''
    const [, handle] = /rehydrate\(\\+"(\d+)\\+"/.exec(sent) ?? []
    const [receipt] = await gateway.store.read('receipts').list('default', { limit: 1 })
    const answer = await fetch(`${gateway.url}/v1/sessions/${receipt?.session}/rehydrate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ handle }),
    })
    expect(JSON.stringify(await answer.json())).toContain('the needle of result')
  })
})

it('A-035: evidence of a compile stands as an extract with a URI, which is stored', async () => {
  const gateway = await testGateway({ config: { policy: withArtifacts } })
  const text = longResult(7)
  const document = {
    schema: 'prehend.compile/1',
    layout: 'payload',
    policy: 'moving',
    budget: { windowTokens: 50_000 },
    rehydration: true,
    frame: { goal: 'A release', step: 'Find it', acceptance: ['Names one commit'], request: 'What broke it?' },
    items: [
      {
        id: 'e1',
        section: 'evidence',
        kind: 'evidence',
        text,
        provenance: { sourceId: 'log', uri: 'file://build.log', retrievedAt: '2026-11-20T10:00:00Z' },
      },
    ],
    scope: { taskId: '42', stepId: '1' },
  }
  const answer = await fetch(`${gateway.url}/v1/compile`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(document),
  })
  const { pack, manifest } = (await answer.json()) as { pack: object; manifest: { artifactUris: string[] } }
  const uri = `artifact://sha256/${sha256(text)}`
  expect(JSON.stringify(pack)).toContain(uri)
  expect(JSON.stringify(pack).length).toBeLessThan(text.length / 2)
  expect(manifest.artifactUris).toContain(uri)
  expect(await artifact(gateway, uri)).toBe(text)
})
