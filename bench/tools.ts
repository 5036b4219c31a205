import { parseArgs } from 'node:util'
import { distractors, mcpCalls, relevantMenus, toolSets } from './tools-data.ts'
import { irrelevanceTable } from './tools-irrelevance.ts'
import { coldTable, crowdedTable, learntTable, unseenTable } from './tools-recall.ts'
import { drawnSets, selectionTable } from './tools-selection.ts'
import { speedTable } from './tools-speed.ts'
import { meanWaste, offeredTable, usedTable } from './tools-use.ts'

/*
 * How well tools are found, and what of a catalogue a request must hold (docs/tools-search.md).
 *
 *   npm run bench -- tools                        all parts
 *   npm run bench -- tools --part cold            one of them
 *   npm run bench -- tools --split heldout        other files of the same names
 */

const { values } = parseArgs({
  options: { part: { type: 'string' }, split: { type: 'string', default: 'dev' } },
})
const { split } = values
const sets = toolSets(split)
const setNamed = (name: string) => sets.find((set) => set.name === name) ?? { name, tools: [], queries: [] }

const parts: Readonly<Record<string, readonly [title: string, make: () => string]>> = {
  cold: ['Found without anything learnt, each idea alone and fused', () => coldTable(sets)],
  crowded: [
    `Found among ${distractors().length} more tools of other catalogues`,
    () => crowdedTable(sets, distractors()),
  ],
  learnt: [
    'Found with past queries, learnt from other tasks',
    () =>
      learntTable(sets, ({ name, queries }) => (name.startsWith('mcp') ? mcpCalls(split) : metatoolOr(name, queries))),
  ],
  unseen: ['What past queries of half of the tools do to the others', () => unseenTable(setNamed('metatool single'))],
  irrelevance: ['Whether a query has a tool at all', () => irrelevanceTable(relevantMenus(split))],
  selection: [
    'Offered by 12 tools and 8,000 tokens',
    () => selectionTable([...sets, ...drawnSets(setNamed('mcp next tool'))]),
  ],
  use: [
    'Next tool of mcp-traces by what earlier tasks have taught',
    () => usedTable(setNamed('mcp next tool'), mcpCalls(split)),
  ],
  offered: [
    `Airline of tau-bench, mean waste ratio ${meanWaste(split).toFixed(3)}: calls that are still offered`,
    () => offeredTable(split),
  ],
  speed: [
    'Time',
    () =>
      speedTable(
        distractors(),
        sets.flatMap(({ queries }) => queries.slice(0, 100).map(({ text }) => text)),
      ),
  ],
}

/** The queries of metatool are one file: both kinds are learnt from. */
function metatoolOr(name: string, queries: (typeof sets)[number]['queries']): typeof queries {
  return name.startsWith('metatool')
    ? [...setNamed('metatool single').queries, ...setNamed('metatool multi').queries]
    : queries
}

const chosen = Object.entries(parts).filter(([name]) => values.part === undefined || values.part === name)
if (chosen.length === 0) {
  console.error(`--part ${values.part}: not one of ${Object.keys(parts).join(', ')}.`)
  process.exitCode = 2
}
for (const [, [title, make]] of chosen) console.log(`\n## ${title}\n\n${make()}`)
