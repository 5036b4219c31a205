import { useEffect, useRef, useState } from 'preact/hooks'
import type { List, SessionOutline, TimelineEntry } from './answers.ts'
import type { ApiProblem } from './client.ts'
import { ask } from './client.ts'
import { asProblem } from './use-answer.ts'

/** Requests of a session's timeline, those that were looked at. */
export interface TimelinePages {
  /** Undefined where it is not here yet. */
  row(index: number): TimelineEntry | undefined
  /** Those from `first` to before `last` are in view, and are asked for where they are not here. */
  see(first: number, last: number): void
  readonly problem: ApiProblem | undefined
  again(): void
}

type Pages = SessionOutline['pages']

interface Page {
  readonly rows: readonly TimelineEntry[]
  /** As of which outline; a newer one asks again for what was not at its end. */
  readonly of: Pages
  readonly isFinal: boolean
}

/** Pages that are kept; those farthest from what is in view go first. */
const mostKept = 40

/**
 * The pages of a timeline, each asked for when it comes into view, one at a time: what was only scrolled past is not asked for.
 * `pages` says where each begins.
 */
export function useTimelinePages(session: string, pages: Pages): TimelinePages {
  const [kept, setKept] = useState<ReadonlyMap<string, Page>>(new Map())
  const [problem, setProblem] = useState<ApiProblem>()
  const [round, setRound] = useState(0)
  const now = useRef({ kept, pages, first: 0, last: 1 })
  now.current.pages = pages
  const asking = useRef<AbortController | undefined>(undefined)

  const put = (start: number, page: Page): void => {
    const next = new Map([...now.current.kept, [keyOf(page.of, start), page]])
    now.current.kept = nearest(next, now.current.pages.starts[pageOf(now.current, now.current.first)] ?? 0)
    setKept(now.current.kept)
  }
  const load = async (): Promise<void> => {
    if (asking.current) return
    const ending = new AbortController()
    asking.current = ending
    try {
      for (let start = missing(now.current); start !== undefined; start = missing(now.current)) {
        const of = now.current.pages
        const rows = await readPage(session, { of, start, signal: ending.signal })
        put(start, { rows, of, isFinal: rows.length === of.size && rows.every(({ status }) => status !== null) })
      }
    } catch (error) {
      if (!ending.signal.aborted) setProblem(asProblem(error))
    } finally {
      if (asking.current === ending) asking.current = undefined
    }
  }
  useEffect(() => void load(), [pages, round])
  useEffect(() => () => asking.current?.abort(), [])

  return {
    row: (index) =>
      kept.get(keyOf(pages, pages.starts[Math.floor(index / pages.size)] ?? -1))?.rows[index % pages.size],
    see: (first, last) => {
      now.current.first = first
      now.current.last = last
      void load()
    },
    problem,
    again: () => {
      setProblem(undefined)
      setRound((before) => before + 1)
    },
  }
}

interface Seen {
  readonly kept: ReadonlyMap<string, Page>
  readonly pages: Pages
  readonly first: number
  readonly last: number
}

function pageOf({ pages }: Seen, index: number): number {
  return Math.floor(index / pages.size)
}

/** Where the first page in view begins that is not here, or not as it is now. */
function missing(seen: Seen): number | undefined {
  const { kept, pages, first, last } = seen
  const inView = pages.starts.slice(pageOf(seen, first), pageOf(seen, Math.max(first, last - 1)) + 1)
  return inView.find((start) => {
    const page = kept.get(keyOf(pages, start))
    return page === undefined || (!page.isFinal && page.of !== pages)
  })
}

function keyOf({ lane }: Pages, start: number): string {
  return `${start} ${lane ?? ''}`
}

function nearest(pages: ReadonlyMap<string, Page>, start: number): ReadonlyMap<string, Page> {
  if (pages.size <= mostKept) return pages
  const far = (key: string): number => Math.abs(Number.parseInt(key) - start)
  const [farthest] = [...pages.keys()].toSorted((a, b) => far(b) - far(a))
  return new Map([...pages].filter(([key]) => key !== farthest))
}

interface Wanted {
  readonly of: Pages
  readonly start: number
  readonly signal: AbortSignal
}

async function readPage(session: string, { of, start, signal }: Wanted): Promise<readonly TimelineEntry[]> {
  const params = { after: start - 1, limit: of.size, lane: of.lane ?? undefined }
  const path = `/v1/sessions/${encodeURIComponent(session)}/timeline`
  const { data } = await ask<List<TimelineEntry>>(path, { params, signal })
  return data
}
