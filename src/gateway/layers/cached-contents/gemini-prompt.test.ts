import { describe, expect, it } from 'vitest'
import { geminiPrompt } from './gemini-prompt.ts'

const contents = [
  '{"role":"user","parts":[{"text":"a"}]}',
  '{"role":"model", "parts":[{"text":"b"}]}',
  '{"parts":[{"n":1.0}]}',
]
const body = (more = '', said = contents): string =>
  `{"systemInstruction":{"parts":[{"text":"s"}]},"tools":[{"x":12345678901234567890}],${more}"contents":[${said.join(', ')}],"generationConfig":{"seed":1.50}}`

describe('a prompt in pieces', () => {
  const prompt = geminiPrompt(body())!

  it('is kept and gone on from in the bytes that it was written in', () => {
    expect(prompt.keeping(2, 'gemini-x', 300_000)).toBe(
      `{"model":"models/gemini-x","ttl":"300s","systemInstruction":{"parts":[{"text":"s"}]},"tools":[{"x":12345678901234567890}],"contents":[${contents.slice(0, 2).join(', ')}]}`,
    )
    expect(prompt.goingOn(2, 'cachedContents/1')).toBe(
      `{"cachedContent":"cachedContents/1","generationConfig":{"seed":1.50},"contents":[${contents[2]}]}`,
    )
  })

  it('is the same where it begins the same', () => {
    const longer = geminiPrompt(body('', [...contents, contents[0]!]))!
    expect(longer.contentsOf(3)).toBe(prompt.contentsOf(3))
    expect(longer.contentsOf(4)).not.toBe(prompt.contentsOf(3))
    expect(longer.head).toBe(prompt.head)
    expect(geminiPrompt(body('"tool_config":{},'))!.head).not.toBe(prompt.head)
    expect(geminiPrompt(body('"safetySettings":[],'))!.head).toBe(prompt.head)
  })

  it('says where a client keeps something of its own, and is none where it is no list', () => {
    expect(geminiPrompt(body('"cached_content":"cachedContents/1",'))!.isKept).toBe(true)
    expect(geminiPrompt(body('"cachedContent":null,'))!.isKept).toBe(false)
    expect(geminiPrompt('{"contents":{"parts":[]}}')).toBeUndefined()
    expect(geminiPrompt('{}')).toBeUndefined()
  })
})
