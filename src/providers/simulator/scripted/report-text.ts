import { permittingText } from './permitting-options.ts'
import type { ScriptRecord } from './script-record.ts'
import { verbs } from './script-document.ts'
import type { Verb } from './script-document.ts'

/** How often something was done, in words. */
const deeds: Readonly<Record<Verb, (count: number) => string>> = {
  list: (count) => `listed ${counted(count, 'folder')}`,
  make: (count) => `made ${counted(count, 'folder')}`,
  read: (count) => `read files ${counted(count, 'time')}`,
  run: (count) => `ran ${counted(count, 'command')}`,
  search: (count) => `searched ${counted(count, 'time')}`,
  write: (count) => `wrote ${counted(count, 'file')}`,
  edit: (count) => `edited files ${counted(count, 'time')}`,
  call: (count) => `called other tools ${counted(count, 'time')}`,
}

const tail =
  'This was a script, played by the simulated provider; what your agent sent was packed all the same. `prehend sessions` shows what was saved, `prehend packs` how.'

interface Reported {
  readonly record: ScriptRecord
  /** What of the printed texts to quote. */
  readonly quote: string
  /** Names of the tools that the client offers. */
  readonly offered: readonly string[]
}

/** What has come of a script, by the results alone. */
export function reportText({ record, quote, offered }: Reported): string {
  const { tallies, lacking, made, printed } = record
  const tried = verbs.filter((verb) => tallies[verb] !== undefined)
  if (tried.length === 0) return `${noneDone(offered)} ${tail}`
  const done = tried.map((verb) => {
    const { done: well = 0, failed = 0 } = tallies[verb] ?? {}
    // Of commands, tests that fail among them, not every client tells how they ended.
    if (verb === 'run') return deeds.run(well + failed)
    return `${deeds[verb](well)}${failed === 0 ? '' : ` (${failed} failed)`}`
  })
  const last = printed.flatMap((text) => text.match(new RegExp(quote, 'g')) ?? []).at(-1)
  const without = verbs.filter((verb) => lacking.has(verb) && tallies[verb] === undefined)
  return [
    `What came of it: ${done.join(', ')}.`,
    ...(last === undefined || quote === '' ? [] : [`The last tests said: ${last}.`]),
    ...(made === '' ? [notWritten(record)] : [`Everything that was written is in ${made}.`]),
    ...(without.length === 0 ? [] : [`${whyLeftOut(made)}: ${without.join(', ')}.`]),
    tail,
  ].join(' ')
}

function noneDone(offered: readonly string[]): string {
  const why =
    offered.length === 0
      ? 'your client offers no tools'
      : `none of the tools that your client offers is a shell that this script can use (${offered.join(', ')})`
  const remedy = offered.length === 0 ? '' : ` Some agents offer a shell only if you permit it: ${permittingText()}.`
  return `Nothing was done, read or written: ${why}.${remedy}`
}

function whyLeftOut(made: string): string {
  return made === ''
    ? 'Left out, since they need that folder or a tool that your client lacks'
    : 'Left out, since no tool of your client does it'
}

function notWritten({ workingFolder, refusal }: ScriptRecord): string {
  const why =
    workingFolder === ''
      ? 'since no tool of your client has confirmed the folder that it works in'
      : `since no folder could be made in ${workingFolder}`
  if (refusal === '') return `Nothing was written, ${why}.`
  return `Nothing was written, ${why}. Your agent answered: "${refusal}". If it needs your permission, these options give it: ${permittingText()}.`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
