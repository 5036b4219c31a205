import { z } from 'zod'

/** How far a requirement is met: a test would fail without it, something is missing, or there is nothing of it. */
export const statuses = ['proven', 'partly', 'none'] as const

const number = z.string().regex(/^(?:[GVCPA]-\d{3}|[XBN]-\d{2})$/)
const stated = { number, sentence: z.string().endsWith('.') }

const requirement = z.discriminatedUnion('status', [
  z.strictObject({ ...stated, status: z.literal('proven') }),
  z.strictObject({ ...stated, status: z.literal('partly'), missing: z.string().endsWith('.') }),
  z.strictObject({ ...stated, status: z.literal('none') }),
])

const capability = z.strictObject({
  capability: z.string().regex(/^S\d{2}$/),
  title: z.string().min(1),
  requirements: z.array(requirement).min(1),
})

export type Requirement = Readonly<z.infer<typeof requirement>>

/** One file of `docs/requirements/`: an ability of the product, and what must be true of it. */
export type Capability = Readonly<z.infer<typeof capability>>

/** Throws with the place of whatever is not as a file of requirements must be. */
export function parseCapability(text: string): Capability {
  return capability.parse(JSON.parse(text))
}
