import { enumType } from './enum-type.ts'
import type { AnyStaffRole } from '../core/staff/staff-role.ts'

export const StaffRoleType = enumType('StaffRole', 'What a user who is staff can do. Each role includes the ones before it.', {
  reader: 'Reads the data of all teams and users.',
  support: 'Also helps users: sends emails again, ends sessions, reviews apps, restores deleted teams.',
  admin: 'Also disables and enables users, clients, identity providers and webhooks, and revokes tokens and grants.',
} satisfies Record<AnyStaffRole, string>)
