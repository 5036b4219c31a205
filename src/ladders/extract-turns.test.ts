import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SummaryTurn } from '../core/index.ts'
import { extractiveSummarizer, extractTurns, foldSummaries, lineText, mustStay } from './extract-turns.ts'

const count = (text: string): number => text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)?.length ?? 0

const user = (turn: number, text: string): SummaryTurn => ({ turn, role: 'user', text })
const model = (turn: number, text: string): SummaryTurn => ({ turn, role: 'assistant', text })

const trip: readonly SummaryTurn[] = [
  user(1, 'I want to plan a trip to Lisbon in May. There will be three of us.'),
  model(1, 'Sure, happy to help. Lisbon is lovely in May. Would you like hotels or flats?'),
  user(2, 'Flats. We must not spend more than 900 euros in total. My sister is allergic to nuts.'),
  model(2, 'Noted. Here are some thoughts about neighbourhoods. Alfama is old and steep. Baixa is flat.'),
  user(3, 'Actually, make it June instead. And let us go with Baixa.'),
  model(3, 'Let me update the plan. We decided on Baixa in June.'),
]

describe('an extract of turns', () => {
  it('keeps decisions, corrections and what binds, before what is only said (P-044)', () => {
    const { lines } = extractTurns(trip, { targetTokens: 60, count })
    expect(lines.map(({ turn, mark, text }) => `${turn} ${mark ?? 'said'}: ${text}`)).toEqual([
      '2 must hold: Flats. We must not spend more than 900 euros in total.',
      '2 must hold: My sister is allergic to nuts.',
      '3 corrected: Actually, make it June instead.',
      '3 decided: And let us go with Baixa.',
    ])
  })

  it('prefers what has to do with what is asked now (P-044)', () => {
    const told = [
      user(1, 'The invoice of the plumber came to 240 euros yesterday.'),
      user(2, 'The garden needs water in the evening when it is hot.'),
    ]
    const about = (focus: string): readonly string[] =>
      extractTurns(told, { targetTokens: 16, count, focus }).lines.map(({ text }) => text)
    expect(about('What did the plumber charge on that invoice?')).toEqual([told[0]?.text])
    expect(about('When does the garden need water in the evening?')).toEqual([told[1]?.text])
  })

  it('prefers what says more, and of lines that say the same much the newer one (P-044)', () => {
    const best = (...turns: readonly SummaryTurn[]): string =>
      extractTurns(turns, { targetTokens: 26, count })
        .lines.map(({ text }) => text)
        .join()
    const dense = 'Server db-7.example.org listens on port 5432 behind proxy-2.'
    const thin = 'This and that have been here with them from what they have.'
    const filler = Array.from({ length: 6 }, (_, at) => model(2, `${thin.slice(0, -1)} ${'ABCDEF'.charAt(at)}.`))
    expect(best(model(1, dense), ...filler)).toBe(dense)
    const rare = 'The yellow boat leaves the eastern harbour on Mondays.'
    const common = 'The orange coach enters the western station on Sundays.'
    const aside = model(1, 'A western side.')
    // Where both are as old the one with the rarer words is worth more; forty turns later the other is.
    expect(best(aside, model(1, rare), model(1, common))).toContain(rare)
    expect(best(aside, model(1, rare), model(40, common))).toContain(common)
  })

  it('never exceeds its target, quotes word for word, and keeps the order in which things were said (P-044)', () => {
    const said = fc.array(
      fc.record({
        role: fc.constantFrom('user' as const, 'assistant' as const),
        text: fc.oneof(
          fc.lorem({ mode: 'sentences', maxCount: 6 }),
          fc.constantFrom('No, never do that.', 'We decided on A.'),
        ),
      }),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(said, fc.integer({ min: 0, max: 200 }), (texts, targetTokens) => {
        const turns = texts.map((one, at) => ({ ...one, turn: Math.floor(at / 2) + 1 }))
        const { lines } = extractTurns(turns, { targetTokens, count })
        expect(lines.reduce((sum, line) => sum + count(lineText(line)), 0)).toBeLessThanOrEqual(targetTokens)
        for (const { turn, text, role } of lines)
          expect(turns.some((one) => one.turn === turn && one.role === role && one.text.includes(text))).toBe(true)
        expect(lines.map(({ turn }) => turn)).toEqual(lines.map(({ turn }) => turn).toSorted((a, b) => a - b))
      }),
    )
  })

  it('keeps tables of entities and states as they stood last, word for word (A-010)', () => {
    const before = '| order | state |\n|---|---|\n| A-1 | open |\n| B-2 | open |'
    const after = '| order | state |\n|---|---|\n| A-1 | shipped |\n| B-2 | open |'
    const state = '- Host: db-1\n- Port: 5432\n- User: app'
    const turns = [
      model(1, `Here is the state.\n\n${before}\n\nAnything else?`),
      model(2, `Now:\n\n${after}\n\n${state}`),
    ]
    const { tables } = extractTurns(turns, { targetTokens: 200, count })
    expect(tables).toEqual([after, state])
    expect(
      foldSummaries([extractTurns(turns, { targetTokens: 200, count })], { targetTokens: 100, count }).tables,
    ).toEqual([after, state])
  })

  it('leaves out code, and says twice nothing that was said twice', () => {
    const turns = [
      user(1, 'Run it.\n```sh\nnever --do this\n```'),
      user(2, 'We must keep the log.'),
      user(3, 'We must keep the log.'),
    ]
    expect(extractTurns(turns, { targetTokens: 100, count }).lines.map(lineText)).toEqual([
      '1 user: Run it.',
      '3 user, must hold: We must keep the log.',
    ])
  })

  it('is what the built-in summarizer gives, again and again (P-029)', async () => {
    const options = { targetTokens: 40, count }
    const [once, again] = await Promise.all([1, 2].map(() => extractiveSummarizer.summarize(trip, options)))
    expect(once).toEqual(again)
    expect(once).toEqual(extractTurns(trip, options))
  })

  it('knows what must stay', () => {
    expect(mustStay(trip).lines.map(({ text }) => text)).toHaveLength(4)
  })

  it('takes time linear in a hostile text', () => {
    const text = `${'a: b '.repeat(40_000)}${'| '.repeat(40_000)}${'. '.repeat(40_000)}`
    const startedMs = performance.now()
    extractTurns([user(1, text)], { targetTokens: 100, count })
    expect(performance.now() - startedMs).toBeLessThan(2000)
  })
})
