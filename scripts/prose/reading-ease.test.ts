import { expect, it } from 'vitest'
import { readingCounts, readingFigures, syllablesOf, totalCounts } from './reading-ease.ts'

it('estimates syllables by groups of vowels, without a silent e', () => {
  expect(['cat', 'cache', 'table', 'gateway', 'the', 'created', 'x', '42'].map(syllablesOf)).toEqual([
    1, 1, 2, 3, 1, 2, 1, 1,
  ])
})

it('counts sentences of paragraphs and lists, and neither tables nor code nor headings', () => {
  const page = `# A heading of four\n\nThe cat sat. It ran \`away --now\`.\n\n- One point\n\n| a | b |\n|---|---|\n| much more | text |\n\n\`\`\`sh\nls\n\`\`\`\n`
  expect(readingCounts(page)).toEqual({ words: 8, sentences: 3, long: 0, syllables: 8 })
})

it('counts sentences above 25 words, and sums pages up', () => {
  const long = readingCounts(`${'word '.repeat(26)}end.\n\n${'word '.repeat(24)}end.`)
  expect(long).toMatchObject({ words: 52, sentences: 2, long: 1 })
  expect(totalCounts([long, long])).toEqual({ words: 104, sentences: 4, long: 2, syllables: 104 })
})

it('rates short words in short sentences as easier', () => {
  const easy = readingFigures(readingCounts('The cat sat on the mat.'))
  const hard = readingFigures(readingCounts('Considerable institutional deliberation necessitates accommodation.'))
  expect(easy).toMatchObject({ words: 6, meanSentence: 6, longShare: 0 })
  expect(easy.ease).toBeCloseTo(206.835 - 1.015 * 6 - 84.6)
  expect(hard.ease).toBeLessThan(0)
  expect(readingFigures(readingCounts('| a |\n'))).toEqual({ words: 0, meanSentence: 0, longShare: 0, ease: 0 })
})
