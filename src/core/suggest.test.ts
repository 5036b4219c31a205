import { describe, expect, it } from 'vitest'
import { suggest } from './suggest.ts'

const names = ['serve', 'compile', 'replay', 'packs', 'verify', 'simulate', 'doctor', 'start']

describe('suggest', () => {
  it.each([
    ['relpay', 'replay'],
    ['sevre', 'serve'],
    ['verfy', 'verify'],
    ['pack', 'packs'],
    ['simul', 'simulate'],
    ['doktor', 'doctor'],
  ])('%s is meant as %s', (word, meant) => {
    expect(suggest(word, names)).toBe(meant)
  })

  it.each([
    ['maxTokens', 'maxOutputTokens'],
    ['max_tokens', 'maxOutputTokens'],
    ['windwTokens', 'windowTokens'],
    ['minTokens', undefined],
  ])('of names of several words, %s is meant as %s', (word, meant) => {
    expect(suggest(word, ['windowTokens', 'ownTokens', 'maxOutputTokens', 'overheadTokens'])).toBe(meant)
  })

  it.each(['xyzzy', 'q', '', 'deploy-everything'])('%s is meant as nothing', (word) => {
    expect(suggest(word, names)).toBeUndefined()
  })
})
