import { describe, expect, it } from 'vitest'
import { cutNotices } from './cut-notices.ts'
import { trimLines } from './trim-lines.ts'
import { textLines } from './text-lines.ts'

const notices = [
  '7591 characters elided',
  '[80 more lines in file. Use offset=381 to continue]',
  '... (25 more lines not shown. Use offset=90 to continue reading)',
  '[Showing lines 1-1603 of 2406 (48.0KB limit). Use offset=1604 to continue]',
  'Showing 20 of 134 results',
  '[Reading 11 lines from start (total: 12 lines, 1 remaining)]',
  '<error>Content truncated. Call the fetch tool with a start_index of 5000 to get more content.</error>',
  '[Output truncated]',
  '… and 34 more',
  '+ 12 more files',
  '  "has_more": true,',
  '  "next_page_token": "abc",',
  '（以下内容已省略）',
]

const others = [
  '  truncated: boolean;',
  'const truncatedMsg = normalizedMessage.substring(0, maxMsgWidth)',
  '    def value_omitted_from_data(self, data, files, name):',
  '# Entire file_root was truncated in attempt to find an available filename.',
  'text += `\\n... (${remaining} more lines)`;',
  '[Output truncated. Full output: ${msg.fullOutputPath}]`;'.replace('[', 'x = `['),
  '  "has_more": false,',
  '  "next_page_token": null,',
  'There are 3 more things to do before the release.',
  '12 other people liked this and wrote about it',
  '/** Whether the output was truncated */',
  "Today's log file might be incomplete or truncated",
]

describe('notices that not all was returned', () => {
  it.each(notices)('%s', (line) => expect(cutNotices(['a', line, 'b'])).toEqual([1]))
  it.each(others)('not: %s', (line) => expect(cutNotices(['a', line, 'b'])).toEqual([]))

  it('stay where lines around them are shown, and only there', () => {
    const body = Array.from({ length: 40 }, (_, at) => `    line ${at} of a function that goes on`)
    const text = textLines([...body, '7591 characters elided', ...body].join('\n'))
    const keep = (kept: readonly number[]) => Uint8Array.from(text.lines, (_, at) => (kept.includes(at) ? 1 : 0))
    const { text: shown, folds } = trimLines({ text, keep: keep([0, 1, 2]), handle: 'h4ndle' })
    expect(shown).toContain('\n7591 characters elided\n[42-81 folded: h4ndle]')
    expect(folds).toMatchObject([
      { first: 4, last: 40 },
      { first: 42, last: 81 },
    ])
    expect(trimLines({ text, keep: keep([]), handle: 'h4ndle' }).text).not.toContain('elided')
  })
})
