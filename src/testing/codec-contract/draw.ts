import { seededRandom } from '../../core/index.ts'

/** Where generated cases get their chances from: a seed, or a property tester that can shrink. */
export interface Draw {
  /** A whole number from 0 to `most`. */
  whole(most: number): number
  /** Any short text, odd ones included. */
  text(): string
}

/** The same chances for the same seed. */
export function seededDraw(seed: number): Draw {
  const next = seededRandom(seed)
  const whole = (most: number): number => Math.floor(next() * (most + 1))
  const codePoint = (): number => (whole(1) === 0 ? whole(0x7f) : whole(0xd7ff))
  return { whole, text: () => String.fromCodePoint(...Array.from({ length: whole(20) }, codePoint)) }
}

/** One of these, at random; the first is the simplest. */
export function pick<Value>(draw: Draw, ...values: readonly Value[]): Value {
  return values[draw.whole(values.length - 1)] as Value
}

export function chance(draw: Draw, oneIn: number): boolean {
  return draw.whole(oneIn - 1) === oneIn - 1
}

const words = [
  '',
  'ok',
  'line one\nline two',
  'é漢字🙂',
  'a "quoted" \\ path',
  '\ud800 lone',
  '\u0000\u001f',
  '</tool>',
  '{"a":1}',
]

export function text(draw: Draw): string {
  return chance(draw, 4) ? draw.text() : pick(draw, ...words)
}
