import { z } from 'zod'
import { asConstraint, constraintShape, shape } from '../core/index.ts'
import type { Constraint } from '../core/index.ts'

const given = z.union([z.string().min(1), z.record(z.string(), z.unknown())])

/** What the operator has hold: by the system's authority by default. */
export const constraints = z
  .array(given)
  .max(100)
  .transform(read({ authority: 'system' }))

/** What a request has hold for itself, which never overrules the operator. */
export const clientConstraints = z
  .array(given)
  .max(100)
  .transform(read({ authority: 'developer', notAs: 'system' }))

/** What answers should have, and are asked for once more where they lack it: texts that must stand in them, or points with a check. */
export const checklist = z
  .array(given)
  .max(100)
  .transform((list, issues) =>
    read({ authority: 'developer' })(list, issues).map((point, index) => {
      if (typeof list[index] !== 'string' && point.check === undefined)
        issues.addIssue({
          code: 'custom',
          path: [index, 'check'],
          message: 'is missing: nothing tells whether it is met',
        })
      return { ...point, strength: 'soft' as const, check: point.check ?? { contains: [point.text] } }
    }),
  )

interface ReadAs {
  /** Whose words they are unless they say so. */
  readonly authority: NonNullable<Constraint['authority']>
  /** Whose they may not be. */
  readonly notAs?: Constraint['authority']
}

type Issues = Parameters<Parameters<z.ZodArray['transform']>[0]>[1]

function read({ authority, notAs }: ReadAs): (list: readonly unknown[], issues: Issues) => readonly Constraint[] {
  return (list, issues) =>
    list.map((value, index) => {
      const problem = oneShape.problem(value, { strict: true })
      if (problem) issues.addIssue({ code: 'custom', path: [index, problem.field], message: problem.message })
      const constraint = { authority, ...asConstraint(value as string | Constraint) }
      if (notAs !== undefined && constraint.authority === notAs)
        issues.addIssue({ code: 'custom', path: [index, 'authority'], message: `cannot be ${notAs} here` })
      return constraint
    })
}

const oneShape = shape.textOr(shape.name, constraintShape)
