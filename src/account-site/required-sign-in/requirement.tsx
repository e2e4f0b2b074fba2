import { z } from 'zod'
import { Buttons } from '../../web/components/forms/button.tsx'
import { Name } from '../../web/components/address.tsx'
import { quoteName } from '../../web/display-name.ts'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { page } from '../framework/page.ts'
import { SetSignInRequirementDocument, SignInRequirementDocument } from '../generated/operations.ts'
import type { SignInRequirementQuery } from '../generated/operations.ts'
import { withoutRequiredSignIn } from '../members/members-table.tsx'
import { RequiredSection, RequirementBadge } from '../team/two-factor-requirement.tsx'
import { RequireThrough } from './require-through.tsx'

const dayMilliseconds = 86_400_000
/** A number of days. Any other text becomes a number that is refused. */
const graceDays = text.transform((value) => (/^\d{1,2}$/.test(value.trim()) ? Number(value) : -1)).pipe(z.int().min(0).max(99))

const require = form({
  fields: z.object({ providerId: text, graceDays }),
  document: SetSignInRequirementDocument,
  variables: ({ providerId, graceDays: days }, ctx) => ({
    input: { team: ctx.param('team'), providerId, from: new Date(ctx.site.now().getTime() + days * dayMilliseconds).toISOString() },
  }),
  notice: ({ setSignInRequirement: { team } }) => `Sign-in is required in ${quoteName(team.name)}. The affected members received an email.`,
})
const lift = form({
  fields: z.object({}),
  document: SetSignInRequirementDocument,
  variables: (_, ctx) => ({ input: { team: ctx.param('team'), providerId: null } }),
  notice: ({ setSignInRequirement: { team } }) => `Sign-in is no longer required in ${quoteName(team.name)}.`,
})

/** The requirement to sign in through an identity provider of the team, and the number of members who have. For owners. */
export const signInRequirement = page({
  path: '/teams/:team/sign-in/requirement',
  title: 'Required sign-in',
  badge: ({ team }, { site }) => <RequirementBadge from={team.signInRequirement?.from ?? null} now={site.now()} />,
  parent: '/teams/:team/sign-in',
  document: SignInRequirementDocument,
  variables: (ctx) => ({ team: ctx.param('team') }),
  forms: { require, lift },
  view: ({ team }, ctx) => (
    <>
      {team.signInRequirement === null ? (
        <RequireSection team={team} ctx={ctx} />
      ) : (
        <>
          <RequiredSection from={team.signInRequirement.from}>
            Sign-in through <Name>{team.signInRequirement.provider.name}</Name>
          </RequiredSection>
          <MembersSection team={team} providerId={team.signInRequirement.provider.providerId} />
        </>
      )}
      <Consequences />
    </>
  ),
})

/** The affected members, and what the requirement means for them. */
const Consequences = () => (
  <section>
    <h2>What happens</h2>
    <ul>
      <li>
        The requirement applies to members whose email address is in a verified domain, and to members who have signed in there before.
      </li>
      <li>It does not apply to others, such as guests from other companies.</li>
      <li>Until they sign in there, the affected members, their personal tokens and the apps they connected have no access to the team.</li>
      <li>Nothing is revoked. They regain access as soon as they sign in there.</li>
      <li>Team tokens, apps of the team and workload identities keep working.</li>
      <li>Owners can open the team with a passkey instead. The audit log records this.</li>
    </ul>
  </section>
)

type Team = SignInRequirementQuery['team']

/** Returns the preview of each provider, by its identifier. */
const listPreviews = ({ signInRequirementPreviews }: Team) => new Map(signInRequirementPreviews.map((each) => [each.providerId, each]))

function RequireSection({ team, ctx }: { team: Team; ctx: PageContext }) {
  const { slug, identityProviders, domains } = team
  const previews = listPreviews(team)
  const usable = identityProviders.filter(({ testedAt, disabledAt }) => testedAt !== null && disabledAt === null)
  const isVerified = domains.some(({ verifiedAt }) => verifiedAt !== null)
  return (
    <section>
      <h2>Requirement</h2>
      <p>You can require members to sign in through your identity provider.</p>
      {!isVerified && (
        <p>
          <a href={`/teams/${slug}/sign-in/domains`}>Verify a domain</a> first.
        </p>
      )}
      {usable.length === 0 && <p>Add an identity provider and sign in through it as a test first.</p>}
      {isVerified && usable.map((provider) => <RequireThrough {...provider} preview={previews.get(provider.providerId)} path={ctx.url} />)}
    </section>
  )
}

function MembersSection({ team, providerId }: { team: Team; providerId: string }) {
  const { members, withoutSignIn } = listPreviews(team).get(providerId) ?? { members: 0, withoutSignIn: 0 }
  const [signedIn, all] = [members - withoutSignIn, members].map((count) => count.toLocaleString('en'))
  const missingMembers = withoutSignIn === 1 ? 'the member who has' : `the ${withoutSignIn.toLocaleString('en')} members who have`
  return (
    <section id="members">
      <h2>Members</h2>
      {withoutSignIn === 0 ? (
        <p>All affected members have signed in.</p>
      ) : (
        <>
          <p>
            {signedIn} of {members === 1 ? '1 affected member' : `${all} affected members`} signed in. You can remind the others by email,
            once a day.
          </p>
          <Buttons>
            <a class="button second" href={withoutRequiredSignIn(`/teams/${team.slug}`)}>
              View {missingMembers} not signed in
            </a>
          </Buttons>
        </>
      )}
    </section>
  )
}
