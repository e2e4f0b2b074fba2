import type { ClientBase } from 'pg'
import { invalid } from '../core/errors.ts'

// Every team keeps at least one owner with an enabled account: SQL's `has_enabled_owner`. The trigger `members_last_owner` enforces
// the rule in the database for every writer. The functions here detect a violation first, because an error of the trigger has no
// message for the caller.

/** Returns the error message of the rule; `team` is the name of the team if the caller changes more than one. */
export const lastOwnerMessage = (team?: string) => `The team ${team === undefined ? '' : `${team} `}must keep at least one owner.`

/** Throws `last_owner` if a team has no other owner. Call it with the team locked, before an owner is demoted or removed. */
export function requireAnotherOwner({ hasOtherOwner }: { hasOtherOwner: boolean }): void {
  if (!hasOtherOwner) throw invalid({ role: [lastOwnerMessage()] }, 'last_owner')
}

/** Returns the teams that break the rule, for an import, which checks the rule at the end of its transaction. */
export async function teamsWithoutOwner(session: ClientBase, teamIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await session.query<{ id: string }>(
    `SELECT id FROM teams WHERE id = ANY ($1::uuid[]) AND deleted_at IS NULL AND NOT has_enabled_owner(id)`,
    [[...new Set(teamIds)]],
  )
  return new Set(rows.map(({ id }) => id))
}
