/** How much data the benchmark inserts. */
export interface Sizes {
  teams: number
  users: number
  /** Members of the team `large`. */
  largeTeam: number
}

export const fullSizes: Sizes = { teams: 1_000, users: 200_000, largeTeam: 100_000 }

/** For the quick form, which measures requests only, not growth. */
export const quickSizes: Sizes = { teams: 1_000, users: 10_000, largeTeam: 1_000 }

/** Members of the team `acme`, and its invoices of three lines each. */
export const acmeMembers = 1_000
export const acmeInvoices = 1_000

/** Teams that one connection each changes, so that their row locks do not make connections wait for each other. */
export const changedTeams = 16

/** The callers: each owns this team and this many teams in all, and has a personal token with every scope. */
export const callers = {
  oneTeam: { team: 'acme', teams: 1 },
  thirteenTeams: { team: 'acme', teams: 13 },
  hundredTeams: { team: 'acme', teams: 100 },
  thousandTeams: { team: 'acme', teams: 1_000 },
  largeTeam: { team: 'large', teams: 1 },
} as const

export type Caller = keyof typeof callers
