import { describe, expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import { memoryStore } from '../../stores/index.ts'
import type { CollectRequest, Source } from '../collect/source.ts'
import { openSession } from './open-session.ts'

const evidence = (text: string): Item => ({ id: 'fact', section: 'evidence', kind: 'text', text })

const user = (content: string) => ({ role: 'user' as const, content })
const call = (id: string) => ({
  role: 'assistant' as const,
  content: null,
  tool_calls: [{ id, type: 'function' as const, function: { name: 'look', arguments: '{}' } }],
})
const result = (tool_call_id: string) => ({
  role: 'tool' as const,
  tool_call_id,
  content: `what ${tool_call_id} found`,
})

type Message = ReturnType<typeof user> | ReturnType<typeof call> | ReturnType<typeof result>
const body = (...messages: readonly Message[]) => ({ model: 'gpt-5.1', messages })

interface Heard {
  readonly asked: CollectRequest[]
  readonly source: Source
}

function hearing(id: string, given: Partial<Source> = {}): Heard {
  const asked: CollectRequest[] = []
  const collect = async (request: CollectRequest): Promise<readonly Item[]> => {
    asked.push(request)
    return [evidence(`${id} says ${asked.length}.`)]
  }
  return { asked, source: { id, collect, ...given } }
}

const failures = () => {
  const failed: string[] = []
  return { failed, onFailure: (stage: string, error: unknown) => void failed.push(`${stage}: ${String(error)}`) }
}

describe('sources of a session in process', () => {
  it('are asked once for a turn of the user, and what they gave stays in its place', async () => {
    const [wiki, always] = [hearing('wiki'), hearing('always', { when: 'request' })]
    const session = openSession({ sources: [wiki.source, always.source], id: 's' })
    const begun = [user('What is it?')]
    const first = await session.pack(body(...begun))
    expect(JSON.stringify(first.request)).toContain('wiki says 1.')
    const within = [...begun, call('a'), result('a')]
    const second = await session.pack(body(...within))
    expect([wiki.asked.length, always.asked.length]).toEqual([1, 2])
    expect(JSON.stringify(second.request).split('wiki says').length).toBe(2)
    const next = await session.pack(body(...within, { ...user('And that?') }))
    expect(wiki.asked).toHaveLength(2)
    expect(JSON.stringify(next.request)).toContain('wiki says 2.')
    await session.close()
  })

  it('are told of the request, its session, its policy, the room, the time and who waits', async () => {
    const { asked, source } = hearing('wiki')
    const abort = new AbortController()
    const session = openSession({ sources: [source], tenant: 'acme', id: 's', clock: () => 1000, collectMs: 70 })
    await session.pack(body(user('What is it?')), {
      situation: { taskClass: 'review' },
      step: { taskId: 't' },
      signal: abort.signal,
    })
    const [told] = asked
    expect(told).toMatchObject({
      scope: { tenant: 'acme', session: 's' },
      principal: { tenant: 'acme', keyId: 'in-process' },
      policy: { id: 'balanced' },
      situation: { taskClass: 'review' },
      step: { taskId: 't' },
      conversation: { model: 'gpt-5.1' },
      deadlineMs: 1070,
    })
    expect(told?.requestId).toMatch(/^req_/)
    expect(told?.roomTokens).toBeGreaterThan(1000)
    // The request no longer waits for it.
    expect(told?.signal.aborted).toBe(true)
    await session.close()
  })

  it('that are late, fail or flood are left out and named; the request goes on', async () => {
    const { failed, onFailure } = failures()
    let late: AbortSignal | undefined
    const slow = hearing('slow', {
      collect: ({ signal }) => {
        late = signal
        return new Promise(() => undefined)
      },
    })
    const broken = hearing('broken', { collect: () => Promise.reject(new Error('no index')) })
    const wrong = hearing('wrong', { collect: async () => [{ id: 'x', section: 'nowhere' } as never] })
    const flood = hearing('flood', { collect: async () => [evidence('much of it '.repeat(900_000))] })
    const good = hearing('good')
    const sources = [slow, broken, wrong, flood, good].map(({ source }) => source)
    const session = openSession({ sources, onFailure, collectMs: 200 })
    const { request } = await session.pack(body(user('What is it?')))
    expect(JSON.stringify(request)).toContain('good says 1.')
    expect(JSON.stringify(request).length).toBeLessThan(1000)
    expect(new Set(failed.map((line) => line.split(':', 1)[0]))).toEqual(new Set(['broken', 'flood', 'slow', 'wrong']))
    expect(failed).toHaveLength(4)
    expect(late?.aborted).toBe(true)
    await session.close()
  })

  it('are not asked again by another process in the same turn', async () => {
    const store = memoryStore()
    const [one, other] = [hearing('wiki'), hearing('wiki')]
    const first = openSession({ sources: [one.source], store, id: 's' })
    await first.pack(body(user('What is it?')))
    const second = openSession({ sources: [other.source], store, id: 's' })
    const { request } = await second.pack(body(user('What is it?'), call('a'), result('a')))
    expect(other.asked).toHaveLength(0)
    expect(JSON.stringify(request)).toContain('wiki says 1.')
    await Promise.all([first.close(), second.close()])
  })

  it('come from extensions as well, which get the embedder of the session', async () => {
    const embedder = {
      embed: async (texts: readonly string[]) => texts.map((text) => Float32Array.of(text.length)),
    }
    const meaning = {
      name: 'meaning',
      specificationVersion: 1 as const,
      open: ({ embedder: own }: { readonly embedder: typeof embedder | undefined }) => ({
        sources: [
          {
            id: 'meaning',
            collect: async () => [evidence(`Length ${(await own?.embed(['four']))?.[0]?.[0] ?? 'unknown'}.`)],
          },
        ],
      }),
    }
    for (const [given, found] of [
      [{ embedder }, 'Length 4.'],
      [{}, 'Length unknown.'],
    ] as const) {
      const session = openSession({ extensions: [meaning as never], ...given })
      expect(JSON.stringify((await session.pack(body(user('Hello')))).request)).toContain(found)
      await session.close()
    }
    expect(() => openSession({ embedder: {} as never })).toThrow('options.embedder: is not an embedder')
  })

  it('must differ by their ids, and be sources', async () => {
    const session = openSession({ sources: [hearing('a').source, hearing('a').source] })
    await expect(session.pack(body(user('Hello')))).rejects.toThrow('options.sources: have "a" twice')
    expect(() => openSession({ sources: [{ id: 'a' } as never] })).toThrow('options.sources[0].collect: is missing')
  })
})
