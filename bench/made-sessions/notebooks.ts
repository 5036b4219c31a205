import { chancesOf } from '../seeded-random.ts'
import type { Chances } from '../seeded-random.ts'
import { instructions, shuffled, talk } from './talk.ts'
import type { SessionMaker } from './talk.ts'

/* An agent reads notebooks with their results, and takes up what their cells said and returned. */

interface Cell {
  readonly source: readonly string[]
  readonly said: string
  readonly error?: readonly [name: string, value: string]
}

const columns = ['net revenue', 'churn rate', 'unit price', 'lead time', 'gross margin', 'return share']
const groups = ['North region', 'South region', 'online shop', 'wholesale', 'new customers']
const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function cellOf({ pick, upTo, chance }: Chances, at: number): Cell {
  const [column, group] = [pick(columns), pick(groups)]
  const frame = `df_${pick(['a', 'b', 'c'])}${at}`
  const source = [
    `# ${column} of the ${group}`,
    `${frame} = frame[frame['segment'] == '${group}']`,
    `print("${column}", ${frame}['${column}'].mean())`,
  ]
  const figure = `${upTo(900)}.${100 + upTo(899)}`
  const spread = `${upTo(40)}.${upTo(10)}%`
  if (chance(0.15)) return { source, said: '', error: ['KeyError', `'${column} (adj.) ${upTo(99)}'`] }
  return { source, said: `${column} of the ${group}: mean ${figure}, spread ${spread} (n = ${100 + upTo(9_000)})` }
}

function png({ upTo, pick }: Chances): string {
  return `iVBORw0KGgo${Array.from({ length: 600 + upTo(2_000) }, () => pick([...base64])).join('')}=`
}

type Writer = (cells: readonly Cell[], chances: Chances) => string

const ipynb: Writer = (cells, chances) =>
  JSON.stringify(
    {
      cells: cells.map((cell, at) => ({
        cell_type: 'code',
        execution_count: at + 1,
        id: `${chances.upTo(0xffff).toString(16)}-${chances.upTo(0xffffff).toString(16)}`,
        metadata: { collapsed: false, tags: [] },
        outputs: outputsOf(cell, chances),
        source: cell.source.map((line, index) => (index === cell.source.length - 1 ? line : `${line}\n`)),
      })),
      metadata: { kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' } },
      nbformat: 4,
      nbformat_minor: 5,
    },
    undefined,
    1,
  )

function outputsOf({ said, error }: Cell, chances: Chances): readonly object[] {
  if (error !== undefined)
    return [
      {
        output_type: 'error',
        ename: error[0],
        evalue: error[1],
        traceback: [
          `${error[0]}                                  Traceback (most recent call last)`,
          `${error[0]}: ${error[1]}`,
        ],
      },
    ]
  const picture = chances.chance(0.3)
    ? [
        {
          output_type: 'display_data',
          data: { 'image/png': png(chances), 'text/plain': ['<Figure size 640x480 with 1 Axes>'] },
          metadata: {},
        },
      ]
    : []
  return [{ name: 'stdout', output_type: 'stream', text: [`${said}\n`] }, ...picture]
}

const minified: Writer = (cells, chances) => JSON.stringify(JSON.parse(ipynb(cells, chances)))

/** As agents are shown a notebook: cells with tags. */
const tagged: Writer = (cells) =>
  cells
    .map(({ source, said, error }, at) => {
      const result = error === undefined ? said : `${error[0]}: ${error[1]}`
      return `<cell id="cell-${at}">${source.join('\n')}</cell id="cell-${at}">\n\nOutput of cell ${at}:\n${result}`
    })
    .join('\n')

export const notebookSession: SessionMaker = ({ id, seed, layout }) => {
  const chances = chancesOf(seed * 17 + layout)
  const { upTo, pick } = chances
  const write = [ipynb, minified, tagged][layout] ?? ipynb
  const { user, step, answer, session } = talk(id, instructions('a data scientist who works in notebooks'))
  const books = Array.from({ length: 6 }, () => Array.from({ length: 18 }, (_, at) => cellOf(chances, at)))
  user('Read the notebooks of the quarter, collect what each of them found, and find out why some cells fail.')
  const written = (cell: Cell): string => (cell.error === undefined ? cell.said : `fails with ${cell.error[1]}`)
  books.forEach((cells, at) => {
    step({
      tool: 'notebook_read',
      given: { notebook_path: `analysis/q${at + 1}.ipynb` },
      result: write(cells, chances),
    })
    const cell = pick(books[upTo(at + 1)] ?? cells)
    step({ tool: 'notes_append', given: { line: written(cell) }, result: 'ok' })
  })
  user('Which cells fail, and with what? Then the means of the North region.')
  const failed = books.flat().filter(({ error }) => error !== undefined)
  const north = books.flat().filter(({ said }) => said.includes('North region'))
  for (const cell of [...shuffled(failed, upTo).slice(0, 4), ...shuffled(north, upTo).slice(0, 4)]) {
    step({ tool: 'notes_append', given: { line: written(cell) }, result: 'ok' })
    step({
      tool: 'notebook_run',
      given: { code: cell.source.join('\n') },
      result: Array.from({ length: 20 }, () => `${pick(columns)} ${upTo(999)}.${upTo(99)} ${pick(groups)}`).join('\n'),
    })
  }
  for (const cell of shuffled(books.flat(), upTo).slice(0, 5))
    step({ tool: 'notes_append', given: { line: written(cell) }, result: 'ok' })
  answer('The notes hold all findings.')
  return session()
}
