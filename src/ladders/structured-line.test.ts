import { describe, expect, it } from 'vitest'
import type { Item } from '../core/index.ts'
import { contentKind } from './content-kind.ts'
import { ladderFor } from './ladder-for.ts'
import { isStructuredLine } from './structured-line.ts'

const count = (text: string): number => Math.ceil(text.length / 4)
const context = { count, handle: '482915037114' }
const conversation = {
  visible: new Set<string>(),
  age: 30,
  lineWorth: 1,
  lowestRung: 'trimmed' as const,
  shares: [0.35],
}

const facts = [
  'the gate is shut at eight',
  'keys hang in the hall',
  'water comes from the well',
  'bread is baked on monday',
]
const talk = (speaker: string, at: number): string =>
  `${speaker}: so as I was saying to you the other day, ${facts[at % facts.length] ?? ''}, or so they all keep telling us on day ${at} here.`
const speakers = ['Anna', 'Bert']
const transcript = Array.from({ length: 24 }, (_, at) => talk(speakers[at % 2] ?? '', at))
const bullets = facts.map((fact) => `- ${fact}`)
const pairs = ['gate: shut at eight', 'keys: in the hall', 'water: from the well', 'bread: baked on monday']

function mixed(lines: readonly string[]): string {
  return [...transcript.slice(0, 12), '', ...lines, '', ...transcript.slice(12)].join('\n')
}

const items: Readonly<Record<string, (text: string) => Item>> = {
  'what is found': (text) => ({ id: 'e', section: 'evidence', kind: 'evidence', text, provenance: { sourceId: 's' } }),
  'what is remembered': (text) => ({ id: 'm', section: 'memory', kind: 'memory', text, provenance: { sourceId: 's' } }),
  'what was said': (text) => ({ id: 't', section: 'history', kind: 'text', role: 'assistant', text }),
  'a result': (text) => ({ id: 'r', section: 'history', kind: 'tool-result', role: 'tool', toolName: 'notes', text }),
}

describe.each([
  ['bullets', bullets],
  ['pairs', pairs],
])('A-009: %s before the transcript that they sum up', (_, lines) => {
  it.each(Object.entries(items))('%s', (name, of) => {
    const given = name === 'a result' ? [context, { ...context, conversation }] : [context]
    for (const known of given) {
      const trimmed = ladderFor(of(mixed(lines)), known).filter(({ rung }) => rung === 'trimmed')
      expect(trimmed.length).toBeGreaterThan(0)
      const least = trimmed.at(-1)?.text ?? ''
      for (const line of lines) expect(least).toContain(line)
      expect(transcript.filter((line) => least.includes(line)).length).toBeLessThan(transcript.length * 0.6)
    }
  })

  it('by words and sentences', () => {
    const prose = { keepRatio: 0.3, minFidelity: 0, unhandled: false }
    const item = items['what is found']?.(mixed(lines))
    const shown = item && ladderFor(item, { ...context, prose }).findLast(({ rung }) => rung === 'summary')
    for (const line of lines) expect(shown?.text).toContain(line.replace('- ', ''))
  })
})

it('A-009: who speaks and what he says is no pair, and what some say by turns are no settings', () => {
  expect(transcript.some(isStructuredLine)).toBe(false)
  expect(bullets.every(isStructuredLine)).toBe(true)
  expect(pairs.every(isStructuredLine)).toBe(true)
  expect(contentKind(transcript.join('\n'))).toBe('prose')
  expect(contentKind('name: web\nimage: nginx latest\nports: 80 443\nenv: some words here')).toBe('config')
})
