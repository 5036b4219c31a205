import { z } from 'zod'

/** The name of a built-in dialect, or of one that an extension adds. */
export const dialectName = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'is not the name of a dialect')
