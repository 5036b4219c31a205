import { afterEach, describe, expect, it } from 'vitest'
import { fetchUpstream, manualClock, simulatedProvider } from '../../providers/index.ts'
import type { AnswerPart, SimulatedRequest, ScriptEntry, Upstream } from '../../providers/index.ts'
import { sdkWays } from './four-dialects.fixture.ts'
import type { GotReply } from './four-dialects.fixture.ts'
import { says } from './hidden-exchanges.fixture.ts'
import { differences, hashesOf, receiptsOf, sentHashes } from './proven.fixture.ts'
import { anHourMs, closeTestGateways, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const writes = (path: string, content: string): AnswerPart => ({
  type: 'tool-call',
  name: 'read',
  arguments: { path, content },
})

type Way = Pick<(typeof sdkWays)[number], 'dialect' | 'stream'>

/** The third request of a conversation whose first results are folded by then. */
async function asked(gateway: TestGateway, { dialect, stream }: Way): Promise<GotReply> {
  for (const results of [7, 8]) {
    await dialect.ask(gateway, dialect.messages(results), stream)
    await gateway.clock.advance(anHourMs)
  }
  return dialect.ask(gateway, dialect.messages(9), stream)
}

/** The model's answers to the third request, one after the other. */
function answering(...answers: readonly (readonly AnswerPart[])[]) {
  return (_: SimulatedRequest, turn: number): ScriptEntry => {
    const parts = answers[turn - 2]
    return parts ? { parts } : 'done'
  }
}

async function countOf(gateway: TestGateway, result: string): Promise<number> {
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
  return Number(new RegExp(`prehend_copied_markers_total\\{result="${result}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0)
}

const unresolved = [
  'a\n# [+20 lines as in step 4]\nz',
  '// [lines 6-33 not shown]',
  'x = 1\n    [... 28 lines folded ...]\n',
  'a\n[lines 5-9 folded: rehydrate("000000000000", "5-9")]\nb',
]

describe.each(sdkWays)('calls with markers that stand for nothing: $name', (way) => {
  it.each(unresolved)('%j is answered and not passed on, nor is a call beside it', async (content) => {
    const bad = [says('Writing. '), writes('f', content), writes('g', 'good')]
    const good = [says('Better.'), writes('f', 'the text'), writes('g', 'good')]
    const gateway = await testGateway({ script: answering(bad, good, [says('Over.')]) })
    const got = await asked(gateway, way)
    expect(got.text).toBe('Writing. Better.')
    expect(got.calls).toEqual([
      { path: 'f', content: 'the text' },
      { path: 'g', content: 'good' },
    ])
    const round = gateway.provider.requests.at(-1)!.body
    expect(round).toContain('This call was not run: it holds ')
    expect(round).toContain('This call was not run either')
    expect([await countOf(gateway, 'answered'), await countOf(gateway, 'passed')]).toEqual([1, 0])
    const receipts = await receiptsOf(gateway)
    expect(receipts.at(-1)?.result).toMatchObject({ callsWithheld: 2, rehydrations: 0 })
    expect(receipts.flatMap(hashesOf)).toEqual(sentHashes(gateway))
    expect(receipts.flatMap(differences)).toEqual([])
    // What was hidden stands where it was said in what comes next.
    await way.dialect.ask(gateway, got.messages, way.stream)
    const later = gateway.provider.requests.at(-1)!.body
    expect(later.split('This call was not run').length).toBe(3)
    expect(later.split('Writing. ').length).toBe(2)
    expect(later.split('Better.').length).toBe(2)
  })

  it('a model that goes on without a call ends as it would have', async () => {
    const gateway = await testGateway({ script: answering([writes('f', unresolved[0]!)], [says('I cannot.')]) })
    const got = await asked(gateway, way)
    expect([got.text, got.calls]).toEqual(['I cannot.', []])
    expect(String(got.stop).toLowerCase()).not.toMatch(/tool/)
  })

  it('when all rounds are used up the call goes as it is, and is counted', async () => {
    const bad = [writes('f', unresolved[1]!)]
    const gateway = await testGateway({
      config: { limits: { rehydrateRounds: 2 } },
      script: answering(bad, bad, bad, bad),
    })
    expect((await asked(gateway, way)).calls).toEqual([{ path: 'f', content: unresolved[1] }])
    expect([await countOf(gateway, 'answered'), await countOf(gateway, 'passed')]).toEqual([2, 1])
    expect(gateway.log.filter(({ event }) => event === 'marker-passed')).toHaveLength(1)
  })

  it('ordinary calls pass as they are, in one request', async () => {
    const content = 'rows = [57, 90]\n# 20 lines as in the original\nfold([lines])\n'
    const gateway = await testGateway({ script: answering([says('Go. '), writes('f', content)]) })
    const got = await asked(gateway, way)
    expect([got.text, got.calls]).toEqual(['Go. ', [{ path: 'f', content }]])
    expect(gateway.provider.requests.filter(({ path }) => !path.includes('count'))).toHaveLength(3)
  })
})

describe.each(sdkWays.filter(({ stream }) => stream))('streams of calls: $name', (way) => {
  it('wherever their bytes are cut, nothing of a call is seen that is answered here', async () => {
    const clock = manualClock(Date.UTC(2026, 10, 21))
    const bad = [says('Writing. '), writes('f', unresolved[0]!)]
    const provider = simulatedProvider({ script: answering(bad, [writes('f', 'the text')]), clock })
    const simulated = fetchUpstream({ name: 'simulated', origin: 'http://simulated', fetch: provider.fetch })
    const upstream: Upstream = {
      ...simulated,
      send: async (request) => {
        const reply = await simulated.send(request)
        return { ...reply, body: byteByByte(reply.body) }
      },
    }
    const gateway = await testGateway({ clock, provider, upstream })
    const got = await asked(gateway, way)
    expect([got.text, got.calls]).toEqual(['Writing. ', [{ path: 'f', content: 'the text' }]])
    expect(await countOf(gateway, 'answered')).toBe(1)
  })
})

async function* byteByByte(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) for (let at = 0; at < chunk.length; at += 1) yield chunk.subarray(at, at + 1)
}
