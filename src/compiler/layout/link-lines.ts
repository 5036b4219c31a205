import type { LinkEnd, LinkMethod, LinkRecord, Rung } from '../../core/index.ts'
import { rehydrateToolName } from '../../core/index.ts'
import type { LinkedItems, LinkedPair } from '../items/linked-items.ts'
import { anyHandle } from './omissions.ts'

type ToldEnd = Pick<LinkEnd, 'label' | 'rung' | 'handle'>

interface Told extends Pick<LinkRecord, 'method' | 'confidence'> {
  readonly from: ToldEnd
  readonly to: ToldEnd
}

const made: Readonly<Record<LinkMethod, string>> = {
  transcript: 'is the transcript of',
  ocr: 'is the text, as read, of',
  caption: 'says what is shown by',
  aggregate: 'has figures of',
  crop: 'is a part of',
  frame: 'is a frame of',
  excerpt: 'is an excerpt of',
  rendering: 'is a picture of',
}

/** `EVIDENCE_TEXT_1 is the text, as read, of EVIDENCE_IMG_1 (not shown: rehydrate("482915037114")), confidence 0.93` */
export function linkLine({ from, to, method, confidence }: Told, rehydration: boolean): string {
  const sure = confidence === undefined ? '' : `, confidence ${confidence}`
  return `${endWords(from, rehydration)} ${made[method]} ${endWords(to, rehydration)}${sure}`
}

function endWords({ label, rung, handle }: ToldEnd, rehydration: boolean): string {
  if (isWhole(rung)) return label
  const call = rehydration && handle !== undefined ? `: ${rehydrateToolName}("${handle}")` : ''
  return `${label} (${rung === 'omitted' ? 'not shown' : 'shown in part'}${call})`
}

export function isWhole(rung: Rung): boolean {
  return rung === 'full' || rung === 'lossless'
}

/** The ways in which a link may come to be told, its handles not known yet; of two items that are not shown nothing is. */
export function possibleLines(
  { from, to, ...link }: LinkedPair,
  labels: LinkedItems['labels'],
  rehydration: boolean,
): readonly string[] {
  const states: readonly (readonly [Rung, Rung])[] = [
    ['line', 'line'],
    ['line', 'omitted'],
    ['omitted', 'line'],
    ['full', 'full'],
  ]
  const end = (index: number, rung: Rung) => ({ label: labels.get(index) ?? '', rung, handle: anyHandle })
  return states.map(([one, other]) => linkLine({ ...link, from: end(from, one), to: end(to, other) }, rehydration))
}
