import type { z } from 'zod'
import type { Answered, Route } from './route.ts'

/** An answer that is as its route states it, or what of it is not. */
export type ReadAnswer<Value> = { readonly answer: Answered<Value> } | { readonly problem: string }

/**
 * What a gateway has answered to a route, for clients of ours: held against the route's own statement, so that shapes are stated once. Members
 * that are not known here are a newer gateway's, and stay.
 */
export function readAnswer<Query extends z.ZodObject, Body extends z.ZodType, Answer extends z.ZodType>(
  { answer }: Route<Query, Body, Answer>,
  value: unknown,
): ReadAnswer<z.output<Answer>> {
  const read = answer?.safeParse(value)
  const wrong = read?.error?.issues.find(({ code }) => code !== 'unrecognized_keys')
  if (!wrong) return { answer: value as Answered<z.output<Answer>> }
  return { problem: `${wrong.path.map(String).join('.') || 'the answer'}: ${wrong.message}` }
}
