import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../stores/index.ts'
import { bodyOf } from '../session.fixture.ts'
import { openSession } from './open-session.ts'

const task = 'Find the value. Never touch the lock file.'
const body = (results: number) => JSON.parse(bodyOf(results, task)) as object

describe('a session in process', () => {
  it('is compacted by hand, with the figures of its last request, though receipts keep no content (G-050)', async () => {
    const session = openSession({ policy: 'careful' })
    await session.pack(body(12))
    const result = await session.compact({ preserveRecent: 4 })
    expect(result).toMatchObject({ status: 'pending', compactionCount: 1 })
    expect(result.tokensSaved).toBe(result.tokensBefore - result.tokensAfter)
    const { receipt, body: sent } = await session.pack(body(12))
    expect(receipt?.manifest.compaction).toMatchObject({ cause: 'ordered', tokensAfter: result.tokensAfter })
    expect(sent).toContain(task)
    expect(sent).not.toContain('toolu_4')
  })

  it('is compacted by a trigger of its options (G-043)', async () => {
    const session = openSession({ compaction: { trigger: { type: 'token_count', value: 5000 }, preserveRecent: 2 } })
    const { receipt } = await session.pack(body(12))
    expect(receipt?.manifest.compaction).toMatchObject({ cause: 'token_count', count: 1 })
    expect(() => openSession({ compaction: { trigger: { type: 'never' as never } } })).toThrow(
      /compaction\.trigger\.type/,
    )
  })

  it('is handed over to one that begins with the briefing (G-047)', async () => {
    const store = memoryStore()
    const session = openSession({ store })
    await session.pack(body(6))
    const { sessionId, parentId, briefing } = await session.handoff()
    expect(briefing).toMatchObject({ objective: task, constraints: ['Never touch the lock file.'] })
    const next = openSession({ store, id: sessionId })
    const { body: sent } = await next.pack({ ...body(0), messages: [{ role: 'user', content: 'Go on.' }] })
    expect(sent.indexOf(`<briefing from=\\"${parentId}\\">`)).toBeGreaterThan(0)
    expect(sent.indexOf('<briefing')).toBeLessThan(sent.indexOf('Go on.'))
  })

  it('that has packed nothing yet is not found', async () => {
    await expect(openSession().compact()).rejects.toMatchObject({ code: 'not-found' })
    await expect(openSession({ id: 'new' }).handoff()).rejects.toMatchObject({ code: 'not-found' })
  })
})
