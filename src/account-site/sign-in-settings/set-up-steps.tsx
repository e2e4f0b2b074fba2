import type { SignInSettingsQuery } from '../generated/operations.ts'

type Team = SignInSettingsQuery['team']

/** Steps by which an owner sets up the sign-in of a team. Renders nothing once all are done. */
export const SignInSteps = ({ team, path }: { team: Team; path: string }) => {
  const steps = listSteps(team, path)
  const open = steps.filter(({ isDone }) => !isDone)
  const done = steps.filter(({ isDone }) => isDone)
  if (open.length === 0) return null
  return (
    <section class="setup" aria-labelledby="steps">
      <div class="heading">
        <h2 id="steps">Set up the sign-in</h2>
        <span class="hint">
          {done.length} of {steps.length} done
        </span>
      </div>
      <ol class="steps">
        {open.map(({ label, about, link }) => (
          <li class="linked">
            <a href={link}>{label}</a> <span class="about">{about}</span>
          </li>
        ))}
        {done.length > 0 && <li class="done">Done: {done.map(({ label }) => label).join(' · ')}</li>}
      </ol>
    </section>
  )
}

/** Returns the steps in their order. A step at a provider leads to the form of a new one as long as there is none. */
function listSteps({ identityProviders, domains, signInRequirement }: Team, path: string) {
  const usable = identityProviders.filter(({ disabledAt }) => disabledAt === null)
  const tested = usable.find(({ testedAt }) => testedAt !== null)
  const provider = tested ?? usable[0] ?? identityProviders[0]
  const providerLink = `${path}/${provider?.providerId ?? 'new'}`
  return [
    {
      label: 'Add an identity provider',
      about: 'A guide says which values to enter at the provider, and which here.',
      link: providerLink,
      isDone: provider !== undefined,
    },
    {
      label: 'Verify a domain',
      about: 'Members with an email address in it are offered your identity provider.',
      link: `${path}/domains`,
      isDone: domains.some(({ verifiedAt }) => verifiedAt !== null),
    },
    {
      label: 'Test the sign-in',
      about: 'A test changes neither your account nor your sign-in here.',
      link: providerLink,
      isDone: tested !== undefined,
    },
    {
      label: 'Require the sign-in',
      about: 'Optional. Members with an email address in a verified domain then have to use it.',
      link: `${path}/requirement`,
      isDone: signInRequirement !== null,
    },
  ]
}
