import { inSentence } from '../names.ts'
import { Button, Buttons, Choices } from './form.tsx'
import { Hidden, Initials, Name, PlainFrame } from './page.tsx'

interface Consent {
  action: string
  /** What binds the form to this interaction, and to what it offers. */
  hidden: Record<string, string>
  clientName: string
  clientDescription: string | null
  /** Where the browser goes next: the host or private scheme of the redirect URI; null for a device. */
  returnsTo: string | null
  /** Words of the scopes that cannot be declined. */
  required: readonly string[]
  optional: readonly { scope: string; words: string; isChecked: boolean }[]
  /** Null where no team is asked for. */
  teams: { isRequired: boolean; options: readonly { slug: string; name: string }[]; selected: string } | null
  alert?: string | undefined
  account: { email: string; switchAction: string; switchHidden: Record<string, string> }
}

export const ConsentPage = (given: Consent) => {
  const { action, hidden, clientName, clientDescription, returnsTo, teams, alert, account } = given
  const isPossible = !teams?.isRequired || teams.options.length > 0
  return (
    <PlainFrame title={isPossible ? 'Allow access?' : 'You are in no team'} alert={alert}>
      <p class="who">
        <Initials name={clientName} />
        <span>
          <Name>{clientName}</Name>{' '}
          {isPossible ? 'asks for access to your account.' : 'works for a team, and you are in none. Ask to be invited to one.'}
        </span>
      </p>
      {clientDescription && (
        <p>
          <bdi>{clientDescription}</bdi>
        </p>
      )}
      <form class="account" method="post" action={account.switchAction}>
        <Hidden fields={account.switchHidden} />
        <span>
          Signed in as <Name>{account.email}</Name>
        </span>
        <Button kind="quiet">Use another account</Button>
      </form>
      <form method="post" action={action}>
        <Hidden fields={hidden} />
        {isPossible && teams && <TeamChoice {...teams} />}
        {isPossible && <Scopes {...given} />}
        {returnsTo && (
          <p class="hint">
            You will be sent to <bdi>{returnsTo}</bdi>.
          </p>
        )}
        <Buttons>
          {isPossible && (
            <Button name="decision" value="allow">
              Allow access
            </Button>
          )}
          <Button name="decision" value="deny" kind="second">
            Deny
          </Button>
        </Buttons>
      </form>
    </PlainFrame>
  )
}

const TeamChoice = ({ isRequired, options, selected }: NonNullable<Consent['teams']>) => (
  <>
    <label for="team">Team</label>
    <select id="team" name="team" required={isRequired} aria-describedby="team-hint">
      {!isRequired && (
        <option value="" selected={selected === ''}>
          No team in particular
        </option>
      )}
      {options.map(({ slug, name }) => (
        // Nothing but text can stand in it: the slug is not to be turned round by the name.
        <option value={slug} selected={selected === slug}>{`${inSentence(name)} (${slug})`}</option>
      ))}
    </select>
    <p class="hint" id="team-hint">
      {isRequired
        ? 'Access is for this team alone.'
        : 'Access is for the team you choose alone; with none in particular, for all teams of yours.'}
    </p>
  </>
)

const Scopes = ({ required, optional }: Pick<Consent, 'required' | 'optional'>) => (
  <>
    {required.length > 0 && (
      <section aria-labelledby="required">
        <h2 id="required">It will be able to</h2>
        <ul>
          {required.map((words) => (
            <li>{words}</li>
          ))}
        </ul>
      </section>
    )}
    {optional.length > 0 && (
      <Choices
        name="scope"
        legend={required.length > 0 ? 'If you allow it, also to' : 'If you allow it, it will be able to'}
        type="checkbox"
        options={optional.map(({ scope, words }) => ({ value: scope, label: words }))}
        checked={optional.filter(({ isChecked }) => isChecked).map(({ scope }) => scope)}
      />
    )}
  </>
)
