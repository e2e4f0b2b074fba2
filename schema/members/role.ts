import { z } from 'zod'
import { Role } from '../../prisma/generated/client/enums.ts'
import { enumType } from '../builder/enum-type.ts'

export const RoleType = enumType('Role', 'What a member may do in a team.', {
  owner: 'May do everything in the team.',
  member: 'Sees the team, its members and products.',
  billing: 'A member who also sees invoices.',
} satisfies Record<Role, string>)

/** The role in REST and import records. OpenAPI refers to it by this id. */
export const role = z.enum(Role).meta({ id: 'Role' })
