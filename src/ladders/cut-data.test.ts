import { describe, expect, it } from 'vitest'
import { isWithoutData, lacksDataOnly, withoutData } from './cut-data.ts'

const handle = '482915037114'
/** Letters and digits as base64 has them, without a library. */
const data = (length: number): string => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  return Array.from({ length }, (_, at) => letters[(at * 37 + (at % 7) * 11) % 64]).join('')
}

describe('data in a result', () => {
  it('is cut in strings of JSON and in data URIs, and says how much it was', () => {
    const json = JSON.stringify({ 'name': 'plot', 'image/png': data(900), 'rows': 3 })
    expect(withoutData(json, handle)).toBe(
      `{"name":"plot","image/png":"[900 characters of data left out: ${handle}]","rows":3}`,
    )
    const page = `<img src='data:image/png;base64,${data(400)}' alt='logo'>`
    expect(withoutData(page, handle)).toBe(
      `<img src='data:image/png;base64,[400 characters of data left out: ${handle}]' alt='logo'>`,
    )
    expect(isWithoutData(withoutData(json, handle), json)).toBe(true)
    expect(isWithoutData(withoutData(json, handle).replace('plot', 'plan'), json)).toBe(false)
  })

  it.each([
    ['short', JSON.stringify({ png: data(150) })],
    ['a cursor', JSON.stringify({ nextPageToken: data(600) })],
    ['a certificate', JSON.stringify({ crt: `LS0tLS1CRUdJTi${data(900)}` })],
    ['a key of SSH', JSON.stringify({ line: `AAAAB3NzaC1yc2E${data(400)}` })],
    ['a word of letters', JSON.stringify({ gap: 'a'.repeat(500) })],
    ['a result that is nothing else', data(900)],
  ])('stays where it may be handed on: %s', (_, text) => {
    expect(withoutData(text, handle)).toBe(text)
  })

  it('is all that is lost where nothing is folded', () => {
    const cut = withoutData(JSON.stringify({ png: data(900) }), handle)
    expect(lacksDataOnly(cut)).toBe(true)
    expect(lacksDataOnly(`${cut}\n[5-9 folded: ${handle}]`)).toBe(false)
  })
})
