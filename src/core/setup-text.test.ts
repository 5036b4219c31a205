import { describe, expect, it } from 'vitest'
import { isSetupAnswer, isSetupText, typedText } from './setup-text.ts'

describe('what an agent writes before the user', () => {
  it.each([
    ['<system-reminder>a</system-reminder>\n<env cwd="/x">b</env>\n\nMend it.', 'Mend it.'],
    ['<system-reminder>never closed. Mend it.', '<system-reminder>never closed. Mend it.'],
    ['Mend <b>it</b>.', 'Mend <b>it</b>.'],
    ['<environment_context>\n<cwd>/x</cwd>\n</environment_context>', ''],
  ])('%j holds the typed words %j', (text, typed) => {
    expect(typedText(text)).toBe(typed)
  })

  it('is told by its tags or its first line', () => {
    expect(isSetupText('<environment_context>x</environment_context>')).toBe(true)
    expect(isSetupText('This is the Qwen Code. We are setting up the context for our chat.\nToday …')).toBe(true)
    expect(isSetupText('This is the third test that fails.')).toBe(false)
    expect(isSetupAnswer('Got it. Thanks for the context!')).toBe(true)
    expect(isSetupAnswer('Got it. I look at the tests.')).toBe(false)
  })
})
