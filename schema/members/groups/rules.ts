import { z } from 'zod'
import { Role } from '../../../prisma/generated/client/enums.ts'
import { applicationAccess } from '../../apps/application.ts'
import { displayName } from '../../core/validation.ts'

/** Maximum number of groups of a team that have a role. */
export const maxGroupRoles = 200

/** The role that a group gives its members, which is never owner. */
export const groupRoleMembers = { group: displayName, role: z.enum([Role.member, Role.billing]), accessibleAppIds: applicationAccess }
