import { z } from 'zod'
import type { TeamAccess } from '../../../schema/core/principals.ts'
import { picturePath } from '../../../schema/pictures/picture-url.ts'
import { Avatar } from '../../web/components/avatar.tsx'
import { hasAddress } from '../../../schema/core/mails/placeholder-address.ts'
import { StrongAddress, Name } from '../../web/components/address.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { DateTime } from '../../web/components/time.tsx'
import { newTeamPath, ownTeamsPath } from '../../web/page-paths.ts'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { AcceptInvitationDocument, DeclineInvitationDocument, OwnTeamsDocument } from '../generated/operations.ts'
import type { OwnTeamsQuery } from '../generated/operations.ts'
import { joined } from '../invitations/join.ts'
import { roleNames } from '../labels.ts'
import { quoteName } from '../../web/display-name.ts'
import { ClosedTeamEntry, findClosedTeams } from './closed-teams.tsx'
import { resendVerification, Unverified } from './email-section.tsx'

const byId = z.object({ id: text })

const acceptInvitation = form({
  fields: byId,
  document: AcceptInvitationDocument,
  variables: (input) => ({ input }),
  notice: ({ acceptInvitation }) => joined(acceptInvitation.team),
  renewsSession: true,
  onSuccess: (data) => `/teams/${data.acceptInvitation.team.slug}`,
})

const declineInvitation = form({
  fields: byId.extend({ team: text }),
  document: DeclineInvitationDocument,
  variables: ({ id }) => ({ input: { id } }),
  notice: (_, __, { team }) => `The invitation to the team ${quoteName(team)} was declined.`,
})

/** Principals contain roles as they are stored; GraphQL operations name them differently. */
const getRoleLabel = (role: TeamAccess['role']) => Object.entries(roleNames).find(([name]) => name.toLowerCase() === role)?.[1]

type Invitation = OwnTeamsQuery['viewer']['invitations'][number]

/** The teams of the user, and the invitations to others. */
export const ownTeams = page({
  path: ownTeamsPath,
  title: 'Your teams',
  nav: { group: 'account', icon: 'teams', order: 15 },
  document: OwnTeamsDocument,
  forms: { resend: resendVerification, accept: acceptInvitation, decline: declineInvitation },
  view({ viewer: { invitations, missingSignIns } }, ctx) {
    const { teams, person } = ctx
    const closed = findClosedTeams(ctx, missingSignIns)
    return (
      <>
        {person?.user.emailVerified === false && (
          <section>
            <h2>Email address</h2>
            <Unverified email={person.user.email} />
          </section>
        )}
        {invitations.length > 0 && (
          <section>
            <h2>{invitations.length === 1 ? 'You are invited to a team' : `You are invited to ${invitations.length} teams`}</h2>
            <ul class="entries" id="invitations">
              {invitations.map((invitation) => (
                <Invited {...invitation} />
              ))}
            </ul>
          </section>
        )}
        {teams.length > 0 || closed.length > 0 ? (
          <section>
            <ul class="entries topics" id="own-teams">
              {teams.map(({ team: { slug, name, logoId }, role }) => (
                <li class="who">
                  <Avatar of="team" name={name} picture={picturePath(logoId)} />
                  <div>
                    <a href={`/teams/${slug}`}>
                      <Name>{name}</Name>
                    </a>
                    <p class="hint">{getRoleLabel(role)}</p>
                  </div>
                </li>
              ))}
              {closed.map((each) => (
                <ClosedTeamEntry {...each} />
              ))}
            </ul>
          </section>
        ) : (
          <NoTeam email={person?.user.email ?? ''} isInvited={invitations.length > 0} />
        )}
        {(teams.length > 0 || closed.length > 0) && (
          <p>
            <a class="button second" href={newTeamPath}>
              Create a team
            </a>
          </p>
        )}
      </>
    )
  },
})

/** Actions of a user without a team. Invitations are above it. */
const NoTeam = ({ email, isInvited }: { email: string; isInvited: boolean }) => (
  <>
    {!isInvited && hasAddress(email) && (
      <section>
        <h2>Join a team</h2>
        <p>
          You are not a member of a team yet. Ask an owner of a team to invite <StrongAddress>{email}</StrongAddress>. The invitation
          appears on this page, and you get an email.
        </p>
      </section>
    )}
    <section>
      <h2>Create a team</h2>
      <p>You become its owner. You can invite others and choose which products they can use.</p>
      <Buttons>
        <a class={isInvited ? 'button second' : 'button'} href={newTeamPath}>
          Create a team
        </a>
      </Buttons>
    </section>
  </>
)

const Invited = ({ id, teamName, inviterName, role, expiresAt, isVoid }: Invitation) => (
  <li>
    <div>
      <Name>{teamName}</Name> <span class="badge">{roleNames[role]}</span>
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

/** A hidden text that distinguishes the buttons of several invitations for screen readers. */
const OfTeam = ({ name }: { name: string }) => (
  <span class="visually-hidden">
    {' '}
    <bdi>{name}</bdi>
  </span>
)
