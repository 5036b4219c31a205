import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import { careful } from '../../compiler/index.ts'
import type { Conversation, Item, ModelReply } from '../../core/index.ts'
import { compile } from '../../sessions/index.ts'
import { judgePack } from './judge-pack.ts'

/** A model's server: it answers as OpenAI's does, by what `script` makes of the question. */
let server: Server
let url = ''
let script: (asked: string) => string = () => '0'
const seen: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString()) as { messages: { content: string }[] }
      const asked = body.messages.at(-1)?.content ?? ''
      seen.push(asked)
      response.setHeader('content-type', 'application/json')
      const message = { role: 'assistant', content: script(asked) }
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`
})
afterAll(() => server.close())

async function ask(conversation: Conversation): Promise<ModelReply> {
  const { body } = codecFor('openai-chat').write(conversation)
  const response = await fetch(url, { method: 'POST', body })
  const { choices } = (await response.json()) as { choices: { message: { content: string }; finish_reason: string }[] }
  return { text: choices[0]?.message.content ?? '', toolCalls: [], stopReason: 'stop' }
}

const numbered = (asked: string): readonly string[] => asked.match(/^\d+\. .*$/gm) ?? []
/** A judge that holds a statement for entailed where its second word stands in the text. */
const byWord = (asked: string): string => {
  const text = /<text>\n([^]*)\n<\/text>/.exec(asked)?.[1] ?? ''
  const found = numbered(asked).flatMap((line, at) => (text.includes(line.split(' ')[2] ?? '?') ? [at + 1] : []))
  return found.length === 0 ? '0' : found.join(', ')
}

const report: Item = {
  id: 'report',
  section: 'evidence',
  kind: 'evidence',
  provenance: { sourceId: 'r' },
  text: Array.from({ length: 60 }, (_, at) => `Harbour h${at} sold ${at * 7} tickets in May.`).join(' '),
}
const weather: Item = { ...report, id: 'weather', text: 'It rained on most days of the month.' }
const request = 'Which harbour sold most tickets?'
const packed = (windowTokens: number) => {
  const items = [report, weather]
  const { pack, manifest } = compile({
    items,
    policy: careful,
    budget: { windowTokens },
    frame: { request },
    rehydration: true,
  })
  return { pack: pack!, manifest, items, request }
}

describe('a model that judges packs', () => {
  it('P-052: fidelity is the share of what the originals state that the model finds in what is shown', async () => {
    script = (asked) => (asked.includes('<text>') ? byWord(asked) : '1')
    const tight = packed(900)
    const shown = tight.pack.entries.find(({ itemId }) => itemId === 'report')
    expect(shown?.rung).not.toBe('full')
    const { fidelity = 0, asked, requests, model } = await judgePack(tight, { model: 'small', ask })
    const kept = Array.from({ length: 60 }, (_, at) => `h${at} `).filter((name) => shown?.text.includes(name)).length
    expect(kept).toBeGreaterThan(0)
    expect(kept).toBeLessThan(60)
    expect(Math.abs(fidelity - kept / 60)).toBeLessThan(0.05)
    expect([model, asked, requests]).toEqual(['small', 60 + tight.pack.entries.length, 3])
    expect((await judgePack(packed(8000), { model: 'small', ask })).fidelity).toBe(1)
  })

  it('P-078: signal density is the share of the tokens of what is shown that the model holds for useful', async () => {
    const roomy = packed(8000)
    script = (asked) => `${numbered(asked).findIndex((line) => line.includes('h59 ')) + 1}.`
    const { signalDensity = 0 } = await judgePack(roomy, { model: 'small', ask })
    const tokensOf = (id: string): number => roomy.pack.entries.find(({ itemId }) => itemId === id)?.tokens ?? 0
    expect(signalDensity).toBeCloseTo(tokensOf('report') / (tokensOf('report') + tokensOf('weather')), 6)
    expect(seen.at(-1)).toContain(`<task>\n${request}\n</task>`)
  })

  it.each([['yes'], [''], ['1, 900'], ['1'.repeat(5000)], ['Statements 1 and 2']])(
    'a reply that is no list of the numbers asked about is an error: %s',
    async (reply) => {
      script = () => reply
      await expect(judgePack(packed(900), { model: 'small', ask })).rejects.toThrow(
        /no list of numbers up to \d+\. Ask/,
      )
    },
  )
})
