import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Io } from './io.ts'
import { homeFolder } from './store-place.ts'

/** A file in which an agent of this machine has kept a session. */
export interface FoundSession {
  readonly path: string
  readonly agent: string
  readonly sizeBytes: number
  readonly changedMs: number
}

interface Place {
  readonly agent: string
  /** Below the home folder. */
  readonly folder: string
  readonly name: RegExp
}

/** Where agents keep their sessions; docs/files.md lists the same. */
const places: readonly Place[] = [
  { agent: 'Claude Code', folder: '.claude/projects', name: /\.jsonl$/ },
  { agent: 'Codex', folder: '.codex/sessions', name: /\.jsonl$/ },
  { agent: 'Cline', folder: '.cline/data/sessions', name: /\.jsonl?$/ },
  { agent: 'Gemini CLI', folder: '.gemini/tmp', name: /session-[^/]*\.jsonl?$/ },
  { agent: 'Qwen Code', folder: '.qwen/projects', name: /\.jsonl$/ },
  { agent: 'Continue', folder: '.continue/sessions', name: /\.json$/ },
  { agent: 'pi', folder: '.pi/agent/sessions', name: /\.jsonl$/ },
]

/** What is looked at of a place: a project may hold a whole copy of a program. */
const mostEntries = 5000
const mostDepth = 4

/** The newest sessions of agents on this machine. Folders are read, and no file is opened. */
export async function foundSessions(environment: Io['environment'], most: number): Promise<readonly FoundSession[]> {
  const home = homeFolder(environment)
  const found = await Promise.all(places.map((place) => sessionsIn(place, join(home, place.folder))))
  return found
    .flat()
    .toSorted((one, other) => other.changedMs - one.changedMs)
    .slice(0, most)
}

/** Larger files hold answers; they are not read to make sure. */
const mostReadBytes = 5_000_000
/** What is looked at before fewer sessions than asked for are told. */
const mostLookedAt = 50

/** The newest sessions in which a model answered: others hold no request that could be replayed. */
export async function foundToReplay(
  environment: Io['environment'],
  holdsRequests: (file: string) => Promise<boolean>,
  most = 5,
): Promise<readonly FoundSession[]> {
  const answered: FoundSession[] = []
  for (const session of await foundSessions(environment, mostLookedAt)) {
    if (session.sizeBytes > mostReadBytes || (await holdsRequests(session.path))) answered.push(session)
    if (answered.length === most) break
  }
  return answered
}

async function sessionsIn({ agent, name }: Place, top: string): Promise<readonly FoundSession[]> {
  const found: FoundSession[] = []
  const folders = [{ path: top, depth: 0 }]
  let entries = 0
  for (const { path, depth } of folders) {
    for await (const entry of entriesOf(path)) {
      entries += 1
      if (entries > mostEntries) return found
      const file = join(path, entry.name)
      if (entry.isDirectory() && depth < mostDepth) folders.push({ path: file, depth: depth + 1 })
      if (!entry.isFile() || !name.test(entry.name)) continue
      const about = await stat(file).catch(() => undefined)
      if (about) found.push({ path: file, agent, sizeBytes: about.size, changedMs: about.mtimeMs })
    }
  }
  return found
}

/** None where there is no such folder, or nobody may read it. */
async function* entriesOf(path: string) {
  try {
    yield* await opendir(path)
  } catch {
    // The place is left out.
  }
}

/** The sessions with their sizes, and the command that replays the newest. */
export function foundSessionsText(found: readonly FoundSession[]): string {
  const [newest] = found
  if (newest === undefined)
    return 'No session of an agent was found in the usual folders that holds an answer. Try the recorded one: prehend replay examples/session.jsonl\n'
  const lines = found.map(
    ({ path, agent, sizeBytes, changedMs }) =>
      `  ${new Date(changedMs).toISOString().slice(0, 10)}  ${sizeText(sizeBytes).padStart(8)}  ${agent}: ${path}`,
  )
  const quoted = /^[\w./:@-]+$/.test(newest.path) ? newest.path : `'${newest.path.replaceAll("'", String.raw`'\''`)}'`
  return `The newest sessions of agents on this machine:\n${lines.join('\n')}\nReplay one: prehend replay ${quoted}\n`
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
