import { Name } from '../../../web/components/address.tsx'
import { Fact, Facts } from '../../../web/components/facts.tsx'
import { Buttons } from '../../../web/components/forms/button.tsx'
import { formatTotal } from '../../../web/components/lists/list-card.tsx'
import { DateTime, Day } from '../../../web/components/time.tsx'
import type { Role } from '../../generated/operations.ts'
import { Act } from '../act.tsx'
import type { TeamPart, TeamState } from './team-part.ts'
import { SupportFact } from '../support-fact.tsx'
import { teamActs } from './team-acts.ts'

/** The state of a team in one word. A team that can be used has none. */
export const TeamStateBadge = ({ state: { deletedAt, erasedAt } }: Pick<TeamPart, 'state'>) =>
  erasedAt === null ? deletedAt !== null && <span class="badge alert">Deleted</span> : <span class="badge alert">Erased</span>

const roleNouns: Record<Role, readonly [string, string]> = {
  OWNER: ['owner', 'owners'],
  MEMBER: ['member', 'members'],
  BILLING: ['billing member', 'billing members'],
}

/** What a team is and requires, and the act that restores it. */
export const TeamFacts = ({ state, ctx }: TeamPart) => {
  const { team, memberCounts, isMember } = state
  return (
    <section>
      {state.deletedAt !== null && <Deletion state={state} />}
      {isMember && <p class="caution">You are a member of this team, so you cannot act for it as staff.</p>}
      <Facts>
        <Fact name="Slug">
          <code>{team.slug}</code>
        </Fact>
        <Fact name="Created">
          <Day at={team.createdAt} />
        </Fact>
        <Fact name="Members">
          {memberCounts.length === 0 ? 'None' : memberCounts.map(({ role, count }) => formatTotal(count, roleNouns[role])).join(', ')}
        </Fact>
        <Fact name="Open invitations">{state.openInvitationCount.toLocaleString('en')}</Fact>
        <Fact name="Team tokens">{state.tokenCount.toLocaleString('en')}</Fact>
        <Fact name="Two-factor authentication">
          <Requirement from={team.twoFactorRequiredAt} />
        </Fact>
        <Fact name="Sign-in through a provider">
          <SignInRequirement state={state} />
        </Fact>
        <SupportFact session={team.supportSession} path={`/teams/${team.slug}`} />
      </Facts>
      {state.restorableUntil !== null && !isMember && (
        <Buttons>
          <Act ctx={ctx} name="restore" form={teamActs.restore} summary="Restore…" button="Restore the team" isHarmless>
            The team gets back its members, tokens, apps and connections. Its invitations stay revoked. Its owners receive an email with the
            reason.
          </Act>
        </Buttons>
      )}
    </section>
  )
}

const Requirement = ({ from }: { from: string | null }) =>
  from === null ? (
    'Not required'
  ) : (
    <>
      Required from <DateTime at={from} />
    </>
  )

const SignInRequirement = ({ state: { signInRequiredAt, identityProviders } }: { state: TeamState }) => {
  const required = identityProviders.find(({ isRequired }) => isRequired)
  return (
    <>
      <Requirement from={signInRequiredAt} />
      {required && (
        <>
          , through <Name>{required.name}</Name>
        </>
      )}
    </>
  )
}

const Deletion = ({ state: { deletedAt, erasedAt, restorableUntil } }: Pick<TeamPart, 'state'>) => (
  <p class="alert">
    The team was deleted on <DateTime at={deletedAt} />.{' '}
    {erasedAt === null ? (
      restorableUntil === null ? (
        'It can no longer be restored.'
      ) : (
        <>
          It can be restored until <DateTime at={restorableUntil} />.
        </>
      )
    ) : (
      'Its content was erased. Only its invoices remain.'
    )}
  </p>
)
