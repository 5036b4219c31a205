import { compileExtras, compilesAgain, dialectsOf } from '../../sessions/index.ts'
import type { ConnectedStore, Store } from '../../stores/index.ts'
import { openGatewayExtensions } from '../extensions/gateway-extensions.ts'
import { extensionTablesIn } from '../extensions/load-extensions.ts'
import type { NamedExtension } from '../extensions/load-extensions.ts'
import { readingAnswers } from './reading-answers.ts'
import type { ReadingQuestion } from './reading.ts'

type Answers = ReturnType<typeof readingAnswers>

/** Answers questions on a thread of their own, which opens the extensions that a question names. */
export function extendedAnswers(store: Store, withTables: ConnectedStore['withTables']): Answers {
  const usual = readingAnswers(store)
  const extended = new Map<string, Promise<Answers>>()
  return async (question: ReadingQuestion) => {
    const { extensions = [] } = question
    if (extensions.length === 0) return usual(question)
    const key = JSON.stringify(extensions)
    const answers = extended.get(key) ?? answersWith(withTables, extensions)
    extended.set(key, answers)
    return (await answers)(question)
  }
}

async function answersWith(
  withTables: ConnectedStore['withTables'],
  named: readonly NamedExtension[],
): Promise<Answers> {
  const store = withTables((await extensionTablesIn(named)).tables)
  const { all } = await openGatewayExtensions({ named, place: 'gateway', store, clock: Date.now })
  return readingAnswers(store, {
    compile: compilesAgain(compileExtras(all.map(({ added }) => added))),
    dialects: dialectsOf({ all }),
  })
}
