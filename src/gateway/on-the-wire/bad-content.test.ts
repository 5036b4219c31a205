import { afterEach, describe, expect, it } from 'vitest'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { DialectFixture, TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const escape = '\u001b'
const row = (first: string): string => Array.from({ length: 10_000 }, (_, at) => `${first}${at}`).join(',')
const texts: readonly (readonly [name: string, text: string])[] = [
  ['JSON of 10,000 levels', `${'[{"a":'.repeat(5_000)}1${'}]'.repeat(5_000)}`],
  ['5 MB on one line', 'lorem ipsum dolor '.repeat(290_000)],
  ['a table of 10,000 columns', Array.from({ length: 14 }, (_, at) => row(at === 0 ? 'name' : `${at}-`)).join('\n')],
  ['a log of ANSI sequences', `${`${escape}[31m${escape}[2J${escape}[1;1H`.repeat(200)}ERROR: it failed\n`.repeat(200)],
  ['mixed encodings', `\ufeffcaf\u00c3\u00a9 \u0000 \u202e abc \ufffd\r\n`.repeat(4_000)],
]

function anthropicMessages(contents: readonly unknown[]): readonly unknown[] {
  return [
    { role: 'user', content: 'Go.' },
    ...contents.flatMap((content, at) => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${at}`, name: 'read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${at}`, content }] },
    ]),
    { role: 'assistant', content: 'Read.' },
    { role: 'user', content: 'And now?' },
  ]
}

function chatMessages(contents: readonly unknown[]): readonly unknown[] {
  const call = (at: number): unknown => ({
    id: `c${at}`,
    type: 'function',
    function: { name: 'read', arguments: '{}' },
  })
  return [
    { role: 'user', content: 'Go.' },
    ...contents.flatMap((content, at) => [
      { role: 'assistant', content: null, tool_calls: [call(at)] },
      { role: 'tool', tool_call_id: `c${at}`, content },
    ]),
    { role: 'assistant', content: 'Read.' },
    { role: 'user', content: 'And now?' },
  ]
}

async function sentFor(gateway: TestGateway, fixture: DialectFixture, messages: readonly unknown[]): Promise<string> {
  const before = gateway.provider.requests.length
  const response = await post(gateway, fixture, { ...fixture.body(0), messages }, { 'x-session-id': `s${before}` })
  expect(response.status).toBe(200)
  await response.text()
  expect(gateway.provider.requests.length).toBe(before + 1)
  return gateway.provider.requests.at(-1)?.body ?? ''
}

const policy = { extends: 'thrifty', id: 'small', version: '1.0.0', contextTokens: 4_000 }

describe.each([
  [anthropicFixture, anthropicMessages],
  [openaiFixture, chatMessages],
] as const)('what comes from a tool that has gone wrong, in a small window', (fixture, messages) => {
  it.each(texts)(`${fixture.name}: %s is shown short, with a handle, and a request is answered`, async (_, text) => {
    const gateway = await testGateway({ config: { policy }, script: () => 'Well.' })
    const sent = await sentFor(gateway, fixture, messages([text, 'done', 'done again']))
    expect(sent.length).toBeLessThan(text.length / 2)
    expect(sent).toMatch(/rehydrate\(\\"\d{12}\\"/)
  })
})

describe('images that are not what they say', () => {
  const head = (width: number, height: number): Buffer => {
    const bytes = Buffer.alloc(57)
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes)
    bytes.writeUInt32BE(width, 16)
    bytes.writeUInt32BE(height, 20)
    bytes.set([8, 2, 0, 0, 0], 24)
    return bytes
  }

  it.each([
    ['lie about their size', head(60_000, 60_000)],
    ['are cut off', head(800, 600).subarray(0, 20)],
    ['are no image', Buffer.from('GIF? no.')],
  ])('that %s go out as they came, and the request with them', async (_, bytes) => {
    const data = bytes.toString('base64')
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
    const shrinking = { extends: 'careful', id: 'shrinking', version: '1.0.0', media: { images: { mostTokens: 400 } } }
    const gateway = await testGateway({ config: { policy: shrinking, images: 'sharp' }, script: () => 'Well.' })
    const asked = [{ role: 'user', content: [image, { type: 'text', text: 'What is it?' }] }]
    expect(await sentFor(gateway, anthropicFixture, asked)).toContain(data)
  })
})
