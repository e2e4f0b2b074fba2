import type { ComponentChildren } from 'preact'
import { z } from 'zod'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { DateTime, Day } from '../../web/components/time.tsx'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { SetTwoFactorRequirementDocument, TwoFactorRequirementDocument } from '../generated/operations.ts'
import type { TwoFactorRequirementQuery } from '../generated/operations.ts'
import { withoutTwoFactor } from '../members/members-table.tsx'
import { quoteName } from '../../web/display-name.ts'
import { twoFactorPath } from '../../web/page-paths.ts'

const require = form({
  fields: z.object({
    graceDays: z
      .string()
      .regex(/^\d{1,2}$/)
      .transform(Number)
      .catch(-1),
  }),
  document: SetTwoFactorRequirementDocument,
  variables: ({ graceDays }, ctx) => ({ input: { team: ctx.param('team'), graceDays } }),
  notice: ({ setTwoFactorRequirement: { team } }) =>
    `Two-factor authentication is required in ${quoteName(team.name)}. Members without it received an email.`,
})
const lift = form({
  fields: z.object({}),
  document: SetTwoFactorRequirementDocument,
  variables: (_, ctx) => ({ input: { team: ctx.param('team'), graceDays: null } }),
  notice: ({ setTwoFactorRequirement: { team } }) => `Two-factor authentication is no longer required in ${quoteName(team.name)}.`,
})

/** The requirement of two-factor authentication, and the number of members who use it. For owners. */
export const twoFactorRequirement = page({
  path: '/teams/:team/two-factor',
  nav: { group: 'security', icon: 'shield', order: 20, label: 'Two-factor' },
  title: 'Two-factor authentication',
  badge: ({ team }, { site }) => <RequirementBadge from={team.twoFactorRequiredAt} now={site.now()} />,
  document: TwoFactorRequirementDocument,
  variables: (ctx) => ({ team: ctx.param('team'), seesAccount: ctx.vouchingProviders === null }),
  forms: { require, lift },
  view: ({ viewer, team }) => (
    <>
      <MembersSection team={team} />
      {team.twoFactorRequiredAt === null ? (
        <RequireSection hasTwoFactor={viewer?.secondFactor?.isOn ?? null} />
      ) : (
        <RequiredSection from={team.twoFactorRequiredAt}>Two-factor authentication</RequiredSection>
      )}
    </>
  ),
})

/** The form that requires it. `hasTwoFactor` is null in a session that cannot read the account; then the service checks it. */
const RequireSection = ({ hasTwoFactor }: { hasTwoFactor: boolean | null }) => (
  <section>
    <h2>Requirement</h2>
    <p>
      You can require all members to use two-factor authentication. Members without it receive an email. After the grace period they, their
      personal tokens and the apps they connected lose access until they turn it on. Team tokens keep working.
    </p>
    {hasTwoFactor === false ? (
      <p class="caution">
        Before you require it, <a href={twoFactorPath}>turn on two-factor authentication</a> for your own account.
      </p>
    ) : (
      <Form name="require">
        <Field
          name="graceDays"
          label="Grace period in days"
          noun="a number of days from 0 to 90"
          inputMode="numeric"
          value="14"
          maxLength={2}
          hint="0 to 90."
        />
        <Buttons>
          <Button>Require two-factor authentication</Button>
        </Buttons>
      </Form>
    )}
  </section>
)

/** The state of a requirement, next to the title of its page. `from` is null if there is none. */
export const RequirementBadge = ({ from, now }: { from: string | null; now: Date }) => {
  if (from === null) return <span class="badge">Not required</span>
  if (new Date(from) <= now) return <span class="badge good">Required</span>
  return (
    <span class="badge info">
      Required from <Day at={from} />
    </span>
  )
}

/** A requirement of the team with its start, which the form `lift` ends. `children` describes the requirement. */
export const RequiredSection = ({ from, children }: { from: string; children: ComponentChildren }) => (
  <section>
    <h2>Requirement</h2>
    <p>
      {children} is required from <DateTime at={from} />.
    </p>
    <Form name="lift">
      <Buttons>
        <Button kind="second">Stop requiring it</Button>
      </Buttons>
    </Form>
  </section>
)

const MembersSection = ({ team: { slug, members, membersWithoutTwoFactor: without } }: Pick<TwoFactorRequirementQuery, 'team'>) => (
  <section>
    <h2>Adoption</h2>
    {without.total === 0 ? (
      <p>Every member has turned on two-factor authentication.</p>
    ) : (
      <>
        <p>
          {(members.total - without.total).toLocaleString('en')} of {members.total.toLocaleString('en')} members use it. You can remind the
          others by email, once a day.
        </p>
        <Buttons>
          <a class="button second" href={withoutTwoFactor(`/teams/${slug}`)}>
            {without.total === 1 ? 'View the member' : `View the ${without.total.toLocaleString('en')} members`} without it
          </a>
        </Buttons>
      </>
    )}
  </section>
)
