import { describe, expect, it } from 'vitest'
import { commands } from './commands.ts'
import { commandHelp, helpText, markdownHelp } from './help.ts'

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

  it('the aliases stand in docs/cli.md once', () => {
    expect(helpText(commands, 80)).not.toMatch(older)
    expect(markdownHelp(commands).match(/`BARDO_INFERENCE_`/g)).toHaveLength(1)
  })
})
