import { Fact, Facts } from '../../web/components/facts.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { FieldDescription } from '../../web/components/forms/field-description.tsx'
import { Form, useSubmittedField } from '../../web/components/forms/form.tsx'
import { scopeLabel, sortScopes } from '../../web/components/scope-list.tsx'
import type { DeveloperAppPartsFragment } from '../generated/operations.ts'
import { hasUsers } from './form/app-kinds.ts'
import { stateMeanings } from './app-state.tsx'

type App = DeveloperAppPartsFragment

/** The users who can connect the app, and the form that submits it for review. */
export const ReviewSection = ({ app }: { app: App }) => {
  const { state, rejectionReason } = app
  if (!hasUsers(app)) return <p>The app acts for this team with its own access. Users do not connect it, so it needs no review.</p>
  const isSubmittable = state === 'DRAFT' || state === 'REJECTED'
  return (
    <>
      <p>{stateMeanings[state]}</p>
      {rejectionReason !== null && (
        <p class="alert">
          {state === 'LISTED' ? 'The last changes were rejected' : 'The app was rejected'}: <bdi>{rejectionReason}</bdi>
        </p>
      )}
      {isSubmittable && (
        <Form name="submit">
          <NameRefusal />
          <Buttons>
            <Button>Submit for review</Button>
          </Buttons>
        </Form>
      )}
    </>
  )
}

/** The proposed changes. A list shows what is added and removed. */
export const ChangesSection = ({ changes }: { changes: App['proposedChanges'] }) => (
  <section id="changes">
    <h2>Changes in review</h2>
    <p>Until the changes are approved, the current values stay in effect. To withdraw a change, save the current value in the settings.</p>
    {changes.map((change) => (
      <>
        <h3>{registrationLabels[change.member] ?? change.member}</h3>
        {lists.has(change.member) ? <ListChange {...change} /> : <TextChange {...change} />}
      </>
    ))}
  </section>
)

type Change = App['proposedChanges'][number]

const TextChange = ({ live, proposed }: Change) => (
  <Facts>
    <Fact name="Current">
      <bdi>{live[0] ?? 'None'}</bdi>
    </Fact>
    <Fact name="Proposed">
      <bdi>{proposed[0] ?? 'None'}</bdi>
    </Fact>
  </Facts>
)

/** What a change adds to a list and removes from it. The values that stay are folded. */
const ListChange = ({ member, live, proposed }: Change) => {
  const describe = (values: readonly string[]) => (member.endsWith('Scopes') ? sortScopes(values).map(scopeLabel) : values)
  const kept = live.filter((value) => proposed.includes(value))
  return (
    <>
      <ul class="changes">
        {describe(proposed.filter((value) => !live.includes(value))).map((text) => (
          <li>
            <span class="badge good">Added</span> <bdi>{text}</bdi>
          </li>
        ))}
        {describe(live.filter((value) => !proposed.includes(value))).map((text) => (
          <li>
            <span class="badge alert">Removed</span> <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
      {kept.length > 0 && (
        <details>
          <summary>{kept.length} unchanged</summary>
          <ul>
            {describe(kept).map((text) => (
              <li>
                <bdi>{text}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** The reason why the name cannot be submitted: another app got a similar name after this one was saved. */
const NameRefusal = () => {
  const { messages } = useSubmittedField('name', { label: 'Name', verb: 'Enter' })
  return <FieldDescription id="submitted-name" hint={undefined} messages={messages} />
}

/** Properties with several values. */
const lists: ReadonlySet<string> = new Set(['redirectUris', 'postLogoutRedirectUris', 'requiredScopes', 'optionalScopes'])

/** Labels of the members of a registration that a review covers. */
export const registrationLabels: Readonly<Record<string, string>> = {
  name: 'Name',
  logoUri: 'Logo',
  publisher: 'Publisher',
  redirectUris: 'Redirect URIs',
  postLogoutRedirectUris: 'Redirect URIs after sign-out',
  requiredScopes: 'Permissions that users cannot decline',
  optionalScopes: 'Permissions that users can decline',
}
