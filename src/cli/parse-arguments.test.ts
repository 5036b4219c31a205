import { describe, expect, it } from 'vitest'
import { command } from './command.ts'
import { parseArguments } from './parse-arguments.ts'

const sample = command({
  name: 'sample',
  about: 'a command for tests',
  positional: { name: 'FILE', about: 'a file', least: 1, most: 2 },
  options: {
    'port': {
      type: 'number',
      about: 'a port',
      placeholder: 'PORT',
      min: 0,
      max: 65_535,
      variables: ['PREHEND_PORT', 'OLD_PORT'],
    },
    'mode': {
      type: 'text',
      about: 'a mode',
      choices: ['on', 'observe', 'off'],
      variables: ['PREHEND_MODE'],
    },
    'strategy': { type: 'list', about: 'strategies', placeholder: 'NAME' },
    'no-serve': { type: 'flag', about: 'do not serve', variables: ['PREHEND_NO_SERVE'] },
    'rate': { type: 'number', about: 'a rate' },
  },
  run: () => Promise.resolve(),
})

const parse = (argv: readonly string[], environment = {}) => parseArguments(sample, argv, environment)

describe('parseArguments', () => {
  it('takes options anywhere, with a space or an equals sign', () => {
    expect(parse(['--port', '80', 'a', '--mode=observe', 'b', '--no-serve'])).toEqual({
      options: { 'port': 80, 'mode': 'observe', 'no-serve': true },
      positionals: ['a', 'b'],
    })
  })

  it('collects lists, by repetition and by commas', () => {
    expect(parse(['a', '--strategy', 'x, y', '--strategy=z']).options).toEqual({
      strategy: ['x', 'y', 'z'],
    })
  })

  it('takes everything after -- as arguments', () => {
    expect(parse(['--', '--port', 'b']).positionals).toEqual(['--port', 'b'])
  })

  it('takes a lone dash as an argument', () => {
    expect(parse(['-']).positionals).toEqual(['-'])
  })

  it('takes negative numbers', () => {
    expect(parse(['a', '--rate=-1.5']).options).toEqual({ rate: -1.5 })
    expect(parse(['a', '--rate', '-1.5']).options).toEqual({ rate: -1.5 })
  })

  it('X-30: the command line wins over the environment, and a name over its aliases', () => {
    expect(parse(['a'], { OLD_PORT: '1', PREHEND_PORT: '2' }).options).toEqual({ port: 2 })
    expect(parse(['a'], { OLD_PORT: '1', PREHEND_PORT: '' }).options).toEqual({ port: 1 })
    expect(parse(['a', '--port', '3'], { PREHEND_PORT: '2' }).options).toEqual({ port: 3 })
  })

  it.each([
    ['true', true],
    ['1', true],
    ['ON', true],
    ['no', false],
    ['0', false],
  ])('reads the switch %s from the environment', (text, value) => {
    expect(parse(['a'], { PREHEND_NO_SERVE: text }).options).toEqual({ 'no-serve': value })
  })

  it.each([
    ['--prot: there is no such option. Did you mean --port?', ['a', '--prot', '1']],
    ['--xyzzy: there is no such option. See --help', ['a', '--xyzzy']],
    ['-q: there is no such option', ['a', '-q']],
    ['--constructor: there is no such option', ['a', '--constructor']],
    ['--port: needs a value. Give PORT after it', ['a', '--port']],
    ['--mode: needs a value', ['a', '--mode', '--no-serve']],
    ['--port: "eighty" will not do. Give a number from 0 to 65535', ['a', '--port', 'eighty']],
    ['--port: "70000" will not do', ['a', '--port', '70000']],
    ['--port: "" will not do', ['a', '--port', '']],
    ['--port: "NaN" will not do', ['a', '--port', 'NaN']],
    ['--port: "Infinity" will not do', ['a', '--port', 'Infinity']],
    ['--mode: "obsreve" is not known. Did you mean observe? Use one of on, observe, off', ['a', '--mode', 'obsreve']],
    ['--no-serve: takes no value', ['a', '--no-serve=yes']],
    ['FILE: is missing. Give a file; see prehend sample --help', []],
    ['"c": is one argument too many', ['a', 'b', 'c']],
  ])('refuses bad input: %s', (message, argv) => {
    expect(() => parse(argv)).toThrow(
      expect.objectContaining({ code: 'invalid-input', message: expect.stringContaining(message) }),
    )
  })

  it('names --url where a store is given to a command that asks a gateway', () => {
    const options = { url: { type: 'text', about: 'address of the gateway' } } as const
    const asking = command({ name: 'asking', about: 'asks a gateway', options, async run() {} })
    expect(() => parseArguments(asking, ['--data', 'x'])).toThrow(
      '--data: there is no such option. This command asks a running gateway: use --url',
    )
  })

  it('names the variable that is wrong', () => {
    expect(() => parse(['a'], { PREHEND_PORT: 'x' })).toThrow(/^PREHEND_PORT: "x" will not do/)
    expect(() => parse(['a'], { PREHEND_NO_SERVE: 'maybe' })).toThrow(/^PREHEND_NO_SERVE: /)
    expect(() => parse(['a'], { PREHEND_MODE: 'fast' })).toThrow(/^PREHEND_MODE: /)
  })

  it('asks for no arguments when help is wanted', () => {
    expect(parse(['--help']).options).toEqual({ help: true })
    expect(parse(['-h']).options).toEqual({ help: true })
  })
})
