import { expect, it } from 'vitest'
import { careful } from '../../compiler/index.ts'
import { sha256 } from '../../host/index.ts'
import { memoryBlobs, memoryStore } from '../../stores/index.ts'
import { getArtifact } from '../artifacts/read-artifacts.ts'
import { bodyOf, resultOf } from '../session.fixture.ts'
import { openSession } from './open-session.ts'

const request = (results: number): object => JSON.parse(bodyOf(results)) as object
const reply = (text: string) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 1, output_tokens: 1 },
})
const policy = { ...careful, id: 'moving', artifacts: { inlineTokens: 200 } }
const step = { taskId: '42', stepId: '3' }

it('a session stores what its requests name, the manifest of a step and the reply that ends it', async () => {
  const host = { store: memoryStore(), blobs: memoryBlobs(), clock: Date.now }
  const session = openSession({ ...host, policy, record: 'content' })
  const packed = await session.pack(request(2), { step })
  const uri = `artifact://sha256/${sha256(resultOf(1))}`
  expect(packed.body).toContain(uri)
  expect(packed.receipt?.manifest.artifactUris).toContain(uri)
  const read = async (of: string) =>
    new TextDecoder().decode((await getArtifact(host, { tenant: 'default', uri: of })).bytes)
  expect(await read(uri)).toBe(resultOf(1))
  expect(JSON.parse(await read('artifact://tasks/42/step-3/manifest.json'))).toMatchObject({
    packId: packed.receipt?.manifest.packHash,
  })
  await packed.answered(reply('It was 3f2a.'))
  expect(await read('artifact://tasks/42/step-3/response.md')).toBe('It was 3f2a.')
})

it('without a place for bytes beside a store, such a policy is refused; without artifacts nothing is stored', async () => {
  const store = memoryStore()
  expect(() => openSession({ store, policy })).toThrow('options.blobs: is missing')
  const plain = openSession({ store })
  expect(() => plain.changePolicy({ artifacts: { inlineTokens: 200 } }, 'test')).toThrow('options.blobs: is missing')
  await (await plain.pack(request(2), { step })).answered(reply('Done.'))
  expect(await store.read('artifacts').list({ tenant: 'default', versions: true, limit: 9 })).toEqual([])
})
