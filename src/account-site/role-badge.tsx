import type { Role } from './generated/operations.ts'
import { roleNames } from './labels.ts'

const kinds: Record<Exclude<Role, 'MEMBER'>, string> = { OWNER: 'badge info', BILLING: 'badge' }

/** The role of a person in a row of a table. The role that most people have is quiet, so that the others stand out. */
export const RoleBadge = ({ role }: { role: Role }) => <span class={role === 'MEMBER' ? 'default' : kinds[role]}>{roleNames[role]}</span>
