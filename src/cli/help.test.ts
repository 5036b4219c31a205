import { describe, expect, it } from 'vitest'
import { commands } from './commands.ts'
import { commandHelp, helpDocument, helpText, markdownHelp } from './help.ts'

const older = /BARDO|CRUVERO/

describe('help at 80 columns', () => {
  it.each(commands.map((one) => [one.name, one] as const))(
    'of %s: every option, and no alias of a variable',
    (_, one) => {
      const text = commandHelp(one, 80)
      expect(text).not.toMatch(older)
      expect(text).not.toMatch(/unless\s+(?:told|given)/)
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
      for (const [name, { variables = [] }] of Object.entries(one.options)) {
        expect(text).toMatch(new RegExp(`^  --${name}(?: |$)`, 'm'))
        const usual = `PREHEND_${name.toUpperCase().replaceAll('-', '_')}`
        for (const variable of variables.filter((each) => !older.test(each) && each !== usual)) {
          expect(text.replaceAll(/\s+/g, ' ')).toContain(`--${name} from ${variable}`)
        }
      }
    },
  )

  it('serve fits on about one screen', () => {
    const serve = commands.find(({ name }) => name === 'serve')
    expect(serve && commandHelp(serve, 80).split('\n').length).toBeLessThanOrEqual(62)
  })

  it('older names stand in one section of docs/cli.md, and in no help text', () => {
    const [before = '', section = '', ...more] = markdownHelp(commands).split('## Older names')
    expect(more).toEqual([])
    for (const text of [before, helpText(commands, 80), JSON.stringify(commands.map(helpDocument))])
      expect(text).not.toMatch(older)
    expect(section).toContain('`BARDO_INFERENCE_` or `CRUVERO_`')
    expect(section).toContain('| setting `compression_threshold` | `pressure_compress` |')
  })
})
