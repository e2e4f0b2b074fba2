import { Buttons } from '../../web/components/forms/button.tsx'
import { FoldedSection } from '../../web/components/forms/folded-section.tsx'
import { Table } from '../../web/components/lists/table.tsx'
import { RelativeTime } from '../../web/components/time.tsx'
import { isolateName } from '../../web/display-name.ts'
import { page } from '../framework/page.ts'
import { SignInProviderTestDocument } from '../generated/operations.ts'
import { counted } from '../labels.ts'
import { getTestAddress, providerPage, providerTestPath } from './provider-page.tsx'
import type { SignInProviderTestQuery } from '../generated/operations.ts'

/** The data of an identity provider at the last test sign-in of the user: the values in use, and the missing ones. */
export const signInTest = page({
  ...providerPage,
  path: providerTestPath,
  document: SignInProviderTestDocument,
  view: ({ team: { identityProvider, lastIdentityProviderTest: test } }, ctx) => (
    <>
      <section>
        <h2>Your last test sign-in</h2>
        {test === null ? (
          <p>You have not tested the sign-in recently. Results are kept for one day.</p>
        ) : (
          <Summary test={test} warnings={listWarnings(identityProvider, test)} />
        )}
        {identityProvider.disabledAt === null && (
          <Buttons>
            <a class={test === null ? 'button' : 'button second'} href={getTestAddress(ctx)}>
              {test === null ? 'Test sign-in' : 'Test again'}
            </a>
          </Buttons>
        )}
      </section>
      {test !== null && <Result provider={identityProvider} test={test} />}
    </>
  ),
})

const Summary = ({ test, warnings }: { test: Test; warnings: readonly string[] }) => (
  <>
    <p>
      {warnings.length === 0 ? (
        <span class="badge good">Works</span>
      ) : (
        <span class="badge caution">Works, {counted(warnings.length, 'warning', 'warnings')}</span>
      )}{' '}
      You signed in <RelativeTime at={test.at} />.{' '}
      {warnings.length === 0 && 'The identity provider sent everything that this service uses.'}
    </p>
    {warnings.map((warning) => (
      <p class="caution">{warning}</p>
    ))}
  </>
)

const Result = ({ provider, test }: { provider: TestedProvider; test: Test }) => (
  <>
    <section>
      <h2 id="used">Values that are used</h2>
      <Table labelledBy="used">
        <thead>
          <tr>
            <th scope="col">For</th>
            <th scope="col">{provider.kind === 'OIDC' ? 'Claim' : 'Attribute'}</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {listUses(provider, test).map(({ what, claim, value }) => (
            <tr>
              <th scope="row">{what}</th>
              <td>{claim === null ? '' : <code>{claim}</code>}</td>
              <td>{value === null ? <span class="badge caution">Missing</span> : <bdi>{value}</bdi>}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
    <FoldedSection id="claims" title="Everything the provider sent">
      <dl>
        {test.claims.map(({ name, value }) => (
          <>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
            </dd>
          </>
        ))}
      </dl>
    </FoldedSection>
  </>
)

/** Returns the values in use, with their sources. */
function listUses({ kind, groupsClaim }: TestedProvider, { subject, email, name, groups, claims }: Test) {
  const getSource = (value: string | null, usual: string) =>
    value === null ? usual : (claims.find((claim) => claim.value.toLowerCase() === value.toLowerCase())?.name ?? usual)
  return [
    { what: 'Identifying the user', claim: kind === 'OIDC' ? 'sub' : 'NameID', value: subject },
    { what: 'Email address', claim: getSource(email, 'email'), value: email },
    { what: 'Name', claim: getSource(name, 'name'), value: name },
    { what: 'Groups', claim: groupsClaim, value: groupsClaim === null ? 'not read' : (groups?.join(', ') ?? null) },
  ]
}

type Team = SignInProviderTestQuery['team']
type TestedProvider = Team['identityProvider']
type Test = NonNullable<Team['lastIdentityProviderTest']>

/** Returns sentences about problems that the owner should correct at the provider. */
function listWarnings(
  { kind, name: provider, issuer, groupsClaim, testedAt }: TestedProvider,
  { email, name, groups, claims }: Test,
): string[] {
  const noun = kind === 'OIDC' ? 'claim' : 'attribute'
  const from = isolateName(provider)
  const has = (claim: string) => claims.some((each) => each.name === claim)
  const emailWarning = has('email')
    ? `The ${noun} “email” is not a valid email address. The accounts of new users would have no email address.`
    : `${from} sends no email address, so the accounts of new users would have none, and existing accounts would not be found. Add the ${noun} “email” in ${from}.`
  // Entra ID sends a link in place of more than 200 groups.
  const hasTooMany = claims.some((each) => each.name === '_claim_names' && groupsClaim !== null && each.value.includes(`"${groupsClaim}"`))
  const groupsWarning = hasTooMany
    ? 'You are in too many groups for the provider to list them. Let it send only the groups that are assigned to the app.'
    : `${from} sends no groups, so groups have no effect here. Add the ${noun} “${groupsClaim}” in ${from}, or clear it in the settings.`
  return [
    ...(testedAt === null ? ['The settings were changed after this test. Test the sign-in again.'] : []),
    ...(email === null ? [emailWarning] : []),
    ...(name === null
      ? [`${from} sends no name, so the names of new users are derived from their email addresses. Add the ${noun} “name” in ${from}.`]
      : []),
    ...(groupsClaim !== null && groups === null ? [groupsWarning] : []),
    ...(issuer === 'https://accounts.google.com' && !has('hd')
      ? ['Your Google account does not belong to a Google Workspace organization. Set the user type of the app to Internal.']
      : []),
  ]
}
