/** Whose data: nothing is read or written without both, so that one tenant never meets another's. */
export interface Scope {
  readonly tenant: string
  readonly session: string
  /** Which of the conversations that go under the session's name; each has a ledger of its own. */
  readonly lane?: string
}

/** Where a handle is looked up. */
export type HandleScope = Pick<Scope, 'tenant'> & Partial<Scope>

/** The scope of values that belong to the installation, not to a tenant. */
export const installation: Scope = { tenant: '', session: '' }
