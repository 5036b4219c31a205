import { keepNewest } from '../../core/index.ts'
import { timely } from '../within-deadline.ts'
import { askEmbedder } from './ask-embedder.ts'
import { hasFailed, hasWorked, isPaused } from './vector-shelf.ts'
import type { MeaningHost, VectorShelf } from './vector-shelf.ts'

const mostQueries = 50
/** An embedder that is late so often is not waited for, for a while. */
const mostLateInRow = 3

/** The vector of a query; undefined where the embedder fails, or has not made it by then. */
export async function queryVector(
  host: MeaningHost,
  shelf: VectorShelf,
  { text, waitMs }: { readonly text: string; readonly waitMs: number },
): Promise<Float32Array | undefined> {
  const { watch } = host
  if (isPaused(host, shelf)) {
    watch.counted('query', 'paused', 1)
    return undefined
  }
  const known = shelf.queries.get(text)
  const outcome = await timely(known ?? asked(host, shelf, text), waitMs)
  if (outcome.kind === 'done') {
    watch.counted('query', known === undefined ? 'made' : 'kept', 1)
    if (known === undefined) hasWorked(host, shelf)
    return outcome.value
  }
  watch.counted('query', outcome.kind, 1)
  if (outcome.kind === 'late') shelf.lateInRow += 1
  if (outcome.kind === 'failed' || shelf.lateInRow >= mostLateInRow) hasFailed(host, shelf, outcome.error)
  return undefined
}

function asked({ timeoutMs }: MeaningHost, { by, queries }: VectorShelf, text: string): Promise<Float32Array> {
  const vector = askEmbedder(by.embedder, [text], timeoutMs).then(([one = new Float32Array()]) => one)
  queries.set(text, vector)
  vector.catch(() => queries.delete(text))
  keepNewest(queries, mostQueries)
  return vector
}
