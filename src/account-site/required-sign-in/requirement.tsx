import { z } from 'zod'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field, Select } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { Name } from '../../web/components/name.tsx'
import { DateTime } from '../../web/components/time.tsx'
import { passkeysPath } from '../../web/page-paths.ts'
import { quoteName } from '../../web/display-name.ts'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { SetSignInRequirementDocument, SignInRequirementDocument } from '../generated/operations.ts'
import type { SignInRequirementQuery } from '../generated/operations.ts'

const dayMilliseconds = 86_400_000

const require = form({
  fields: z.object({
    providerId: text,
    graceDays: z
      .string()
      .regex(/^\d{1,2}$/)
      .transform(Number)
      .catch(14),
  }),
  document: SetSignInRequirementDocument,
  variables: ({ providerId, graceDays }, ctx) => ({
    input: { team: ctx.param('team'), providerId, from: new Date(ctx.site.now().getTime() + graceDays * dayMilliseconds).toISOString() },
  }),
  notice: ({ setSignInRequirement: { team } }) =>
    `Sign-in is required in ${quoteName(team.name)}. The members concerned received an email.`,
})
const lift = form({
  fields: z.object({}),
  document: SetSignInRequirementDocument,
  variables: (_, ctx) => ({ input: { team: ctx.param('team'), providerId: null } }),
  notice: ({ setSignInRequirement: { team } }) => `Sign-in is no longer required in ${quoteName(team.name)}.`,
})

/** Whether members must sign in through an identity provider of the team, and who has not yet. For owners. */
export const signInRequirement = page({
  path: '/teams/:team/sign-in/requirement',
  title: 'Required sign-in',
  parent: '/teams/:team/sign-in',
  document: SignInRequirementDocument,
  variables: (ctx) => ({ team: ctx.param('team') }),
  forms: { require, lift },
  view: ({ team }) => (
    <>
      <p>
        You can require members to sign in through your identity provider. It concerns members whose email address is in a verified domain,
        and those who have signed in there before. Others, such as guests from other companies, are not concerned.
      </p>
      <p>
        Until they sign in there, these members, their personal tokens and the apps they connected have no access to the team. Nothing is
        revoked: access returns with the sign-in. Team tokens, apps of the team and workload identities keep working. Owners can open the
        team with a passkey instead, which the audit log records.
      </p>
      {team.signInRequirement === null ? <RequireSection {...team} /> : <RequiredSection {...team.signInRequirement} />}
      {team.signInRequirement !== null && <MembersSection {...team} />}
    </>
  ),
})

type Team = SignInRequirementQuery['team']

function RequireSection({ slug, identityProviders, domains }: Team) {
  const usable = identityProviders.filter(({ testedAt, disabledAt }) => testedAt !== null && disabledAt === null)
  const isVerified = domains.some(({ verifiedAt }) => verifiedAt !== null)
  return (
    <section>
      <h2>Requirement</h2>
      {!isVerified && (
        <p>
          <a href={`/teams/${slug}/sign-in/domains`}>Verify a domain</a> first.
        </p>
      )}
      {usable.length === 0 && <p>Add an identity provider and sign in through it as a test first.</p>}
      {isVerified && usable.length > 0 && (
        <>
          <p>
            <a href={passkeysPath}>Add a passkey to your account</a> first. With it, you can open the team if the identity provider fails.
          </p>
          <Form name="require">
            <Select
              name="providerId"
              label="Identity provider"
              options={usable.map(({ providerId, name }) => ({ value: providerId, label: name }))}
            />
            <Field
              name="graceDays"
              label="Grace period in days"
              noun="a number of days from 0 to 99"
              inputMode="numeric"
              value="14"
              maxLength={2}
              hint="Until it ends, members are asked to sign in there, and keep their access. 0 requires it at once."
            />
            <Buttons>
              <Button>Require sign-in</Button>
            </Buttons>
          </Form>
        </>
      )}
    </section>
  )
}

const RequiredSection = ({ provider, from }: NonNullable<Team['signInRequirement']>) => (
  <section>
    <h2>Requirement</h2>
    <p>
      Sign-in through <Name>{provider.name}</Name> is required from <DateTime at={from} />.
    </p>
    <Form name="lift">
      <Buttons>
        <Button kind="second">Stop requiring it</Button>
      </Buttons>
    </Form>
  </section>
)

const MembersSection = ({ slug, membersWithoutSignIn: members }: Team) => (
  <section id="members">
    <h2>Members who have not signed in</h2>
    {members.length === 0 ? (
      <p>Every member concerned has signed in.</p>
    ) : (
      <ul>
        {members.map(({ userId, name }) => (
          <li>
            <a href={`/teams/${slug}/members/${userId}`}>
              <Name>{name}</Name>
            </a>
          </li>
        ))}
      </ul>
    )}
  </section>
)
