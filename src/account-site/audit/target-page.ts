import type { AuditSubject } from '../../../schema/core/audit/actions.ts'
import type { PageContext } from '../framework/page-context.ts'

/** Paths of the pages of subjects below the path of the team. `:id` is the identifier; null for a type without a page of its own. */
export const subjectPages: Readonly<Record<AuditSubject, string | null>> = {
  Team: '',
  TeamMember: '/members/:id',
  TeamInvitation: '/invitations',
  TeamInvoice: '/invoices/:id',
  TeamToken: '/tokens/:id',
  MemberToken: '/access',
  Grant: '/access',
  Webhook: '/webhooks/:id',
  WorkloadIdentity: '/identities/:id',
  TeamDomain: '/sign-in/domains',
  IdentityProvider: '/sign-in/:id',
  OAuthClient: null,
}

/** Returns the path of the page on which a changed object is; null if it was deleted or has no page. */
export function getTargetPage(
  ctx: PageContext,
  { subject, subjectObject }: { subject: string; subjectObject: { __typename: AuditSubject } | null },
): string | null {
  const page = subjectObject && subjectPages[subjectObject.__typename]
  return page === null ? null : `/teams/${ctx.param('team')}${page.replace(':id', subject)}`
}
