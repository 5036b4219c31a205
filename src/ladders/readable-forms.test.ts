import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Item } from '../core/index.ts'
import { ladderFor } from './ladder-for.ts'
import type { LadderOptions } from './ladder-options.ts'
import { foldMarker } from './marker.ts'

const sample = (name: string): string =>
  readFileSync(new URL(`../fixtures/kinds/${name}.txt`, import.meta.url), 'utf8').trimEnd()
const handle = '123456789012'
const options: LadderOptions = { count: (text) => Math.ceil(text.length / 4), handle, step: 5 }
const result = (text: string): Item => ({
  id: 'r',
  section: 'history',
  kind: 'tool-result',
  role: 'tool',
  toolName: 'read',
  text,
})
const said = (role: 'user' | 'assistant', text: string): Item => ({
  id: 'm',
  section: 'history',
  kind: 'text',
  role,
  text,
})
const lineOf = (text: string): string | undefined =>
  ladderFor(result(text), options).find(({ rung }) => rung === 'line')?.text

describe('a mail of which one line is left', () => {
  it('says what it is about, in any language, since its call may name a number', () => {
    expect(lineOf(sample('mail-thread'))?.split('\n')).toEqual([
      expect.stringMatching(/^\[Tool: read - ok, \d+ tokens, step 5\] rehydrate\("123456789012"\)$/),
      'Subject: Re: Re: Order 4711: the cup is broken',
    ])
    const head = 'Von: Lena <lena@brandt.example>\nAn: Jun <jun@shop.example>\nBetreff: Tasse zerbrochen'
    expect(lineOf(`${head}\n\n${'Die Tasse kam in drei Teilen an. '.repeat(20)}`)).toContain(
      '\nBetreff: Tasse zerbrochen',
    )
  })

  it('is told from other text that has a subject', () => {
    const notes = 'Subject: cups\n\nThey break. See below.\n'
    expect(lineOf(notes + 'One more line about cups and saucers.\n'.repeat(30))).not.toContain('Subject')
  })
})

describe('an extract of what was said', () => {
  const items = Array.from(
    { length: 9 },
    (_, at) => `${at + 1}. **Cup ${at}**\n   - New price: ${at * 11} euros, in blue`,
  )
  const opening = 'The order has been changed for all items that were there. Here they are, with what they cost now:'
  const text = [opening, '', ...items, '', 'Anything else?'].join('\n')

  it('keeps the line that says what it is about before what closes it', () => {
    const extracts = ladderFor(said('assistant', text), options).filter(({ rung }) => rung === 'trimmed')
    expect(extracts.length).toBeGreaterThan(0)
    for (const { text: shown } of extracts) expect(shown).toContain(opening)
  })

  it('may do without a beginning that is a page', () => {
    const page = `${opening} ${'The parcel went by rail and not by road. '.repeat(30)}`
    const long = [page, '', ...items, '', 'Anything else?'].join('\n')
    const shown = ladderFor(said('assistant', long), options).find(({ rung }) => rung === 'line')?.text ?? ''
    expect(shown.length).toBeLessThan(400)
    expect(shown).toContain(opening)
  })
})

describe('a result of which a share is asked for', () => {
  it('is no marker with a last line below it: one line says as much', () => {
    const text = `<output>\n${sample('yaml-kubernetes')}\n</output>`
    const shares = Array.from({ length: 25 }, (_, at) => 0.5 - at * 0.02)
    const conversation: LadderOptions['conversation'] = { visible: new Set(), age: 30, lowestRung: 'line', shares }
    const forms = ladderFor(result(text), { ...options, conversation }).filter(({ rung }) => rung === 'trimmed')
    expect(forms.length).toBeGreaterThan(0)
    const marker = foldMarker({ first: 10, last: 30, handle })
    for (const { text: shown } of forms) expect(shown.length).toBeGreaterThanOrEqual(2 * marker.length)
  })
})
