import type { ComponentChildren } from 'preact'
import { Address } from '../../web/components/address.tsx'
import { Avatar } from '../../web/components/avatar.tsx'
import { Fact, Facts } from '../../web/components/facts.tsx'
import { Day, RelativeTime } from '../../web/components/time.tsx'
import { auditTrail } from '../audit/audit-trail.tsx'
import type { PageContext } from '../framework/page-context.ts'
import type { MemberPageQuery } from '../generated/operations.ts'
import { accessLabel, roleNames } from '../labels.ts'

/** The member that the page shows. */
export type Member = MemberPageQuery['team']['member']

/** Returns how the user became a member, as the audit log says. */
function formatOrigin(origin: Member['origin']): ComponentChildren {
  switch (origin?.kind) {
    case 'CREATOR':
      return 'Creation of the team'
    case 'INVITATION':
      return origin.inviterName === null ? (
        'Invitation'
      ) : (
        <>
          Invitation by <bdi>{origin.inviterName}</bdi>
        </>
      )
    case 'PROVIDER':
      return origin.providerName === null ? 'Identity provider' : <bdi>{origin.providerName}</bdi>
    case 'DIRECTORY':
      return 'Directory'
    case 'OPERATOR':
      return 'Operator or import'
    case undefined:
      return 'Not recorded'
  }
}

/** Returns who adds and removes the member, and who decides the role. */
function getManager({ isInDirectory, isManaged }: Pick<Member, 'isInDirectory' | 'isManaged'>): string {
  if (isInDirectory) return isManaged ? 'Directory and its groups' : 'Directory; owners decide the role'
  return isManaged ? 'Groups of the identity provider' : 'Owners'
}

/** Properties of a member of the team. Users who may change members also see the last activity and the use of two-factor authentication. */
export const MemberFacts = ({ member, ctx }: { member: Member; ctx: PageContext }) => (
  <section class="member-facts">
    <Avatar of="person" size="large" name={member.name} picture={member.pictureUrl} />
    <Facts>
      <Fact name="Email address">
        <Address>{member.email}</Address>
      </Fact>
      <Fact name="Role">
        {roleNames[member.role]}
        {member.isManaged && (
          <>
            {' '}
            <span class="badge">{member.isInDirectory ? 'Managed by directory' : 'Managed by identity provider'}</span>
          </>
        )}
      </Fact>
      <Fact name="Products">{accessLabel(member.accessibleAppIds)}</Fact>
      <Fact name="Joined">
        <Day at={member.joinedAt} />
      </Fact>
      {member.hasTwoFactor !== null && (
        <>
          <Fact name="Joined through">{formatOrigin(member.origin)}</Fact>
          <Fact name="Managed by">{getManager(member)}</Fact>
          <Fact name="Last active">
            <RelativeTime at={member.lastActiveAt} />
          </Fact>
          <Fact name="Two-factor authentication">{member.hasTwoFactor ? 'On' : 'Off'}</Fact>
        </>
      )}
    </Facts>
    {ctx.isAllowed(auditTrail.requirements) && (
      <p>
        <a href={`/teams/${ctx.param('team')}/audit-trail?${new URLSearchParams({ user: member.id })}`}>Activity of this member</a>
      </p>
    )}
  </section>
)
