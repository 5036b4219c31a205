import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markerForms, readMarker, writeMarker } from '../../ladders/index.ts'
import { markerReader } from './marker-reader.ts'
import type { ArgumentsForm } from './argument-text.ts'
import type { Behind, MarkerLine, MarkerStep } from './marker-reader.ts'

const handle = '123456789012'
const values = {
  first: 57,
  last: 90,
  lines: 20,
  step: 4,
  back: 2,
  tokens: 100,
  exit: -1,
  handle,
  name: 'read',
  from: 'const a = [b["c"]] // \\n “x”',
}
const markers = markerForms.map((form) => writeMarker(form, values))
const reference = writeMarker('repeats', values)

interface Read {
  readonly text: string
  readonly markers: readonly MarkerLine[]
}

/** Feeds fragments; markers come out as `mark` writes them. */
function read(form: ArgumentsForm, fragments: readonly string[], mark = ({ raw }: MarkerLine) => raw): Read {
  const reader = markerReader(form)
  let state = reader.initial
  let text = ''
  const found: MarkerLine[] = []
  const take = (first: MarkerStep, next: (now: typeof state) => MarkerStep): void => {
    let step = first
    for (; step.marker; step = next(step.state)) {
      found.push(step.marker)
      text += step.passed + step.marker.before + mark(step.marker)
    }
    text += step.passed
    state = step.state
  }
  for (const fragment of fragments) take(reader.step(state, fragment), (now) => reader.step(now, ''))
  take(reader.end(state), reader.end)
  return { text, markers: found }
}

function cut(text: string, places: readonly number[]): string[] {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].toSorted((a, b) => a - b)
  return [0, ...ends].map((start, index) => text.slice(start, ends[index]))
}

const pieces = fc.oneof(
  fc.constantFrom(...markers),
  fc.constantFrom(...markers.map((marker) => marker.slice(0, -1))),
  fc.constantFrom(...markers.map((marker) => `${JSON.stringify(marker).slice(1, -1)}\\n`)),
  fc.constantFrom('\n', '\n', '\n\t', '\n  ', '\n+', '[', ']', '"', '\\', '\\n', '[[', '[57', '\r\n', ' ', '😀'),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''))
const places = fc.array(fc.nat(2000), { maxLength: 12 })

describe.each(['json', 'plain'] as const)('markerReader of %s arguments', (form) => {
  const written = (text: string): string => (form === 'json' ? JSON.stringify({ a: 1, text, list: [text] }) : text)

  it('without changes gives back what it was fed, wherever that was cut', () => {
    fc.assert(
      fc.property(texts, places, (text, at) => {
        const all = written(text)
        const pieced = read(form, cut(all, at))
        expect(pieced.text).toBe(all)
        expect(pieced.markers).toEqual(read(form, [all]).markers)
        expect(
          read(
            form,
            Array.from({ length: all.length }, (_, index) => all[index] ?? ''),
          ),
        ).toEqual(pieced)
      }),
    )
  })

  it('finds a marker after any end of a line', () => {
    for (const [at, end] of ['\n', '\r\n', '\r', '\n\r'].entries()) {
      const marker = markers[at % markers.length] ?? ''
      const { markers: found } = read(form, [written(`before${end}${marker}${end}after`)])
      expect(new Set(found.map(({ text }) => text))).toEqual(new Set([marker]))
    }
  })

  it('finds exactly the lines that are markers', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const expected = text
          .split(/[\n\r]/)
          .map((line) => line.replace(/^(?:[ \t]*|[+-])(?=\[)/, '').replace(/[ \t]+$/, ''))
          .filter((line) => readMarker(line) !== undefined)
        const found = read(form, [written(text)]).markers.flatMap((marker) => (marker.isInside ? [] : [marker.text]))
        expect(found).toEqual(form === 'json' ? [...expected, ...expected] : expected)
      }),
    )
  })

  it('holds back what may become a marker, and no more', () => {
    const reader = markerReader(form)
    fc.assert(
      fc.property(texts, places, (text, at) => {
        let state = reader.initial
        for (const fragment of cut(written(text), at)) {
          let step = reader.step(state, fragment)
          while (step.marker) step = reader.step(step.state, '')
          state = step.state
          if (state.held !== '') expect(state.held[0]).toMatch(form === 'json' ? /[[\\]/ : /[[\n\r]/)
          expect(state.held.length).toBeLessThan(1600)
        }
      }),
    )
    const open = form === 'json' ? '{"text":"' : ''
    expect(reader.step(reader.initial, `${open}list = [57, 90]; a[x`).state.held).toBe('')
    expect(reader.step(reader.initial, `${open}list = [57, 90]; a[5`).state.held).toBe('[5')
    const line = form === 'json' ? '\\n\\t' : '\n\t'
    expect(reader.step(reader.initial, `${open}a${line}`).state.held).toBe(line)
    expect(reader.step(reader.initial, `${open}a${line}b`).state.held).toBe('')
    expect(reader.step(reader.initial, `${open}a${line}[57`).state.held).toBe(`${line}[57`)
    expect(reader.step(reader.initial, `${open}[57, 90`).state.held).toBe('')
    expect(reader.step(reader.initial, `${open}[57`).state.held).toBe('[57')
    expect(reader.step(reader.initial, `${open}[lines 57-90 fold`).state.held).toBe('[lines 57-90 fold')
    expect(reader.step(reader.initial, `${open}[lines 57-90 of`).state.held).toBe('')
  })
})

describe('markers in JSON', () => {
  it('stay valid JSON when others are written in their place', () => {
    fc.assert(
      fc.property(texts, fc.string({ unit: 'binary' }), places, (text, lines, at) => {
        const json = JSON.stringify({ text })
        const { text: out } = read('json', cut(json, at), () => JSON.stringify(lines).slice(1, -1))
        expect(() => JSON.parse(out)).not.toThrow()
      }),
    )
  })

  it('are told by lines of the strings, not of strings in strings', () => {
    const inner = JSON.stringify({ text: `a\n${markers[0]}\n${markers[1]}\nb` })
    expect(read('json', [JSON.stringify({ inner })]).markers).toEqual([])
  })

  it('come with what stands before them', () => {
    const text = `top\r\ndef "f":\n\t  ${markers[1]}\n+${markers[4]}  \nend`
    expect(read('json', [JSON.stringify({ text })]).markers).toMatchObject([
      { text: markers[1], lead: '\t  ', before: String.raw`\n\t  `, linesBefore: ['def "f":', 'top'] },
      { text: markers[4], lead: '+', before: String.raw`\n+`, linesBefore: [`\t  ${markers[1]}`, 'def "f":', 'top'] },
    ])
    expect(read('json', [JSON.stringify({ text: markers[1] })]).markers[0]).toMatchObject({
      before: '',
      linesBefore: [],
    })
  })

  it('stand inside a line only where they fold', () => {
    const text = `print("a${markers[0]}\n[b] ${reference}\n+x ${markers[2]}`
    expect(read('json', [JSON.stringify({ text })]).markers).toMatchObject([
      { text: markers[0], lead: '', isInside: true },
      { text: markers[2], lead: '+', isInside: true },
    ])
  })
})

describe('what stands behind a marker', () => {
  const after = (form: ArgumentsForm, text: string, behind: readonly Behind[], size: number): string => {
    const reader = markerReader(form)
    let state = { ...reader.initial, behind }
    let out = ''
    for (let at = 0; at < text.length; at += size) {
      const step = reader.step(state, text.slice(at, at + size))
      out += step.passed
      state = step.state
    }
    return out + reader.end(state).passed
  }
  const lines = [{ text: '\nError: "a"' }, { text: '\nError: b' }]
  const cases: readonly (readonly [string, string, readonly Behind[]])[] = [
    ['\nError: "a"\nError: b', '', lines],
    ['\nError: "a"\nError: b\nend', '\nend', lines],
    ['\nError: b\nend', '\nend', lines],
    ['\nError: "a"\nError: bc', '\nError: bc', lines],
    ['\nError: "a', '\nError: "a', lines],
    ['', '', lines],
    ['\npiece goes on', 'piece goes on', [{ text: '\npiece', keeps: 5 }]],
    ['\nother', '\nother', [{ text: '\npiece', keeps: 5 }]],
    ['\nfirst line', 'first line', [{ text: '\n', keeps: 0 }]],
  ]

  it.each(cases)('goes with it, wherever it is cut: %j', (text, expected, behind) => {
    for (let size = 1; size <= 24; size += 1) {
      expect(after('plain', text, behind, size)).toBe(expected)
      expect(JSON.parse(`"${after('json', JSON.stringify(text).slice(1, -1), behind, size)}"`)).toBe(expected)
    }
  })
})
