import type { Item, LinkEnd, LinkRecord } from '../../core/index.ts'
import { modalityOf } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import type { LadderSetting } from '../items/form-reader.ts'
import type { Candidate } from '../items/candidate.ts'
import type { LinkedItems } from '../items/linked-items.ts'
import { isWhole } from '../layout/link-lines.ts'

interface Shown extends Pick<LinkedItems, 'pairs' | 'labels'> {
  readonly candidates: readonly Candidate[]
  readonly setting: Pick<LadderSetting, 'handleOf'>
  /** The form of each candidate; undefined where it is left out. */
  readonly forms: readonly (Form | undefined)[]
}

/** What became of both ends of each link; of links of which neither end is shown there is nothing to say. */
export function linkRecords({ pairs, labels, candidates, setting, forms }: Shown): readonly LinkRecord[] {
  const endOf = (index: number): LinkEnd | undefined => {
    const candidate = candidates[index]
    if (candidate === undefined) return undefined
    const { item } = candidate
    const rung = forms[index]?.rendition.rung ?? 'omitted'
    const label = labels.get(index) ?? item.id
    const end = { itemId: item.id, label, modality: modalityOf(item), rung }
    return isWhole(rung) || !isKept(item) ? end : { ...end, handle: setting.handleOf(candidate) }
  }
  return pairs.flatMap(({ from, to, ...link }): LinkRecord[] => {
    if (forms[from] === undefined && forms[to] === undefined) return []
    const [one, other] = [endOf(from), endOf(to)]
    return one === undefined || other === undefined ? [] : [{ from: one, to: other, ...link }]
  })
}

/** Whether there is anything that a handle could bring back. */
function isKept({ text, media }: Item): boolean {
  return text !== '' || media?.url !== undefined || media?.fingerprint !== undefined
}
