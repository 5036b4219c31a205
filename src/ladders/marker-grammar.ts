import { rehydrateToolName, shownAs } from '../core/index.ts'

/** What may stand in a slot of a marker: which characters, and how many. Names come cleaned, numbers are counts. */
const slots = {
  first: { of: String.raw`\d`, least: 1, most: 9 },
  last: { of: String.raw`\d`, least: 1, most: 9 },
  lines: { of: String.raw`\d`, least: 1, most: 9 },
  rows: { of: String.raw`\d`, least: 1, most: 9 },
  columns: { of: String.raw`\d`, least: 1, most: 4 },
  picked: { of: String.raw`\d`, least: 1, most: 4 },
  step: { of: String.raw`\d`, least: 1, most: 9 },
  back: { of: String.raw`\d`, least: 1, most: 9 },
  tokens: { of: String.raw`\d`, least: 1, most: 9 },
  bytes: { of: String.raw`\d`, least: 1, most: 9 },
  failures: { of: String.raw`\d`, least: 1, most: 9 },
  exit: { of: String.raw`[\d-]`, least: 1, most: 11 },
  handle: { of: '[A-Za-z0-9_-]', least: 4, most: 64 },
  name: { of: String.raw`[\p{L}\p{N}_.:/#-]`, least: 1, most: 80 },
  gist: { of: String.raw`[\p{L}\p{N} ,.'-]`, least: 1, most: 72 },
  extent: { of: '[0-9a-z-]', least: 1, most: 24 },
  shape: { of: '[0-9a-z-]', least: 1, most: 48 },
} as const

type Slot = keyof typeof slots

/** The tool call that brings an original back, whole or by lines; the text every marker carries. */
const call = `${rehydrateToolName}("{handle}")`
const rangeCall = (range: string): string => `${rehydrateToolName}("{handle}", "${range}")`

/**
 * Every marker that stands in a context in place of something, by its name. Makers fill these templates, the parser and
 * the recogniser of beginnings are derived from them. The wording never suggests damage to a file.
 */
const templates = {
  'lines': `[lines {first}-{last} folded: ${rangeCall('{first}-{last}')}]`,
  'line': `[line {first} folded: ${rangeCall('{first}')}]`,
  'brief-lines': '[{first}-{last} folded: {handle}]',
  'brief-line': '[line {first} folded: {handle}]',
  'call-lines': `[lines {first}-{last} written, not shown: ${rangeCall('{first}-{last}')}]`,
  'call-line': `[line {first} written, not shown: ${rangeCall('{first}')}]`,
  'brief-call-lines': '[{first}-{last} not shown: {handle}]',
  'brief-call-line': '[line {first} not shown: {handle}]',
  'repeats': `[+{lines} lines as in step {step}: ${rangeCall('{first}-{last}')}]`,
  'repeats-call': `[+{lines} lines as in the call of step {step}: ${rangeCall('{first}-{last}')}]`,
  'repeats-back': `[+{lines} lines as in step {step}, {back} before this: ${rangeCall('{first}-{last}')}]`,
  'repeats-call-back': `[+{lines} lines as in the call of step {step}, {back} before this: ${rangeCall('{first}-{last}')}]`,
  'brief-repeats': '[repeats lines {first}-{last} of step {step}]',
  'brief-repeats-call': '[repeats lines {first}-{last} of the call of step {step}]',
  'brief-repeats-back': '[repeats lines {first}-{last} of step {step}, {back} before this]',
  'brief-repeats-call-back': '[repeats lines {first}-{last} of the call of step {step}, {back} before this]',
  'data': '[{bytes} characters of data left out: {handle}]',
  'ends': '[usual wrapper left out: {handle}]',
  'ends-step': '[usual wrapper left out, see step {step}]',
  'schema': `[descriptions left out: ${call}]`,
  'schema-examples': `[examples left out: ${call}]`,
  'pointer': `[folded: ${call}]`,
  'pointer-error': `[folded, error: ${call}]`,
  'pointer-reported': `[folded, failures reported: ${call}]`,
  'refer': `[REF: {name} - {gist}] ${call}`,
  'extract': `[extract: ${call}]`,
  'table': `[Table: {rows} of {lines} rows, {picked} of {columns} columns] ${call}`,
  'summary': `[Summary: turns {first}-{last}, {tokens} tokens] ${call}`,
  'steps': `[Steps {first}-{last} left out, {tokens} tokens] ${call}`,
  'turn': `[Turn: {name}, {tokens} tokens] ${call}`,
  'evidence': `[Evidence: {name}, {tokens} tokens] ${call}`,
  'memory': `[Memory: {name}, {tokens} tokens] ${call}`,
  'image-shown': `[Image: {name}, {extent}${shownAs}{shape}] ${call}`,
  'audio-shown': `[Audio: {name}, {extent}${shownAs}{shape}] ${call}`,
  'image': `[Image: {name}, {extent}, {tokens} tokens] ${call}`,
  'image-step': `[Image: {name}, {extent}, {tokens} tokens, step {step}] ${call}`,
  'audio': `[Audio: {name}, {extent}, {tokens} tokens] ${call}`,
  'audio-step': `[Audio: {name}, {extent}, {tokens} tokens, step {step}] ${call}`,
  'video': `[Video: {name}, {extent}, {tokens} tokens] ${call}`,
  'video-step': `[Video: {name}, {extent}, {tokens} tokens, step {step}] ${call}`,
  'document': `[Document: {name}, {extent}, {tokens} tokens] ${call}`,
  'document-step': `[Document: {name}, {extent}, {tokens} tokens, step {step}] ${call}`,
  'tool-ok': `[Tool: {name} - ok, {tokens} tokens] ${call}`,
  'tool-reported': `[Tool: {name} - ok, {failures} failures reported, {tokens} tokens] ${call}`,
  'tool-reported-one': `[Tool: {name} - ok, 1 failure reported, {tokens} tokens] ${call}`,
  'tool-error': `[Tool: {name} - error, {tokens} tokens] ${call}`,
  'tool-ok-step': `[Tool: {name} - ok, {tokens} tokens, step {step}] ${call}`,
  'tool-reported-step': `[Tool: {name} - ok, {failures} failures reported, {tokens} tokens, step {step}] ${call}`,
  'tool-reported-one-step': `[Tool: {name} - ok, 1 failure reported, {tokens} tokens, step {step}] ${call}`,
  'tool-error-step': `[Tool: {name} - error, {tokens} tokens, step {step}] ${call}`,
  'tool-error-exit': `[Tool: {name} - error, {tokens} tokens] exit {exit}; ${call}`,
  'tool-error-step-exit': `[Tool: {name} - error, {tokens} tokens, step {step}] exit {exit}; ${call}`,
} as const

export type MarkerForm = keyof typeof templates

export type SlotValues = { readonly [Name in Slot]?: string | number }

export interface ReadMarker {
  readonly form: MarkerForm
  readonly values: { readonly [Name in Slot]?: string }
}

/** The forms of markers, in a fixed order. */
export const markerForms = Object.keys(templates) as readonly MarkerForm[]

/** Fills a marker's template; a slot that is not given is a defect of the caller's. */
export function writeMarker(form: MarkerForm, values: SlotValues): string {
  const parts = pieces[form]
  let text = ''
  for (let place = 0; place < parts.length; place += 1) {
    const part = parts[place] ?? ''
    text += place % 2 === 0 ? part : String(values[part as Slot])
  }
  return text
}

/** Of each template: what stands as it is, and the names of the slots between. */
const pieces = Object.fromEntries(
  Object.entries(templates).map(([form, template]) => [form, template.split(/\{(\w+)\}/)]),
) as unknown as Readonly<Record<MarkerForm, readonly string[]>>

/** No marker is longer, with a few blanks behind it. */
export const longestMarker = 260

/**
 * Reads a line as a marker. Any text may contain a line of that form: only a marker whose handle or reference the caller
 * knows is ours, so check that before acting on it.
 */
export function readMarker(line: string): ReadMarker | undefined {
  if (line.length >= longestMarker || !line.startsWith('[') || !anyOpening.test(line)) return undefined
  for (const { form, whole } of forms) {
    const groups = whole.exec(line)?.groups
    if (groups !== undefined) return { form, values: { ...groups } }
  }
  return undefined
}

/** Whether a text is a marker, with blanks behind it or not, or the beginning of one. */
export function mayBeMarker(text: string): boolean {
  return text.length < longestMarker && anyBeginning.test(text)
}

/** The literal texts and the slots of a template, in order. */
type Part = { readonly literal: string } | { readonly slot: Slot }

function partsOf(template: string): readonly Part[] {
  return template.split(/(\{\w+\})/).flatMap((part): readonly Part[] => {
    if (part === '') return []
    return part.startsWith('{') ? [{ slot: part.slice(1, -1) as Slot }] : [{ literal: part }]
  })
}

/** A slot that comes again says the same again. */
function wholePattern(parts: readonly Part[]): string {
  const seen = new Set<Slot>()
  return parts
    .map((part) => {
      if ('literal' in part) return Array.from(part.literal, escaped).join('')
      if (seen.has(part.slot)) return String.raw`\k<${part.slot}>`
      seen.add(part.slot)
      const { of, least, most } = slots[part.slot]
      return `(?<${part.slot}>${of}{${least},${most}})`
    })
    .join('')
}

/** Matches every beginning of the form, and the form with blanks behind it. */
function beginningPattern(parts: readonly Part[]): string {
  const atoms = parts.flatMap((part) =>
    'literal' in part ? Array.from(part.literal, escaped) : [someOf(slots[part.slot])],
  )
  return atoms.reduceRight((rest, atom) => `(?:$|${atom}${rest})`, '[ \\t]*$')
}

function someOf({ of, least, most }: (typeof slots)[Slot]): string {
  return `${of}{${Math.min(1, least)},${most}}`
}

function escaped(character: string): string {
  return character.replace(/[[\]()+.*?|{}\\^$]/, String.raw`\$&`)
}

const forms = markerForms.map((form) => ({
  form,
  whole: new RegExp(`^${wholePattern(partsOf(templates[form]))}$`, 'u'),
}))
const anyBeginning = new RegExp(
  `^(?:${markerForms.map((form) => beginningPattern(partsOf(templates[form]))).join('|')})`,
  'u',
)

/** The bracket of a marker and the character behind it, which most lines in brackets do not have. */
const anyOpening = new RegExp(`^\\[(?:${openings().join('|')})`, 'u')

function openings(): readonly string[] {
  const behind = markerForms.map((form) => partsOf(templates[form].slice(1))[0])
  return [...new Set(behind.map(openingOf))]
}

function openingOf(part: Part | undefined): string {
  if (part === undefined) return ''
  return 'slot' in part ? slots[part.slot].of : escaped(part.literal.charAt(0))
}
