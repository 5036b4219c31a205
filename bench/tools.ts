import { parseArgs } from 'node:util'
import { distractors, mcpCalls, relevantMenus, toolSets } from './tools-data.ts'
import { irrelevanceTable } from './tools-irrelevance.ts'
import { embeddedTexts, recordedEmbedder } from './tools-meanings.ts'
import { coldTable, crowdedTable, learntTable, methods, methodsBy, searchAlone, unseenTable } from './tools-recall.ts'
import { scriptsTable } from './tools-scripts.ts'
import { drawnSets, selectionTable } from './tools-selection.ts'
import { speedTable } from './tools-speed.ts'
import { meanWaste, offeredTable, usedTable } from './tools-use.ts'

/*
 * How well tools are found, and what of a catalogue a request must hold (docs/tools-search.md).
 *
 *   npm run bench -- tools                        all parts
 *   npm run bench -- tools --part cold            one of them
 *   npm run bench -- tools --split heldout        other files of the same names
 *   node bench/tools.ts --texts > FILE            what an encoder is to embed, a JSON text a line
 *   node bench/tools.ts --vectors FILE --part cold  with its vectors, lines of {"text", "vector"}
 */

const { values } = parseArgs({
  options: {
    part: { type: 'string' },
    split: { type: 'string', default: 'dev' },
    vectors: { type: 'string' },
    texts: { type: 'boolean' },
  },
})
const { split } = values
const sets = toolSets(split)
const encoded = values.vectors === undefined ? methods : [searchAlone, ...methodsBy(recordedEmbedder(values.vectors))]
const setNamed = (name: string) => sets.find((set) => set.name === name) ?? { name, tools: [], queries: [] }

const parts: Readonly<Record<string, readonly [title: string, make: () => string]>> = {
  cold: ['Found without anything learnt, each idea alone and fused', () => coldTable(sets, encoded)],
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
  scripts: [
    'Definitions, and what an agent reads that runs tools by scripts',
    () => scriptsTable([...sets, ...drawnSets(setNamed('mcp next tool'))]),
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

const chosen =
  values.texts === true
    ? []
    : Object.entries(parts).filter(([name]) => values.part === undefined || values.part === name)
if (values.texts === true) for (const text of embeddedTexts(sets)) console.log(JSON.stringify(text))
else if (chosen.length === 0) {
  console.error(`--part ${values.part}: not one of ${Object.keys(parts).join(', ')}.`)
  process.exitCode = 2
}
for (const [, [title, make]] of chosen) console.log(`\n## ${title}\n\n${make()}`)
