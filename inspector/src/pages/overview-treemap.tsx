import type { JSX } from 'preact'
import { addressOf } from '../address.ts'
import type { TokenUsage } from '../api/answers.ts'
import { count, money, tokens } from '../format.ts'
import { squarified } from '../parts/squarified.ts'
import type { Area } from '../parts/squarified.ts'
import { sectionTone } from '../parts/section-bar.tsx'

type Item = TokenUsage['items'][number]

/** Items with one name, such as a file that was read four times. */
interface Named {
  readonly name: string
  readonly times: number
  readonly carried: number
  readonly usd: number | null
  /** Absent for the items that are too many to be told one by one. */
  readonly newest?: Item
}

/** Width over height, as the style sheet draws it. */
const aspect = 2.6
/** Of the whole; smaller areas show no words. */
const leastForWords = 0.012

/** Tokens as areas: groups, and in each group the items that took most. The tables below it hold the same figures. */
export function Treemap({ usage }: { readonly usage: TokenUsage }): JSX.Element {
  const { groups, items, carried } = usage
  const areas = squarified(
    groups.map((group) => group.carried),
    aspect,
  )
  return (
    // For the eye: a screen reader has the tables.
    <div class="treemap" aria-hidden="true">
      {groups.map((group, at) => {
        const area = areas[at]
        if (area === undefined) return null
        const members = membersOf(group, items)
        const inner = squarified(
          members.map((one) => one.carried),
          (aspect * area.width) / area.height,
        )
        return (
          <div key={group.group} class="treemap-group" style={{ ...placed(area), '--tone': groupTone(group.group) }}>
            {members.map((member, place) => (
              <Leaf
                key={member.name}
                group={group.group}
                member={member}
                area={inner[place]}
                share={group.carried / carried}
              />
            ))}
          </div>
        )
      })}
    </div>
  )
}

interface LeafProps {
  readonly group: string
  readonly member: Named
  readonly area: Area | undefined
  /** Of its group, in the whole. */
  readonly share: number
}

function Leaf({ group, member, area, share }: LeafProps): JSX.Element | null {
  if (area === undefined) return null
  const { name, times, carried, usd, newest } = member
  const often = times > 1 ? `, ${count(times)} times` : ''
  const price = usd === null ? '' : `, ${money(usd)}`
  const title = `${name}${often}: ${tokens(carried)} tokens sent${price} (${group})`
  const shown = area.width * area.height * share >= leastForWords && <span>{name}</span>
  const own = { class: 'treemap-item', style: placed(area), title }
  return newest === undefined ? (
    <i {...own}>{shown}</i>
  ) : (
    // The tables hold the same links for the keyboard.
    <a {...own} tabIndex={-1} href={addressOf.item(newest.requestId, newest.itemId)}>
      {shown}
    </a>
  )
}

/** The named items of a group, the largest first, and what its other items come to. */
function membersOf({ group, carried, usd }: TokenUsage['groups'][number], items: readonly Item[]): readonly Named[] {
  const own = Map.groupBy(
    items.filter((item) => item.group === group),
    ({ name }) => name,
  )
  const named = Array.from(own, ([name, same]): Named => {
    const [newest] = same
    const priced = same.flatMap((item) => item.usd ?? [])
    return {
      name,
      times: same.length,
      carried: sumOf(same.map((item) => item.carried)),
      usd: priced.length === 0 ? null : sumOf(priced),
      ...(newest && { newest }),
    }
  })
  const rest = carried - sumOf(named.map((one) => one.carried))
  const restUsd = usd === null ? null : Math.max(0, usd - sumOf(named.map((one) => one.usd ?? 0)))
  const others: readonly Named[] =
    rest > 0 ? [{ name: named.length === 0 ? group : `other ${group}`, times: 1, carried: rest, usd: restUsd }] : []
  return [...named, ...others].toSorted((one, other) => other.carried - one.carried)
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function placed({ x, y, width, height }: Area): Record<string, string> {
  const share = (value: number): string => `${(value * 100).toFixed(3)}%`
  return { left: share(x), top: share(y), width: share(width), height: share(height) }
}

/** Groups are coloured as the sections that are nearest to them. */
const sections: Readonly<Record<string, string>> = {
  'system prompt': 'policy',
  'tool definitions': 'tools',
  'calls': 'role',
  'assistant': 'query',
  'user': 'task',
  'evidence': 'evidence',
  'memory': 'memory',
  'media': 'situation',
}

export const groupTone = (group: string): string => sectionTone(sectionOf(group))

function sectionOf(group: string): string {
  return sections[group] ?? (group.startsWith('results of ') ? 'history' : 'other')
}
