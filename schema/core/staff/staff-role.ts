import { StaffRole } from '../../../prisma/generated/client/enums.ts'

/** The roles of staff. Each includes the ones before it (docs/decisions/staff.md#roles). */
export const staffRoles = [StaffRole.reader, StaffRole.support, StaffRole.admin] as const
export type AnyStaffRole = (typeof staffRoles)[number]

/** Returns true if a role is at least another one. Null is the role of a user who is not staff. */
export const includesStaffRole = (role: AnyStaffRole | null, least: AnyStaffRole): boolean =>
  role !== null && staffRoles.indexOf(role) >= staffRoles.indexOf(least)

/** SQL for the role of a user, or NULL. Users who became staff before there were roles have none. The argument is the alias of `users`. */
export const staffRoleSql = (user: string): string => `CASE WHEN ${user}.staff THEN coalesce(${user}.staff_role, 'reader') END`

/** Returns the role of a user, or null, as `staffRoleSql` does. */
export const findStaffRole = ({ staff, staffRole }: { staff: boolean; staffRole: AnyStaffRole | null }): AnyStaffRole | null =>
  staff ? (staffRole ?? StaffRole.reader) : null
