import { afterEach, describe, expect, it } from 'vitest'
import type { AnswerPart, SimulatedRequest, ScriptEntry } from '../../providers/index.ts'
import type { Receipt } from '../../stores/index.ts'
import { waysToAsk } from '../seams/ask.fixture.ts'
import { bodyOf, lookedAgain, says } from './hidden-exchanges.fixture.ts'
import { differences, hashesOf, receiptsOf, sentHashes } from './proven.fixture.ts'
import { closeTestGateways, handleIn, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const looksAt = (handle: string): AnswerPart => ({ type: 'tool-call', name: 'rehydrate', arguments: { handle } })

/** The model's third answer: it looks twice, one look after the other, and then says so. */
function lookingTwice({ body }: SimulatedRequest, turn: number): ScriptEntry {
  if (turn === 2) return { parts: [says('Let me look. '), looksAt(handleIn(body, 1) ?? 'none')] }
  if (turn === 3) return { parts: [looksAt(handleIn(body, 2) ?? 'none')] }
  return turn === 4 ? { parts: [says('Found.')] } : 'done'
}

describe.each(waysToAsk)('A-006: every request that went upstream is proven: $name', ({ dialect, stream }) => {
  it('those of hidden rounds too, to the byte', async () => {
    const gateway = await testGateway({ script: lookingTwice })
    await lookedAgain(gateway, { dialect, stream })
    const receipts = await receiptsOf(gateway)
    expect(receipts.map(({ result }) => result?.rounds?.length ?? 0)).toEqual([0, 0, 2])
    expect(receipts.flatMap(hashesOf)).toEqual(sentHashes(gateway))
    for (const receipt of receipts) expect(differences(receipt)).toEqual([])
  })

  it('but not one of which a word was changed, or nothing was kept', async () => {
    const gateway = await testGateway({ script: lookingTwice })
    await lookedAgain(gateway, { dialect, stream })
    const [last = expect.unreachable('no receipt')] = (await receiptsOf(gateway)).slice(-1)
    const { result = expect.unreachable('no result') } = last
    const [first, second] = result.rounds ?? []
    const withRounds = (...rounds: object[]): Receipt => ({ ...last, result: { ...result, rounds } }) as Receipt
    const [said = '', ...others] = first?.messages ?? []
    const changed = { ...first, messages: [said.replace('look', 'book'), ...others] }
    expect(differences(withRounds(changed, second!))).toEqual(['rounds[0]', 'rounds[1]'])
    expect(differences(withRounds(first!, { hash: second?.hash }))).toEqual(['rounds[1]'])
    expect(differences({ ...last, result: { ...result, rounds: [] } })).toEqual([])
  })

  it('those by which an answer was asked for again, because it broke a constraint', async () => {
    const check = { lacks: ['ACME'] }
    const constraints = [{ text: 'Name no customer.', strength: 'hard', about: 'customers', check }]
    const script = (_: SimulatedRequest, turn: number): ScriptEntry => ['ACME.', 'ACME again.', 'A customer.'][turn]!
    const gateway = await testGateway({ config: { constraints, repairs: 2 }, script })
    await dialect.ask(gateway, bodyOf(dialect, 2), stream)
    const receipts = await receiptsOf(gateway)
    expect(receipts).toHaveLength(3)
    expect(receipts.flatMap(hashesOf)).toEqual(sentHashes(gateway))
    for (const receipt of receipts) expect(differences(receipt)).toEqual([])
  })

  it('by their hashes alone where content is not recorded', async () => {
    const gateway = await testGateway({ config: { record: 'receipts' }, script: lookingTwice })
    await lookedAgain(gateway, { dialect, stream })
    const receipts = await receiptsOf(gateway)
    expect(receipts.flatMap(hashesOf)).toEqual(sentHashes(gateway))
    expect(JSON.stringify(receipts)).not.toContain('Let me look')
  })
})
