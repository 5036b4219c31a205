import { afterEach, describe, expect, it } from 'vitest'
import { chats, chatTurns } from './chats.fixture.ts'
import { differences, receiptsOf } from './proven.fixture.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const policy = {
  id: 'short-chats',
  version: '1.0.0',
  extends: 'careful',
  sections: [{ section: 'history', max: 1500 }],
  summaries: { mode: 'checkpoint' },
}

describe.each(chats)('a chat over $name that exceeds its budget', ({ ask, wordsOf }) => {
  it('shows its oldest complete blocks as summaries, the newest turns as they were said, and stays as it is (X-20, P-068, A-045)', async () => {
    const gateway = await testGateway({ config: { policy }, script: () => 'Understood.' })
    const turns = chatTurns(24)
    await ask(gateway, turns)
    await ask(gateway, [...turns, 'Understood.', 'And now?'])
    const [first = '', second = ''] = gateway.provider.requests.map(({ body }) => wordsOf(body))
    expect(first).toContain('<conversation_summary>')
    expect(first).toContain('Never deploy on Fridays.')
    expect(first).toContain('turns 1-5,')
    expect(first).not.toContain('answer 2 ')
    expect(first).toContain('answer 23 ')
    expect(first).toContain('question 24 ')
    expect(second.startsWith(first.slice(0, first.indexOf('question 24 ')))).toBe(true)
    const receipts = await receiptsOf(gateway)
    expect(receipts.map(differences)).toEqual([[], []])
    expect(receipts[0]?.manifest.summaries?.length).toBeGreaterThan(0)
  })

  it('keeps what left the window, and brings it back by the handle of its summary (C-016)', async () => {
    const gateway = await testGateway({ config: { policy }, script: () => 'Understood.' })
    await ask(gateway, chatTurns(24))
    const [receipt] = await receiptsOf(gateway)
    const handle = receipt?.manifest.summaries?.[0]?.handle ?? ''
    const [body = ''] = gateway.provider.requests.map((request) => wordsOf(request.body))
    expect(body).not.toContain('answer 2 ')
    const kept = await gateway.store.read('originals').get({ tenant: 'default' }, handle)
    expect(kept?.text).toContain(`assistant:\n${chatTurns(24)[3]}`)
  })
})
