/** Groups of figures of a policy, which change member by member. */
export const policyGroups = ['floors', 'rank', 'pressure', 'epochs'] as const
