import type { PageContext } from '../../framework/page-context.ts'
import type { StaffTeamQuery } from '../../generated/operations.ts'

export type TeamState = StaffTeamQuery['staff']['teamState']

/** The properties of a part of the page of a team. */
export interface TeamPart {
  state: TeamState
  ctx: PageContext
}
