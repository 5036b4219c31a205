import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unreadBody } from './index.ts'

const setting = { name: 'prehend', value: { mode: 'off' } }

describe('a body that no codec reads', () => {
  it.each([
    [
      '{"model":"m","prehend":{"mode":"off"},"messages":[{"role":"critic"}]}',
      '{"model":"m","messages":[{"role":"critic"}]}',
    ],
    ['{"prehend":{"mode":"off"},"model":"m"}', '{"model":"m"}'],
    ['{"model":"m", "prehend" : {"mode":"off"} }', '{"model":"m" }'],
    [`{"model":"m","prehend":{"mode":"off"},"x":${'['.repeat(9000)}`, `{"model":"m","x":${'['.repeat(9000)}`],
    ['\u00EF\u00BB\u00BF {"model":"m","prehend":{"mode":"off"}', '\u00EF\u00BB\u00BF {"model":"m"'],
    ['{"model":"m","prehend":{"mode":"off"},,,"x"', '{"model":"m",,,"x"'],
  ])('gives what is ours, and the rest as it came: %s', (body, rest) => {
    expect(unreadBody(body)).toEqual({ model: 'm', extension: setting, rest })
  })

  it.each([
    '',
    '[{"prehend":{"mode":"off"}}]',
    '{"x":{"prehend":{"mode":"off"},"model":"m"}}',
    '{"x":"\\"prehend\\":{}"}',
    '{"prehend":{"mode":"off"',
    '{"prehend":{mode:off}}',
    '{"\\q":1,"prehend":{"mode":"off"}}',
    '"prehend":{"mode":"off"}',
  ])('leaves alone what is not: %s', (body) => {
    expect(unreadBody(body)).toEqual({ model: '', rest: body })
  })

  it('finds in JSON what JSON.parse finds', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('model', 'a', 'b\\"', 'ü'), fc.jsonValue()), (members) => {
        const { model } = members
        const text = JSON.stringify({ ...members, prehend: setting.value, last: '"}' }, undefined, 2)
        const found = unreadBody(text)
        expect(found).toMatchObject({ model: typeof model === 'string' ? model : '', extension: setting })
        expect(JSON.parse(found.rest)).toEqual(JSON.parse(JSON.stringify({ ...members, last: '"}' })))
      }),
    )
  })
})
