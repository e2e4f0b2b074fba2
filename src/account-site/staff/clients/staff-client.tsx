import { isolateName } from '../../../web/display-name.ts'
import { AppStateBadge, ChangesBadge } from '../../developers/app-state.tsx'
import { page } from '../../framework/page.ts'
import type { PageContext } from '../../framework/page-context.ts'
import { StaffClientDocument } from '../../generated/operations.ts'
import type { StaffClientQuery } from '../../generated/operations.ts'
import { Act, mayAct } from '../act.tsx'
import { clientActs } from './client-acts.ts'
import { ClientFacts, Registration } from './client-facts.tsx'
import { Comparison } from './comparison.tsx'
import { staffClientsPath } from '../staff-paths.ts'

type Client = StaffClientQuery['staff']['client']

/** An app, the changes that wait for a review, and what staff can do with it. */
export const staffClient = page({
  path: `${staffClientsPath}/:client`,
  title: ({ staff: { client } }) => isolateName(client.name),
  badge: ({ staff: { client } }) => (
    <>
      <AppStateBadge {...client} /> <ChangesBadge {...client} />
    </>
  ),
  parent: staffClientsPath,
  document: StaffClientDocument,
  variables: (ctx) => ({ clientId: ctx.param('client') }),
  forms: clientActs,
  view: ({ staff: { client } }, ctx) => (
    <>
      <ClientFacts client={client} />
      {client.proposedChanges.length > 0 && <Comparison changes={client.proposedChanges} />}
      <Acts client={client} ctx={ctx} />
      <Registration client={client} />
    </>
  ),
})

/** Returns true if the user is a member of the team that owns the app, about which they cannot decide as staff. */
const isOwnClient = ({ teams, teamsLackingTwoFactor, teamsLackingSignIn }: PageContext, { ownerTeamSlug }: Client) =>
  [...teams, ...teamsLackingTwoFactor, ...teamsLackingSignIn].some(({ team }) => team.slug === ownerTeamSlug)

const informed = 'The owners of its team receive an email with the reason.'

const Acts = ({ client, ctx }: { client: Client; ctx: PageContext }) => {
  if (isOwnClient(ctx, client))
    return <p class="caution banner">The app belongs to a team of yours, so you cannot decide about it as staff.</p>
  const { state, version, disabledAt, proposedChanges, name } = client
  const isOfTeam = client.source === 'TEAM' || client.source === 'REGISTRATION'
  const hasChanges = proposedChanges.length > 0
  const canReview = isOfTeam && mayAct(ctx, clientActs.approve) && (hasChanges || state === 'SUBMITTED' || state === 'LISTED')
  if (!canReview && !mayAct(ctx, clientActs.disable)) return null
  const act = { ctx, objectName: name }
  const review = { ...act, hidden: { version }, reasonHint: 'The owners of the team read it.' }
  return (
    <section class="acts">
      <h2>Actions</h2>
      <div class="row-actions">
        {canReview && (state === 'SUBMITTED' || hasChanges) && (
          <Act
            {...review}
            name="approve"
            form={clientActs.approve}
            summary="Approve…"
            button={hasChanges ? 'Approve the changes' : 'Approve the app'}
            isHarmless
          >
            {hasChanges ? 'The requested values take effect.' : 'Everyone can then connect the app.'} {informed}
          </Act>
        )}
        {canReview && (
          <Act
            {...review}
            name="reject"
            form={clientActs.reject}
            summary="Reject…"
            button={hasChanges ? 'Reject the changes' : 'Reject the app'}
          >
            {hasChanges ? 'The current values stay in effect.' : 'Only members of its team can then connect the app.'} {informed}
          </Act>
        )}
        {disabledAt === null ? (
          <Act {...act} name="disable" form={clientActs.disable} summary="Disable…" button="Disable the app">
            Its tokens are refused from the next request on, and no one can connect it. {isOfTeam && informed}
          </Act>
        ) : (
          <Act {...act} name="enable" form={clientActs.enable} summary="Enable…" button="Enable the app" isHarmless>
            The app can be used again, with the connections that it had. {isOfTeam && informed}
          </Act>
        )}
      </div>
    </section>
  )
}
