import type { AnswerPart, ThreadNews, Told } from './messages.ts'

/** Tells what a thread has to tell together, once for each turn of its event loop. */
export interface NewsQueue {
  say(news: ThreadNews): void
  /** Tells at once what waits: to be called before work that may take long, or from which a thread may not come back. */
  flush(): void
}

export function newsQueue(post: (all: readonly ThreadNews[], handedOver: ArrayBuffer[]) => void): NewsQueue {
  let waiting: ThreadNews[] = []
  const flush = (): void => {
    if (waiting.length === 0) return
    const news = joinedNews(waiting)
    waiting = []
    post(news, handedOver(news))
  }
  return {
    say(news) {
      if (waiting.push(news) === 1) setImmediate(flush)
    },
    flush,
  }
}

/**
 * What a thread has to tell of one turn of its event loop, with what belongs together as one: pieces of the same answer, and
 * what adds to the same count. Of each request everything stays in its order.
 */
export function joinedNews(all: readonly ThreadNews[]): readonly ThreadNews[] {
  const parts = new Map<number, { readonly at: number; readonly pieces: AnswerPart[] }>()
  const told: Told[] = []
  const joined: ThreadNews[] = []
  for (const news of all) {
    if (news.kind === 'told') told.push(...news.told)
    else if (news.kind !== 'answer') joined.push(news)
    else {
      const known = parts.get(news.part.id)
      if (known) known.pieces.push(news.part)
      else parts.set(news.part.id, { at: joined.push(news) - 1, pieces: [news.part] })
    }
  }
  for (const { at, pieces } of parts.values())
    if (pieces.length > 1) joined[at] = { kind: 'answer', part: onePart(pieces) }
  return told.length === 0 ? joined : [...joined, { kind: 'told', told: addedUp(told) }]
}

/** The memory that is handed over with news. */
function handedOver(all: readonly ThreadNews[]): ArrayBuffer[] {
  return all.flatMap((news) =>
    news.kind === 'answer' && news.part.bytes ? [news.part.bytes.buffer as ArrayBuffer] : [],
  )
}

/** Only the first piece has a head, and nothing follows the last. */
function onePart(pieces: readonly AnswerPart[]): AnswerPart {
  const length = pieces.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0)
  const bytes = new Uint8Array(length)
  let end = 0
  for (const piece of pieces) {
    if (!piece.bytes) continue
    bytes.set(piece.bytes, end)
    end += piece.bytes.length
  }
  const { bytes: _, ...part } = Object.assign({}, ...pieces) as AnswerPart
  return length === 0 ? part : { ...part, bytes }
}

/** Counts of the same name and labels are one. */
function addedUp(told: readonly Told[]): readonly Told[] {
  const counts = new Map<string, Extract<Told, { readonly to: 'metrics' }> & { by: number }>()
  return told.flatMap((each): readonly Told[] => {
    if (each.to !== 'metrics' || each.isValue) return [each]
    let key: string = each.name
    for (const label in each.labels) key += `\n${each.labels[label]}`
    const known = counts.get(key)
    if (known) {
      known.by += each.by
      return []
    }
    const first = { ...each }
    counts.set(key, first)
    return [first]
  })
}
