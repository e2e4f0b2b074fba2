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
          <Fact name="Last active">
            <RelativeTime at={member.lastActiveAt} />
          </Fact>
          <Fact name="Two-factor authentication">{member.hasTwoFactor ? 'On' : 'Off'}</Fact>
        </>
      )}
    </Facts>
    {ctx.isAllowed(auditTrail.requirements) && (
      <p>
        <a href={`/teams/${ctx.param('team')}/audit-trail?${new URLSearchParams({ user: member.id })}`}>What this member changed</a>
      </p>
    )}
  </section>
)
