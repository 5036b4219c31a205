import { expect, it } from 'vitest'
import { otherCommand } from './other-command.ts'

it('a command of an extension stands behind what names extensions, on the command line or in the environment', () => {
  const environment = { PREHEND_EXTENSION: './a.ts,b', BARDO_INFERENCE_CONFIG: 'env.json' }
  expect(otherCommand(['notes', '--all'], environment)).toEqual({
    name: 'notes',
    rest: ['--all'],
    options: { config: 'env.json', extension: ['./a.ts', 'b'] },
  })
  const line = ['--config', 'c.json', '--extension', 'x,y', '--extension', 'z', 'notes', '--config', 'its-own']
  expect(otherCommand(line, environment)).toEqual({
    name: 'notes',
    rest: ['--config', 'its-own'],
    options: { config: 'c.json', extension: ['x', 'y', 'z'] },
  })
  expect(otherCommand(['notes'], {})).toBeUndefined()
  expect(otherCommand(['--config', 'c.json'], {})).toBeUndefined()
})
