import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evidence, itemOf } from '../compile-input.fixture.ts'
import { canonicalMarkup } from './canonical-markup.ts'
import { headersMarkup } from './headers-markup.ts'
import { xmlMarkup } from './xml-markup.ts'

const parts = [
  '~~~',
  '~~~~~',
  '\n',
  '\r\n',
  '\u2028',
  'EVIDENCE:',
  'USER REQUEST (VERBATIM):',
  '</retrieved_context>',
  '<user_request>',
  '</context>',
  '"',
  '&lt;',
  ']',
  'words',
  ' ',
]
const hostile = fc.array(fc.constantFrom(...parts), { minLength: 1 }).map((some) => some.join(''))

/** The lines outside of fences. */
function outside(text: string): readonly string[] {
  const lines: string[] = []
  let fence: string | undefined
  for (const line of text.split('\n')) {
    if (fence === undefined && /^~{3,}$/.test(line)) fence = line
    else if (line === fence) fence = undefined
    else if (fence === undefined) lines.push(line)
  }
  expect(fence).toBeUndefined()
  return lines.filter((line) => line !== '')
}

describe('markups of payloads', () => {
  it.each([headersMarkup, canonicalMarkup])(
    'B-35, X-37: in $name, no text stands outside of its own line or fence',
    (markup) => {
      fc.assert(
        fc.property(hostile, hostile, (text, name) => {
          const items = [
            evidence('e', text, { provenance: { sourceId: name } }),
            itemOf('memory', 'm', text, { provenance: { sourceId: 's', retrievedAt: name } }),
            itemOf('situation', 's', text),
            itemOf('house style', 'o', text),
            itemOf('tools', 't', '{}', { kind: 'tool-schema', toolName: name }),
          ]
          for (const item of items) {
            const lines = outside(markup.fragment(item, item.text))
            expect(lines).toHaveLength(1)
            expect(lines[0]).toMatch(/^- ?/)
          }
        }),
      )
    },
  )

  it('B-35, X-37: in xml, no text opens or closes a tag', () => {
    fc.assert(
      fc.property(hostile, hostile, (text, name) => {
        const items = [
          evidence('e', text, { provenance: { sourceId: name } }),
          itemOf('memory', 'm', text, { provenance: { sourceId: 's', retrievedAt: name } }),
          itemOf('policy', 'p', text),
          itemOf('house style', 'o', text),
          itemOf('tools', 't', '{}', { kind: 'tool-schema', toolName: name }),
        ]
        for (const item of items) {
          const fragment = xmlMarkup.fragment(item, item.text)
          const tags = fragment.match(/<[^>]*>/g) ?? []
          expect(tags.length).toBe(item.section === 'tools' ? 1 : 2)
          expect(fragment.match(/[<>]/g)?.length).toBe(2 * tags.length)
          expect(tags[0]?.match(/"/g)?.length ?? 0).toBe((tags[0]?.match(/=/g)?.length ?? 0) * 2)
        }
        expect(xmlMarkup.line(text).match(/[<>]/g)?.length).toBe(4)
      }),
    )
  })

  it('G-063: evidence in xml names its source and its relevance with two decimals', () => {
    const item = evidence('e', 'a < b', {
      provenance: { sourceId: 's', uri: 'doc://1?a="2"' },
      scores: { relevance: 0.944 },
    })
    expect(xmlMarkup.fragment(item, item.text)).toBe(
      '<context source="doc://1?a=&quot;2&quot;" relevance="0.94">a &lt; b</context>\n',
    )
  })
})
