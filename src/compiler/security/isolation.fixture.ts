import type { CompileInput, Item } from '../../core/index.ts'
import type { Isolation } from '../../defense/index.ts'
import { compile, evidence, input } from '../compile-input.fixture.ts'
import { careful, guarded } from '../policy/policies.ts'

type Rendering = (attack: string) => string

const boundary = { secret: 'red team', session: 'calibration' }
const before = 'first-neighbour'
const after = 'last-neighbour'

/** What an attack has become in a pack: all that stands between its neighbours, which are no attacks, or its entry. */
export const renderings: Readonly<Record<Isolation, Rendering>> = {
  messages: (attack) => shownAs(attack, { layout: 'messages', policy: careful }),
  headers: (attack) => inPayload(attack, { markup: 'headers' }),
  xml: (attack) => inPayload(attack, { markup: 'xml' }),
  canonical: (attack) => inPayload(attack, { markup: 'canonical' }),
  bounded: (attack) => beyondBoundaries(attack),
  quarantined: (attack) => quotedOnly(attack),
}

function itemsWith(attack: string): readonly Item[] {
  return [evidence('a', before), evidence('b', attack), evidence('c', after)]
}

/** As a result of a tool. */
function shownAs(attack: string, changes: Partial<CompileInput>): string {
  const item: Item = { id: 'r', section: 'history', kind: 'tool-result', role: 'tool', toolCallId: 'x', text: attack }
  const { frame: _, ...given } = input(changes)
  return compile({ ...given, items: [item] }).pack?.entries.find(({ itemId }) => itemId === 'r')?.text ?? ''
}

function inPayload(attack: string, changes: Partial<CompileInput>): string {
  const text = payloadOf(attack, changes)
  const [first, last] = [text.indexOf(before), text.indexOf(after)].toSorted((a, b) => a - b)
  const inner = text.slice(first, last)
  return unframed(inner)
}

function payloadOf(attack: string, changes: Partial<CompileInput>): string {
  const { pack } = compile(input({ items: itemsWith(attack), frame: { request: 'Hello.' }, ...changes }))
  return pack?.messages.at(-1)?.text ?? ''
}

/** Our own fences and tags are structure and no forgery. */
function unframed(text: string): string {
  return text
    .replaceAll(/^~{3,}$/gm, '')
    .replaceAll(/^<context source="[^"\n]*">/gm, 'x')
    .replaceAll(/<\/context>$/gm, '')
}

/** Marks with the boundary are all that is structure there: what is left is what the attack has put outside of its section. */
function beyondBoundaries(attack: string): string {
  const text = payloadOf(attack, { boundary })
  const own = /<<<SECTION:\w+:(boundary_\w+)>>>/.exec(text)?.[1] ?? 'none'
  const [, section = ''] = text.split(`<<<SECTION:EVIDENCE:${own}>>>`)
  const [inside = '', ...outside] = section.split(`<<<END_SECTION:EVIDENCE:${own}>>>`)
  const isInside = inside.includes(attack) && outside.length === 1 && !outside.join('').includes(attack)
  return isInside ? '' : attack
}

/** Without our label. */
function quotedOnly(attack: string): string {
  const policy = { ...guarded, defense: { threshold: 0, untrusted: 'quarantine', semiTrusted: 'off' } as const }
  const suspicions = { r: 1 }
  return shownAs(attack, { layout: 'messages', policy, suspicions }).split('\n').slice(1, -1).join('\n')
}
