import { z } from 'zod'
import { applicationAccess } from '../apps/application.ts'
import type { Context } from '../core/context.ts'
import { forbidden } from '../core/errors.ts'
import { isRecent } from '../core/team-access/recent-sign-in.ts'
import { requirePrincipal } from '../core/team-access/team-access.ts'
import { role } from './role.ts'

export const changeMembers = { scopes: ['acct:team:members:write'], roles: ['owner'] } as const

/** The properties of a member that can be changed (docs/decisions/resources.md#updates). */
export const memberRules = {
  role: role.describe('The new membership role.'),
  accessibleAppIds: applicationAccess.describe(
    'The products the member may use; null grants all products of the team, an empty list none.',
  ),
}

export const memberUpdateRules = z
  .object(memberRules)
  .partial()
  .refine((input) => input.role !== undefined || input.accessibleAppIds !== undefined, {
    path: ['role'],
    message: 'The :attribute field is required when accessible app ids is not present.',
  })

/**
 * Throws unless the caller may make someone an owner. A team token never may (docs/decisions/permissions.md#team-tokens). A session needs a
 * recent sign-in, so that a person at an unlocked screen cannot transfer a team.
 */
export function authorizeMakingOwner(context: Context): void {
  const principal = requirePrincipal(context)
  if (principal.kind === 'team') throw forbidden('role_required')
  if (!isRecent(principal, context.now())) throw forbidden('recent_sign_in_required')
}
