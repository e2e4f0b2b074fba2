import type { SignInProviderTestQuery } from '../generated/operations.ts'

type Team = SignInProviderTestQuery['team']
export type TestedProvider = Team['identityProvider']
export type Test = NonNullable<Team['lastIdentityProviderTest']>

/** What the owner should correct at the provider, as sentences. */
export function warningsOf({ kind, issuer, groupsClaim, testedAt }: TestedProvider, { email, name, groups, claims }: Test): string[] {
  const noun = kind === 'OIDC' ? 'claim' : 'attribute'
  const has = (claim: string) => claims.some((each) => each.name === claim)
  const emailWarning = has('email')
    ? `The ${noun} email is no valid email address. The accounts of new users would have none.`
    : `The provider sends no ${noun} email. The accounts of new users would have no email address, and existing accounts would not be found.`
  // Entra ID sends a link in place of more than 200 groups.
  const hasTooMany = claims.some((each) => each.name === '_claim_names' && groupsClaim !== null && each.value.includes(`"${groupsClaim}"`))
  const groupsWarning = hasTooMany
    ? 'You are in too many groups for the provider to list them. Let it send only the groups that are assigned to the app.'
    : `The provider does not send the ${noun} ${groupsClaim}, in which this team expects the groups. Groups have no effect.`
  return [
    ...(testedAt === null ? ['The settings were changed after this test. Test the sign-in again.'] : []),
    ...(email === null ? [emailWarning] : []),
    ...(name === null ? [`The provider sends no ${noun} name. New users get a name that is made from their email address.`] : []),
    ...(groupsClaim !== null && groups === null ? [groupsWarning] : []),
    ...(issuer === 'https://accounts.google.com' && !has('hd')
      ? ['Your Google account does not belong to a Google Workspace organization. Set the user type of the app to Internal.']
      : []),
  ]
}
