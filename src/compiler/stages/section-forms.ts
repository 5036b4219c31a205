import type { Section } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import type { FormReader, LadderSetting } from '../items/form-reader.ts'
import type { Candidate } from '../items/candidate.ts'
import { blankList } from '../items/same-elements.ts'
import { listMapper } from '../items/list-mapper.ts'
import type { ListMapper } from '../items/list-mapper.ts'
import { leftOut } from '../solvers/choose-rungs.ts'

/** The forms of a section's members; the same object as long as they stay the same. */
export interface SectionForms {
  /** Per member. */
  readonly forms: readonly (Form | undefined)[]
  /** Those that are shown. */
  readonly shown: readonly Form[]
  readonly tokens: number
}

interface Asked {
  readonly candidates: readonly Candidate[]
  /** Indexes of the members. */
  readonly members: readonly number[]
  readonly setting: LadderSetting
}

/** What was chosen of the ladders of members, `leftOut` where one is not shown. */
export function chosenForms(
  forms: FormReader,
  { candidates, members, setting }: Asked,
  chosen: Int32Array,
): SectionForms {
  const found: (Form | undefined)[] = []
  for (let at = 0; at < members.length; at += 1) {
    const form = chosen[at] ?? leftOut
    const candidate = form === leftOut ? undefined : candidates[members[at] ?? 0]
    found.push(candidate && formOf(forms, { candidate, setting, form }))
  }
  return sectionForms(found)
}

export type ChosenForms = (asked: Asked, chosen: Int32Array) => SectionForms

/** The same for a conversation, of which most was chosen alike the last time and stands where it stood. */
export function keptForms(forms: FormReader): ChosenForms {
  let kept = nothingKept('')
  return ({ candidates, members, setting }, chosen) => {
    if (kept.key !== setting.key) kept = nothingKept(setting.key)
    const { owners, choices, found, counts } = kept
    const all = blankList<Form>(members.length)
    let tokens = 0
    for (let at = 0; at < members.length; at += 1) {
      const form = chosen[at] ?? leftOut
      const candidate = form === leftOut ? undefined : candidates[members[at] ?? 0]
      if (at === owners.length) keep(kept, at, { candidate: undefined, form, shown: undefined })
      if (candidate !== undefined && (!Object.is(owners[at], candidate) || choices[at] !== form))
        keep(kept, at, { candidate, form, shown: formOf(forms, { candidate, setting, form }) })
      const one = candidate && found[at]
      if (one === undefined) continue
      all[at] = one
      tokens += counts[at] ?? 0
    }
    return { forms: all, shown: shownOf(all), tokens }
  }
}

/** Most often what a conversation shows is its end. */
function shownOf(forms: readonly (Form | undefined)[]): readonly Form[] {
  const end = forms.lastIndexOf(undefined) + 1
  let first = 0
  while (first < end && forms[first] === undefined) first += 1
  const shown = first === end ? forms.slice(end) : forms.filter((form) => form !== undefined)
  return shown as readonly Form[]
}

/** By place among the members: what was shown there when anything was, and its tokens. */
interface Kept {
  readonly key: string
  readonly owners: (Candidate | undefined)[]
  readonly choices: number[]
  readonly found: (Form | undefined)[]
  readonly counts: number[]
}

function nothingKept(key: string): Kept {
  return { key, owners: [], choices: [], found: [], counts: [] }
}

interface Keeping {
  readonly candidate: Candidate | undefined
  readonly form: number
  readonly shown: Form | undefined
}

function keep({ owners, choices, found, counts }: Kept, at: number, { candidate, form, shown }: Keeping): void {
  owners[at] = candidate
  choices[at] = form
  found[at] = shown
  counts[at] = shown?.tokens ?? 0
}

export type WholeForms = (section: Section, asked: Asked) => SectionForms

/** Members as they came, section by section. */
export function wholeForms(forms: FormReader): WholeForms {
  const known = new Map<Section, Whole>()
  return (section, { candidates, members, setting }) => {
    let whole = known.get(section)
    if (whole === undefined || whole.setting.key !== setting.key) {
      const map = listMapper((candidate: Candidate) => formOf(forms, { candidate, setting, form: 0 }))
      whole = { setting, map, last: nothing }
      if (known.size >= rememberedSections) known.clear()
      known.set(section, whole)
    }
    const own: Candidate[] = []
    for (const index of members) {
      const candidate = candidates[index]
      if (candidate !== undefined) own.push(candidate)
    }
    const found = whole.map(own)
    if (found !== whole.last.forms) whole.last = sectionForms(found)
    return whole.last
  }
}

interface Whole {
  readonly setting: LadderSetting
  readonly map: ListMapper<Candidate, Form | undefined>
  last: SectionForms
}

/** Sections have any name; a caller that makes up new ones must not fill the memory. */
const rememberedSections = 64

const nothing: SectionForms = { forms: [], shown: [], tokens: 0 }

function sectionForms(forms: readonly (Form | undefined)[]): SectionForms {
  const shown: Form[] = []
  let tokens = 0
  for (const form of forms) {
    if (form === undefined) continue
    shown.push(form)
    tokens += form.tokens
  }
  return { forms, shown, tokens }
}

interface Chosen {
  readonly candidate: Candidate
  readonly setting: LadderSetting
  readonly form: number
}

/** A definition of a tool loses nothing by being written short. */
function formOf(forms: FormReader, { candidate, setting, form }: Chosen): Form | undefined {
  if (form === 0 && candidate.item.kind !== 'tool-schema') return forms.full(candidate, setting.writing)
  const ladder = forms.ladder(candidate, setting)
  return ladder.form(form === 0 ? ladder.lossless : form)
}
