import type { Item } from '../../core/index.ts'
import { isEpisode } from '../../core/index.ts'
import type { Piece } from '../forms/piece.ts'
import { fenced } from './fence.ts'
import { dayOf, headersMarkup, sectionWords, sourceOf } from './headers-markup.ts'
import type { Block, Markup } from './markup.ts'

const tags: Readonly<Record<Block, string>> = {
  policy: 'system_policy',
  developer: 'developer_role',
  durable: 'durable_memory',
  role: 'role',
  goal: 'goal',
  step: 'step',
  constraints: 'constraints',
  critical: 'critical_constraints',
  tools: 'tools',
  evidence: 'retrieved_context',
  memory: 'memory',
  conversation: 'conversation',
  links: 'links',
  acceptance: 'acceptance',
  request: 'user_request',
}

/** Tags around everything, all text escaped but the user's own words, which stand between fences. */
export const xmlMarkup: Markup = {
  name: 'xml',
  begin: '<context_pack>\n',
  end: '</context_pack>\n',
  open: (block) => `<${tags[block]}>\n`,
  close: (block) => `</${tags[block]}>\n`,
  openSection: (section) => `<context name="${escapedXml(sectionWords(section))}">\n`,
  closeSection: () => '</context>\n',
  line: (text) => `<line>${escapedXml(text)}</line>\n`,
  verbatim: fenced,
  fragment: (item, text) => (shapes.get(item.section) ?? plainLine)(item, text),
}

type Shape = (item: Item, text: string) => string

/** Sections that packs add have names of anyone's choosing, `constructor` among them. */
const shapes: ReadonlyMap<string, Shape> = new Map(
  Object.entries<Shape>({
    policy: plainLine,
    role: plainLine,
    query: (_, text) => fenced(text),
    tools: (item) => `<tool name="${escapedXml(item.toolName ?? item.id)}"/>\n`,
    history: headersMarkup.fragment,
    evidence: context,
    memory: fact,
    situation: fact,
  }),
)

function plainLine({ kind }: Item, text: string): string {
  return text === '' ? `<line>[${kind}]</line>\n` : `<line>${escapedXml(text)}</line>\n`
}

/** Two decimals of relevance, where it is known. */
function context(item: Item, text: string): string {
  const relevance = item.scores?.relevance ?? item.provenance?.relevanceScore
  const rating = relevance === undefined ? '' : ` relevance="${relevance.toFixed(2)}"`
  return `<context source="${escapedXml(sourceOf(item))}"${rating}>${escapedXml(text || `[${item.kind}]`)}</context>\n`
}

/** Of an episode that is not whole one row is shown. */
function episode(item: Item, text: string): string {
  const { birthTurn, category = '', status } = item
  const about = [
    ...(birthTurn === undefined ? [] : [` tick="${birthTurn}"`]),
    ...(category.includes('/') ? [` type="${escapedXml(category.slice(category.indexOf('/') + 1))}"`] : []),
    ...(status === undefined ? [] : [` outcome="${status}"`]),
  ].join('')
  if (text === item.text) return `<episode${about}>${escapedXml(text)}</episode>\n`
  return `<episode${about} summary="${escapedXml(text.replaceAll('\n', ' '))}"/>\n`
}

/** Episodes stand behind what else is remembered: the whole ones first, then those that are a row each; what came last first. */
export function episodesLast(pieces: readonly Piece[], piece: (text: string) => Piece): readonly Piece[] {
  const episodes = pieces.filter(({ fragment }) => fragment.startsWith('<episode')).toReversed()
  if (episodes.length === 0) return pieces
  const isRow = ({ fragment }: Piece): boolean => fragment.endsWith('"/>\n')
  const within = (name: string, some: readonly Piece[]): readonly Piece[] =>
    some.length === 0 ? [] : [piece(`<${name}>\n`), ...some, piece(`</${name}>\n`)]
  return [
    ...pieces.filter((one) => !episodes.includes(one)),
    ...within(
      'recent_episodes',
      episodes.filter((one) => !isRow(one)),
    ),
    ...within('older_episodes', episodes.filter(isRow)),
  ]
}

/** Tokens of what stands around episodes, at most. */
export function episodeTokens(piece: (text: string) => Piece): number {
  const marks = ['<recent_episodes>\n', '</recent_episodes>\n', '<older_episodes>\n', '</older_episodes>\n']
  return marks.reduce((sum, mark) => sum + piece(mark).tokens, 0)
}

function fact(item: Item, text: string): string {
  if (isEpisode(item)) return episode(item, text)
  const day = dayOf(item)
  const date = day === '' ? '' : ` date="${escapedXml(day)}"`
  return `<fact${date}>${escapedXml(text || `[${item.kind}]`)}</fact>\n`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text that no tag or attribute can be closed by. */
export function escapedXml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)
}
