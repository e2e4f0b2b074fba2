import { isSameAccess } from '../../apps/application.ts'
import { invalid } from '../../core/errors.ts'
import type { FieldErrors } from '../../core/errors.ts'
import type { MemberTerms } from './terms-of-groups.ts'

/**
 * Throws if a change would give another role or products to a member for whom groups decide these. The next sign-in or the directory would
 * undo it. Making such a member an owner is possible and ends the management.
 */
export function requireUnmanaged(member: MemberTerms & { name: string; isManaged: boolean }, terms: MemberTerms): void {
  if (!member.isManaged || terms.role === 'owner') return
  const messages = [`${member.name} is managed by the team's identity provider.`]
  const errors: FieldErrors = {}
  if (terms.role !== member.role) errors.role = messages
  if (!isSameAccess(terms.accessibleAppIds, member.accessibleAppIds)) errors.accessibleAppIds = messages
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
