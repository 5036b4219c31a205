import { invalidInput } from './errors.ts'
import type { Shape } from './shape.ts'

/** A function that a program hands in. */
export function callable<Call>(): Shape<Call> {
  return shapeOf('a function', (value) => typeof value === 'function')
}

/** An object that a program hands in, known by its methods: a store, a catalogue, a client. */
export function withMethods<Value>(what: string, methods: readonly (keyof Value & string)[]): Shape<Value> {
  return shapeOf(`${what}: an object with the methods ${methods.join(', ')}`, (value) => {
    const held: unknown = value
    if ((typeof held !== 'object' && typeof held !== 'function') || held === null) return false
    return methods.every((method) => typeof (held as Readonly<Record<string, unknown>>)[method] === 'function')
  })
}

/** An object that is checked elsewhere. */
export function objectLike<Value>(about = 'an object'): Shape<Value> {
  return shapeOf(about, (value) => typeof value === 'object' && value !== null && !Array.isArray(value))
}

function shapeOf<Value>(about: string, accepts: (value: unknown) => boolean): Shape<Value> {
  return {
    about,
    schema: {},
    problem: (value) =>
      accepts(value)
        ? undefined
        : { field: '', message: value === undefined ? 'is missing' : `is not ${about}`, remedy: `Give ${about}.` },
  }
}

/** The value as JSON text. Throws `invalid-input` where it has no such text: a BigInt, a circle, a function. */
export function jsonTextOf(value: unknown, field: string): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch {
    text = undefined
  }
  if (text === undefined)
    throw invalidInput(
      field,
      'cannot be written as JSON',
      'Give a value without BigInt, functions or circular references.',
    )
  return text
}
