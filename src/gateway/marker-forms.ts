/** The parts of a marker's text, in order; every prefix of a marker is told by them as well. */
type Form = readonly string[]

const number = String.raw`\d{1,9}`
const handle = '[A-Za-z0-9_-]{1,64}'
const name = String.raw`[\p{L}\p{N}_.:/-]{1,80}`
const call: Form = ['rehydrate("', handle, '")']

const forms: readonly Form[] = [
  ...[[number], [number, '-', number]].flatMap((range): Form[] => [
    ...['[line ', '[lines '].map((head) => [head, ...range, ' folded: rehydrate("', handle, '", "', ...range, '")]']),
    ...['[line ', '[lines ', '['].map((head) => [head, ...range, ' folded: ', handle, ']']),
  ]),
  ...['[', '[+'].flatMap((head) =>
    [' line', ' lines'].flatMap((unit) =>
      [' as in step ', ' as in the call of step '].flatMap((where): Form[] => [
        [head, number, unit + where, number, ']'],
        [head, number, unit + where, number, ', from: ', '.{1,40}', ']'],
      ]),
    ),
  ),
  ['[folded: ', ...call, ']'],
  ['[folded, error: ', ...call, ']'],
  ['[Tool: ', name, ' - ok, ', number, ' tokens] ', ...call],
  ['[Tool: ', name, ' - ok, ', number, ' tokens, step ', number, '] ', ...call],
]

const patterns = new Set([number, handle, name, '.{1,40}'])

/** A pattern that a text matches whole when it is a form of ours or the beginning of one. */
function prefixPattern(form: Form): string {
  const atoms = form.flatMap((part) => (patterns.has(part) ? [part] : Array.from(part, escaped)))
  return atoms.reduceRight((rest, atom) => `(?:$|${atom}${rest})`, '[ \\t]*$')
}

function escaped(character: string): string {
  return character.replace(/[[\]()+.*?|{}\\^$]/, String.raw`\$&`)
}

function wholePattern(form: Form): string {
  return form.map((part) => (patterns.has(part) ? part : Array.from(part, escaped).join(''))).join('')
}

const wholeForm = new RegExp(`^(?:${forms.map(wholePattern).join('|')})$`, 'u')
const prefixForm = new RegExp(`^(?:${forms.map(prefixPattern).join('|')})`, 'u')

/** Longer than any marker with the blanks that may follow it. */
export const longestMarker = 260

/** Whether a text is one of our markers, with blanks behind it or not, or the beginning of one. */
export function mayBeMarker(text: string): boolean {
  return text.length < longestMarker && prefixForm.test(text)
}

/** Whether a text has a form of ours; whether it is a marker depends on its handle, or on the reference being known. */
export function hasMarkerForm(text: string): boolean {
  return text.length < longestMarker && wholeForm.test(text)
}
