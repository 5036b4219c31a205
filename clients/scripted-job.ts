import { readFileSync, readdirSync } from 'node:fs'
import { playMemory, scriptFrom } from '../src/providers/index.ts'
import type { Script } from '../src/providers/index.ts'
import { resultsIn } from './results-in.ts'

interface Step {
  readonly say?: string
  readonly do?: readonly Readonly<Record<string, unknown>>[]
}

const example = JSON.parse(readFileSync(new URL('reading-job.script.json', import.meta.url), 'utf8')) as {
  readonly schema: string
  readonly steps: readonly Step[]
}

const files = ['src', 'test'].flatMap((folder) => {
  const names = readdirSync(new URL(`../examples/repo/${folder}`, import.meta.url)).toSorted()
  return names.map((name) => `${folder}/${name}`)
})

/** Files by name: which of them a conversation names depends on what is shown of it, and the two jobs are to be the same. */
const steps = JSON.parse(
  JSON.stringify(example.steps).replaceAll(
    /\{file:(\d+)\}/g,
    (_, number: string) => files[Number(number) - 1] ?? 'README.md',
  ),
) as readonly Step[]

/** Any marker of ours that a request shows; a model that sees none asks for something that there is not. */
const marker = /rehydrate\(\\*"(\d+)/g

/** Which results are written down, by their place among all of them: files that were read, since a search lists what it finds in any order. */
const copied = [3, 9, 14]

const readAgain = Array.from({ length: 8 }, (_, index) => ({
  do: files.slice(2 * index, 2 * index + 2).map((read) => ({ read })),
}))

/**
 * A job of reading and writing notes, and a second look at its files, played by a model that brings originals back where it is offered
 * the tool for it: alone, twice at once, and beside a call of the client's. Where it is not offered, those steps are left out.
 * In the end it writes down early results as it is shown them by then: what stands for a text there must not get into a file.
 * Texts follow one another where our calls stood between them, and some clients join such texts.
 */
export function codingJob(): Script {
  const memory = playMemory()
  return (request, turn) => {
    const handles = [...request.body.matchAll(marker)].map(([, handle = '']) => handle)
    // Only clients with a shell have been asked for their folder first, once or more.
    const results = resultsIn(request).slice(Array.from(request.body.matchAll(/"pwd\\*"/g)).length)
    const fetched = (index: number) => ({
      call: 'rehydrate',
      arguments: { handle: handles[index % Math.max(handles.length, 1)] ?? '000000000000' },
    })
    const [beside, ...end] = steps.slice(26)
    const document = {
      ...example,
      steps: [
        ...steps.slice(0, 26),
        { ...beside, do: [...(beside?.do ?? []), fetched(0)] },
        ...readAgain,
        { say: 'I look at that again.', do: [fetched(0)] },
        { do: [fetched(1), fetched(2)] },
        ...copied.map((index) => ({
          say: 'I write it down.',
          do: [{ write: `copy-${index}.txt`, content: results[index] ?? 'nothing' }],
        })),
        ...end,
      ],
    }
    const script = scriptFrom(document, undefined, { memory })
    return typeof script === 'function' ? script(request, turn) : undefined
  }
}
