import { askedQuestions } from './asked.ts'
import { endedCounts, withoutTenant } from './ended-counts.ts'
import type { CountNews, ServedWorker } from './served-worker.ts'

/** What all processes of a crew count together. */
export interface CrewCounts {
  /** Asks each process for what it counts, so that little is lost where it is killed. */
  refresh(): Promise<void>
  hear(worker: ServedWorker, news: CountNews): Promise<void>
  ended(worker: ServedWorker): void
}

const countMs = 1000

export function crewCounts(crew: ReadonlySet<ServedWorker>): CrewCounts {
  const questions = askedQuestions<readonly object[]>(countMs)
  const last = new Map<ServedWorker, readonly object[]>()
  const gone = endedCounts()

  /** A process that does not answer in time still counts as it did. */
  const ask = async (worker: ServedWorker): Promise<void> => {
    const counted = await questions.ask((asked) => worker.order({ kind: 'count', asked }))
    if (counted && crew.has(worker)) last.set(worker, counted)
  }
  const othersOf = (worker: ServedWorker) => [...crew].filter((each) => each !== worker)

  return {
    async refresh() {
      await Promise.all([...crew].map(ask))
    },
    async hear(worker, news) {
      if (news.kind === 'counted') return questions.answer(news.asked, news.metrics)
      if (news.kind === 'tenant-gone') {
        gone.forgetTenant(news.tenant)
        for (const [each, metrics] of last) last.set(each, withoutTenant(metrics, news.tenant))
        return
      }
      // What is shown once is known here: the process may be killed right after.
      if (crew.has(worker)) last.set(worker, news.metrics)
      await Promise.all(othersOf(worker).map(ask))
      const others = othersOf(worker).map((each) => last.get(each) ?? [])
      worker.order({ kind: 'others-counted', asked: news.asked, metrics: [...others, gone.metrics()] })
    },
    ended(worker) {
      gone.add(last.get(worker) ?? [])
      last.delete(worker)
    },
  }
}
