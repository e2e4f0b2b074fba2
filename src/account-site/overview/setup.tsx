import { z } from 'zod'
import { Button } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { twoFactorPath } from '../../web/page-paths.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import type { OwnedTeam } from './cards.tsx'

// The steps can be hidden in this browser, because a team need not take all of them.
const hiddenCookie = 'setup'
const hiddenSeconds = 365 * 86_400
const maxHidden = 20

const hiddenTeams = ({ cookies }: PageContext) => (cookies.get(hiddenCookie) ?? '').split(' ').filter(Boolean)

export const isSetupHidden = (ctx: PageContext) => hiddenTeams(ctx).includes(ctx.param('team'))

export const hideSetup = form({
  fields: z.object({}),
  submit(_, ctx) {
    const teams = [...hiddenTeams(ctx), ctx.param('team')].slice(-maxHidden)
    ctx.cookies.set(hiddenCookie, teams.join(' '), hiddenSeconds)
  },
})

interface SetupProps {
  team: OwnedTeam
  /** True if the owner uses two-factor authentication. */
  hasTwoFactor: boolean
  ctx: PageContext
}

/** Steps by which an owner sets up the team. Renders nothing once all are done. */
export const Setup = ({ team, hasTwoFactor, ctx }: SetupProps) => {
  const steps = listSteps(team, hasTwoFactor, ctx)
  const open = steps.filter(({ isDone }) => !isDone)
  const done = steps.filter(({ isDone }) => isDone)
  if (open.length === 0) return null
  return (
    <section class="setup" aria-labelledby="setup">
      <div class="heading">
        <h2 id="setup">Set up your team</h2>
        <span class="hint">
          {done.length} of {steps.length} done
        </span>
        <Form name="hide-setup">
          <Button kind="quiet">Hide</Button>
        </Form>
      </div>
      <ul class="steps">
        {open.map(({ label, about, link }) => (
          <li class="linked">
            <a href={link}>{label}</a> <span class="about">{about}</span>
          </li>
        ))}
        {done.length > 0 && <li class="done">Done: {done.map(({ label }) => label).join(' · ')}</li>}
      </ul>
    </section>
  )
}

const listSteps = ({ members, invited, billing, tokens }: OwnedTeam, hasTwoFactor: boolean, { path }: PageContext) => {
  const hasOthers = members.total + invited.total > 1
  return [
    {
      label: 'Invite people',
      about: 'They get a link by email and choose their own password.',
      link: `${path}/invitations/new`,
      isDone: hasOthers,
    },
    {
      label: 'Turn on two-factor authentication',
      about: 'Owners have full access to the team.',
      link: twoFactorPath,
      isDone: hasTwoFactor,
    },
    {
      label: 'Choose who gets the invoices',
      about: 'Owners and members with the billing role get them.',
      link: hasOthers ? `${path}/members` : `${path}/invitations/new`,
      isDone: billing.total > 0,
    },
    {
      label: 'Create a team token',
      about: 'Your scripts and servers use it to call the API.',
      link: `${path}/tokens/new`,
      isDone: tokens.total > 0,
    },
  ]
}
