import { describe, expect, it } from 'vitest'
import type { WireExchange, Item, Pack } from '../../core/index.ts'
import { rewriteText } from '../../codecs/index.ts'
import { foldableRuns, foldRuns, textLines } from '../../ladders/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { withReads } from '../../testing/index.ts'
import { withoutLineNumbers } from './line-numbers.ts'
import { markerResolver } from './resolve-marker.ts'
import type { Shown } from './resolve-marker.ts'
import { markerWriter } from './write-markers.ts'

interface Given {
  readonly item: Partial<Item> & { readonly text: string }
  readonly shown?: string
  readonly handle?: string
}

function shownOf(given: readonly Given[], handles: readonly string[] = []): Shown {
  const items = given.map(({ item }, index) => ({ id: `i${index}`, kind: 'tool-result', section: 'history', ...item }))
  const entries = given.map(({ item, shown, handle }, index) => ({
    itemId: `i${index}`,
    text: shown ?? item.text,
    handle,
  }))
  return {
    scope: { tenant: 'acme', session: 's1' },
    handles: new Set(handles),
    exchange: { conversation: { items } } as unknown as WireExchange,
    pack: { entries } as unknown as Pack,
  }
}

const store = withReads(memoryStore(), {
  originals: {
    get: async (_: unknown, handle: string) =>
      handle === 'kept' || handle === 'other' ? { handle, text: 'stored 1\nstored 2\nstored 3' } : undefined,
  },
})

describe('markerResolver', () => {
  const marker = (text: string, ...linesBefore: readonly string[]) => ({
    raw: text,
    before: '',
    text,
    lead: '',
    linesBefore,
    isInside: false,
  })

  it('finds originals of the request, then those stored for the session, and no others', async () => {
    const resolve = markerResolver(store, shownOf([{ item: { text: 'a\nb\nc' }, handle: 'here' }], ['kept']))
    expect(await resolve(marker('[2-3 folded: here]'))).toMatchObject({ text: 'b\nc' })
    expect(await resolve(marker('[lines 1-2 folded: rehydrate("kept", "1-2")]'))).toMatchObject({
      text: 'stored 1\nstored 2',
    })
    expect(await resolve(marker('[lines 1-2 folded: rehydrate("other", "1-2")]'))).toBeUndefined()
    expect(await resolve(marker('[9-12 folded: here]'))).toBeUndefined()
  })

  it('folds of a call stand for lines of its string, in a call that is written anew', async () => {
    const content = Array.from({ length: 60 }, (_, line) => `\t"line" ${line} \\t é`).join('\n')
    const text = JSON.stringify({ path: 'f', content })
    const runs = foldableRuns(text, (literal) => literal.length > 400).map(({ first, last }) => ({
      first: first + 4,
      last: last - 2,
    }))
    const folded = foldRuns(text, runs, 'call')
    const resolve = markerResolver(
      store,
      shownOf([{ item: { kind: 'tool-call', text }, shown: folded, handle: 'call' }]),
    )
    const out = await rewriteText(
      markerWriter({ resolve, count: () => undefined }).open(),
      { kind: 'arguments', key: 'k', form: 'json' },
      folded,
    )
    expect(folded.length).toBeLessThan(text.length)
    expect(JSON.parse(out)).toEqual({ path: 'f', content })
  })

  it('pieces of an overlong line go on where the line does, as far as the model has copied what stands around them', async () => {
    const long = Array.from({ length: 300 }, (_, word) => `word${word};`).join('')
    const resolve = markerResolver(store, shownOf([{ item: { text: `a\n${long}\nb` }, handle: 'long' }]))
    const { lines } = textLines(`a\n${long}\nb`)
    expect(lines.length).toBeGreaterThan(7)
    const [, first = '', ...rest] = lines
    const fourth = rest[2] ?? ''
    expect(await resolve(marker(`[3-4 folded: long]`, `x${first}`))).toEqual({
      text: rest.slice(0, 2).join(''),
      goesOn: true,
      behind: [{ text: `\n${fourth}`, keeps: fourth.length }],
    })
    expect(await resolve(marker(`[3-4 folded: long]`, 'other'))).toMatchObject({ goesOn: false })
    expect(await resolve(marker(`[2-${lines.length - 1} folded: long]`, 'a'))).toEqual({ text: long, goesOn: false })
  })

  it('a fold of a call that ends inside a line has its own line feed left out', async () => {
    const call = JSON.stringify({ content: Array.from({ length: 90 }, () => 'print("a\\n")').join('\n') })
    const resolve = markerResolver(store, shownOf([{ item: { kind: 'tool-call', text: call }, handle: 'call' }]))
    const broken = textLines(call).lines.findIndex((line, index) => index > 0 && line.endsWith('\\\\n'))
    expect(broken).toBeGreaterThan(0)
    expect(await resolve(marker(`[line ${broken + 1} folded: call]`))).toMatchObject({
      behind: [{ text: '\n', keeps: 0 }],
    })
    expect(await resolve({ ...marker(`[line ${broken + 1} folded: call]`), isInside: true })).toBeDefined()
    const inText = markerResolver(store, shownOf([{ item: { text: 'a\nb\nc' }, handle: 'text' }]))
    expect(await inText({ ...marker('[line 2 folded: text]'), isInside: true })).toBeUndefined()
  })

  it('a reference is the lines of its own text, and what says that usual ends are left out is nothing', async () => {
    const resolve = markerResolver(store, shownOf([{ item: { text: 'a\nb\nc\nd' }, handle: 'here' }]))
    const reference = '[+2 lines as in step 1: rehydrate("here", "2-3")]'
    expect(await resolve(marker(reference, 'a'))).toMatchObject({ text: 'b\nc' })
    expect(await resolve(marker('[+2 lines as in step 1: rehydrate("gone", "2-3")]', 'a'))).toBeUndefined()
    expect(await resolve(marker('[usual wrapper left out: here]'))).toEqual({
      text: '',
      behind: [{ text: '\n', keeps: 0 }],
    })
  })

  it('what names a step and no handle is nothing, too, where the request says it', async () => {
    const said = '[usual wrapper left out, see step 3]'
    const entry = { item: { text: '<output>\na\n</output>' }, handle: 'here', shown: `${said}\na` }
    expect(await markerResolver(store, shownOf([entry]))(marker(said))).toMatchObject({ text: '' })
    expect(await markerResolver(store, shownOf([{ ...entry, shown: 'a' }]))(marker(said))).toBeUndefined()
  })
})

describe('line numbers of a reading tool', () => {
  it('are left out as the model left them out of the line before', () => {
    const text = '    8→a\n    9→b\n   10→'
    expect(withoutLineNumbers(text, { shownBefore: '    7→z', writtenBefore: 'z' })).toBe('a\nb\n')
    expect(withoutLineNumbers(text, { shownBefore: undefined, writtenBefore: undefined })).toBe('a\nb\n')
    expect(withoutLineNumbers(text, { shownBefore: '    7→z', writtenBefore: '    7→z' })).toBe(text)
    expect(withoutLineNumbers('8: a\n9: b', { shownBefore: '7: z', writtenBefore: 'z' })).toBe('a\nb')
  })

  it('are kept where they are the text', () => {
    const neither = { shownBefore: undefined, writtenBefore: undefined }
    expect(withoutLineNumbers('1\ta\n2\tb', neither)).toBe('1\ta\n2\tb')
    expect(withoutLineNumbers('8→a\n12→b', neither)).toBe('8→a\n12→b')
    expect(withoutLineNumbers('8→a\nb', neither)).toBe('8→a\nb')
  })
})
