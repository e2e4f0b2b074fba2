import { z } from 'zod'
import type { TeamAccess } from '../../../schema/core/context.ts'
import { Button } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { Name } from '../../web/components/name.tsx'
import { DateTime } from '../../web/components/time.tsx'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { AcceptInvitationDocument, DeclineInvitationDocument } from '../generated/operations.ts'
import type { AccountQuery } from '../generated/operations.ts'
import { joined } from '../invitations/join.ts'
import { roleNames } from '../labels.ts'
import { quoteName } from '../../web/display-name.ts'

const byId = z.object({ id: text })

export const acceptInvitation = form({
  fields: byId,
  document: AcceptInvitationDocument,
  variables: (input) => ({ input }),
  notice: ({ acceptInvitation }) => joined(acceptInvitation.team),
  renewsSession: true,
  onSuccess: (data) => `/teams/${data.acceptInvitation.team.slug}`,
})

export const declineInvitation = form({
  fields: byId.extend({ team: text }),
  document: DeclineInvitationDocument,
  variables: ({ id }) => ({ input: { id } }),
  notice: (_, __, { team }) => `The invitation to the team ${quoteName(team)} was declined.`,
})

/** Principals have roles as they are stored, and operations as GraphQL names them. */
const roleLabelOf = (role: TeamAccess['role']) => Object.entries(roleNames).find(([name]) => name.toLowerCase() === role)?.[1]

type Invitation = AccountQuery['viewer']['invitations'][number]

interface TeamsSectionProps {
  teams: readonly TeamAccess[]
  invitations: readonly Invitation[]
}

/** The teams of the user, and the invitations to others. */
export const TeamsSection = ({ teams, invitations }: TeamsSectionProps) => (
  <section>
    <h2>Teams</h2>
    {invitations.length > 0 && (
      <ul class="entries" id="invitations">
        {invitations.map((invitation) => (
          <Invited {...invitation} />
        ))}
      </ul>
    )}
    {teams.length > 0 ? (
      <ul class="entries" id="teams">
        {teams.map(({ team: { slug, name }, role }) => (
          <li>
            <div>
              <a href={`/teams/${slug}`}>
                <Name>{name}</Name>
              </a>{' '}
              <span class="about">{roleLabelOf(role)}</span>
            </div>
          </li>
        ))}
      </ul>
    ) : (
      <p class="empty">You are not a member of a team yet. Create one, or ask an owner of a team to invite you.</p>
    )}
    <p>
      <a href="/teams/new">Create a team</a>
    </p>
  </section>
)

const Invited = ({ id, teamName, inviterName, role, expiresAt, isVoid }: Invitation) => (
  <li>
    <div>
      Invitation to <Name>{teamName}</Name> <span class="badge">{roleNames[role]}</span>
      <p class="hint">
        {inviterName !== null && (
          <>
            From <bdi>{inviterName}</bdi>,{' '}
          </>
        )}
        expires on <DateTime at={expiresAt} />
        {isVoid && '. The sender can no longer invite members: ask another owner of the team.'}
      </p>
    </div>
    <div class="buttons">
      {!isVoid && (
        <Form name="accept" hidden={{ id }}>
          <Button>
            Accept
            <OfTeam name={teamName} />
          </Button>
        </Form>
      )}
      <Form name="decline" hidden={{ id, team: teamName }}>
        <Button kind="second">
          Decline
          <OfTeam name={teamName} />
        </Button>
      </Form>
    </div>
  </li>
)

/** Distinguishes the buttons of several invitations for screen readers. */
const OfTeam = ({ name }: { name: string }) => (
  <span class="visually-hidden">
    {' '}
    <bdi>{name}</bdi>
  </span>
)
