import { expect, it } from 'vitest'
import { encodingTokenizer } from './encoding.ts'
import { claude } from './vocabularies/claude.ts'
import { o200kBase } from './vocabularies/o200k-base.ts'
import { vocabularyTokenizer } from './vocabulary-tokenizer.ts'

const text = 'Der Bau brach am Montag: 日本語, naïve ﬁn 🦊.'

it.each([claude, o200kBase])('a vocabulary that is handed in counts as the one of the package: $id', (vocabulary) => {
  const { id, count } = vocabularyTokenizer(vocabulary)
  expect([id, count(text)]).toEqual([vocabulary.id, encodingTokenizer(vocabulary.id).count(text)])
})
