import type { ReplySaid, ReplyWords } from '../../../core/index.ts'
import { jsonReadings } from '../../../core/index.ts'
import { normaliseUntrusted } from '../../../defense/index.ts'
import type { ReplyFilter, ReplyText } from '../../outlet/reply-filter.ts'

/** A filter that changes nothing and remembers what passes, which is what the client is to read. */
export interface WordsHeard {
  readonly filter: ReplyFilter
  words(): ReplyWords
  said(): ReplySaid
}

interface Choice {
  readonly texts: string[]
  readonly besides: Map<string, Pick<ReplyText, 'kind' | 'form'> & { text: string }>
  calls: boolean
}

export function wordsHeard(failure: ReplyFilter['failure']): WordsHeard {
  const choices = new Map<string, Choice>()
  const hear = ({ kind, key, form, choice = '' }: ReplyText, text: string): string => {
    const heard: Choice = choices.get(choice) ?? { texts: [], besides: new Map(), calls: false }
    choices.set(choice, heard)
    if (kind === 'text') heard.texts.push(text)
    else {
      const before = heard.besides.get(key)?.text ?? ''
      heard.besides.set(key, { kind, form, text: before + text })
      heard.calls ||= kind === 'arguments'
    }
    return text
  }
  return {
    filter: {
      name: 'constraints',
      failure,
      kinds: ['text', 'reasoning', 'arguments'],
      open: () => ({ piece: hear, end: () => '' }),
    },
    words: () => wordsOf([...choices.values()]),
    said: () => saidIn([...choices.values()]),
  }
}

function saidIn(choices: readonly Choice[]): ReplySaid {
  const calls = choices.flatMap(({ besides }) => [...besides.values()].filter(({ kind }) => kind === 'arguments'))
  return { texts: choices.map(({ texts }) => texts.join('')), calls: calls.map(({ text }) => text) }
}

function wordsOf(choices: readonly Choice[]): ReplyWords {
  const said = choices.map(({ texts, calls }) => ({ text: texts.join(''), calls }))
  const besides = [
    ...said.flatMap(({ text, calls }) => (calls ? [text] : [])),
    ...choices.flatMap((choice) => [...choice.besides.values()].flatMap(readings)),
  ]
  const answers = said.flatMap(({ text, calls }) => (calls ? [] : [text]))
  return { answers, besides: [...besides, ...[...answers, ...besides].flatMap(plainer)] }
}

function readings({ form, text }: { readonly form: ReplyText['form']; readonly text: string }): readonly string[] {
  return form === 'plain' ? [text] : jsonReadings(text)
}

/** The same without what nobody sees in it, where there is any. */
function plainer(text: string): readonly string[] {
  const { text: plain } = normaliseUntrusted(text)
  return plain === text ? [] : [plain]
}
