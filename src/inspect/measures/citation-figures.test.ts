import { describe, expect, it } from 'vitest'
import { citableTexts, inferredCitations } from '../../codecs/index.ts'
import { citationFigures } from './citation-figures.ts'
import type { LabelledReply } from './citation-figures.ts'

const entries = [
  {
    id: 'kb://boats',
    text: 'The ferry to Elba leaves Piombino at seven. It carries forty cars.\nTickets are sold on board.',
  },
  {
    id: 'kb://trains',
    text: 'Night trains from Vienna reach Hamburg by nine. Sleepers have to be booked a month ahead.',
  },
  {
    id: 'kb://planes',
    text: 'Small planes land on the grass strip near the lighthouse. Pilots call the keeper first.',
  },
]

function cites(text: string, more: object = {}): readonly string[] {
  return inferredCitations({ entries, text, ...more }).map(({ source, by }) => `${by} ${source}`)
}

describe('citations that are inferred', () => {
  it('name what a sentence quotes, and what it says in like words, at its place in the reply', () => {
    const quoted = 'As it says, night trains from Vienna reach Hamburg by nine.'
    const like = 'The ferry carries forty cars to Elba.'
    const text = `Good morning. ${quoted}\n${like}`
    expect(cites(text)).toEqual(['quotation kb://trains', 'similarity kb://boats'])
    const places = inferredCitations({ entries, text }).map(({ start, end }) => text.slice(start, end))
    expect(places).toEqual([quoted, like])
    expect(inferredCitations({ entries, text })[1]?.citedText).toContain('forty cars')
  })

  it('name nothing for what stands in no entry, and nothing of nothing', () => {
    expect(cites('Bicycles may be hired behind the church all year.')).toEqual([])
    expect(cites('')).toEqual([])
    expect(inferredCitations({ entries: [], text: 'The ferry leaves at seven.' })).toEqual([])
  })

  it('V-074: take embeddings where there are some, and sentences for one whose cosine is 0.8 at least', () => {
    const text = 'One sails at dawn.'
    const atCosine = (cosine: number) => (sentence: string) =>
      sentence === text ? [1, 0] : sentence.startsWith('The ferry') ? [cosine, Math.sqrt(1 - cosine ** 2)] : [0, 1]
    expect(cites(text)).toEqual([])
    expect(cites(text, { vectorOf: atCosine(0.81) })).toEqual(['similarity kb://boats'])
    expect(cites(text, { vectorOf: atCosine(0.79) })).toEqual([])
    expect(cites(text, { vectorOf: atCosine(0.79), least: 0.7 })).toEqual(['similarity kb://boats'])
    expect(citableTexts({ entries, text })).toEqual([
      text,
      ...entries.flatMap((entry) => entry.text.split(/(?<=\.)\s/)),
    ])
  })

  it('take time by the length of what is compared', () => {
    const long = 'a'.repeat(200_000)
    expect(cites(`${long} ${' .'.repeat(50_000)}`)).toEqual([])
  })
})

describe('what citations are worth', () => {
  const reply = (text: string, ...cited: readonly string[]): LabelledReply => ({ text, entries, cited: new Set(cited) })

  it('N-18: is how often they agree with labels: 1 where a provider cites itself, less where they are inferred', () => {
    const replies = [
      reply('Tickets for the ferry are sold on board.', 'kb://boats'),
      reply('Book sleepers a month ahead.', 'kb://trains'),
      reply('One sails at dawn.', 'kb://boats'),
      reply('Pilots call the keeper, then land near the lighthouse.', 'kb://trains'),
    ]
    const native = citationFigures(replies, ({ cited }) => [...cited].map((source) => ({ source })))
    expect(native).toEqual({ precision: 1, recall: 1, f1: 1, accuracy: 1 })
    const inferred = citationFigures(replies, ({ text }) => inferredCitations({ entries, text }))
    expect(inferred).toEqual({ precision: 2 / 3, recall: 2 / 4, f1: 4 / 7, accuracy: 9 / 12 })
  })
})
