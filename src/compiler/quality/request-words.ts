import type { CompileInput, Item } from '../../core/index.ts'
import { literalPattern } from '../../core/index.ts'
import { termsOf } from '../../knowledge/index.ts'
import { allNames } from './all-names.ts'

/** Whether a text has to do with what is asked for, by the words that they share. */
export type SharesWords = (text: string) => boolean

/**
 * What a request is about: its frame's goal, step and words, or the first and the newest words of the user. A text shares them if it says
 * a name of it, or two of its longer words.
 */
export function requestWords(input: CompileInput): string {
  const { frame, items } = input
  if (frame !== undefined) return [frame.goal, frame.step, ...(frame.acceptance ?? []), frame.request].join('\n')
  const isUsers = ({ role, kind }: Item): boolean => role === 'user' && kind === 'text'
  const first = items.find(isUsers)
  const newest = items.findLast(isUsers)
  return [first, newest === first ? undefined : newest]
    .map((item) => item?.text.slice(0, longestRequest) ?? '')
    .join('\n')
}

const longestRequest = 4000
const mostWords = 40
const shortestWord = 5

/** Linear in the text: it is gone through once, up to the second word. */
export function sharesWords(request: string): SharesWords {
  const names = allNames(request).filter((name) => name.length >= shortestWord)
  const words = [...new Set(termsOf(request))].filter((word) => word.length >= shortestWord)
  const longest = words.toSorted((a, b) => b.length - a.length)
  const all = [...names.slice(0, mostWords), ...longest.slice(0, mostWords)]
  if (all.length === 0) return () => false
  const isName = new Set(names.map((name) => name.toLowerCase()))
  const form = new RegExp(all.map(literalPattern).join('|'), 'gi')
  return (text) => {
    let found = ''
    for (const [word] of text.matchAll(form)) {
      const said = word.toLowerCase()
      if (isName.has(said) || (found !== '' && found !== said)) return true
      found = said
    }
    return false
  }
}
