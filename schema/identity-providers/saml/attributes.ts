import { mailAddress } from '../../core/validation.ts'
import { readPerson } from '../sign-in/assertion.ts'
import { ProviderError } from '../protocol.ts'
import type { ProviderAssertion } from '../protocol.ts'
import { readAttribute, listChildren, findOnlyChild, readTime, readElementText } from './xml.ts'

// Names of attributes in Entra ID, AD FS, Okta, Google Workspace, Keycloak and SimpleSAMLphp, and the object identifiers of eduPerson and
// inetOrgPerson, in lower case. The first attribute in the response counts; of addresses, the first that is valid.
const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/'
const emailNames = [
  'email',
  'mail',
  'emailaddress',
  'user.email',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'urn:mace:dir:attribute-def:mail',
  `${claims}emailaddress`,
  'http://schemas.xmlsoap.org/claims/emailaddress',
]
/** Attributes with the user name of Entra ID or Active Directory, which is often, but not always, the address. */
const userNames = ['upn', 'userprincipalname', `${claims}upn`, 'http://schemas.xmlsoap.org/claims/upn']
const fullNames = ['displayname', 'urn:oid:2.16.840.1.113730.3.1.241', 'http://schemas.microsoft.com/identity/claims/displayname']
const givenNames = ['givenname', 'firstname', 'first_name', 'user.firstname', 'urn:oid:2.5.4.42', `${claims}givenname`]
const familyNames = ['sn', 'surname', 'lastname', 'last_name', 'user.lastname', 'urn:oid:2.5.4.4', `${claims}surname`]
// These names are read last: Entra ID and AD FS put the user name, an address, into the claim `name`.
const otherNames = ['cn', 'commonname', 'urn:oid:2.5.4.3', 'http://schemas.xmlsoap.org/claims/commonname', 'name', `${claims}name`]
const groupNames = new Set([
  'groups',
  'group',
  'memberof',
  'ismemberof',
  'urn:oid:1.3.6.1.4.1.5923.1.5.1.1',
  'http://schemas.xmlsoap.org/claims/group',
  'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
])

const formats = {
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  /** A NameID without a format counts as this one, too. Okta sends addresses in it. */
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
}

/**
 * Returns the statements of a verified assertion about the person. The groups are in the attribute with the name or friendly name
 * `groupsClaim`; for `groups`, also in one with another name that is common. Throws a `ProviderError` if there is no NameID that lasts.
 */
export function readAssertion(assertion: Element, groupsClaim: string | null): ProviderAssertion {
  const nameId = findOnlyChild(findOnlyChild(assertion, 'Subject'), 'NameID')
  const [subject, format] = [readElementText(nameId), readAttribute(nameId, 'Format')]
  if (format === formats.transient)
    throw new ProviderError('The NameID is transient: it changes with each sign-in. Let the provider send a persistent one.')
  if (subject === '' || subject.length > 255) throw new ProviderError('The NameID must have from 1 to 255 characters.')
  const attributes = listAttributes(assertion)
  const first = (names: readonly string[]) => names.flatMap((name) => listValues(attributes, name)).find((value) => value !== '')
  const common = {
    sub: subject,
    email: findAddress(attributes, { subject, format: format ?? formats.unspecified }),
    name: first(fullNames),
    given_name: first(givenNames),
    family_name: first(familyNames),
    nickname: first(otherNames),
    groups: groupsClaim === null ? undefined : listGroups(attributes, groupsClaim),
  }
  const values = attributes.map(({ name, values }) => [name, values.length === 1 ? values[0] : values])
  const shown = {
    NameID: subject,
    ...(format !== null && { 'NameID Format': format }),
    ...Object.fromEntries(values),
    // This member is last, so that no attribute replaces it. As in an ID token, it shows whether the user has just authenticated.
    auth_time: authenticatedAt(assertion),
  }
  return readPerson(common, groupsClaim === null ? null : 'groups', shown)
}

/** Returns when the user authenticated at the provider, in seconds since 1970; null if the assertion does not contain it. */
function authenticatedAt(assertion: Element): number | null {
  const [statement] = listChildren(assertion, 'assertion', 'AuthnStatement')
  const time = statement ? readTime(statement, 'AuthnInstant') : null
  return time === null ? null : Math.floor(time / 1000)
}

interface Attribute {
  name: string
  friendlyName: string | null
  values: readonly string[]
}

const listAttributes = (assertion: Element): Attribute[] =>
  listChildren(assertion, 'assertion', 'AttributeStatement')
    .flatMap((statement) => listChildren(statement, 'assertion', 'Attribute'))
    .map((attribute) => ({
      name: readAttribute(attribute, 'Name') ?? '',
      friendlyName: readAttribute(attribute, 'FriendlyName'),
      values: listChildren(attribute, 'assertion', 'AttributeValue').map(readElementText),
    }))

/** Returns the first valid email address among the values that can be one. Some providers identify attributes by `FriendlyName` alone. */
function findAddress(attributes: readonly Attribute[], { subject, format }: { subject: string; format: string }): string | undefined {
  const isNamed = (each: string) => (attribute: Attribute) =>
    [attribute.name, attribute.friendlyName].some((name) => name?.toLowerCase() === each)
  const valuesUnder = (names: readonly string[]) =>
    names.flatMap((each) => attributes.filter(isNamed(each))).flatMap(({ values }) => values)
  const candidates = [
    ...valuesUnder(emailNames),
    ...(format === formats.email ? [subject] : []),
    ...valuesUnder(userNames),
    ...(format === formats.unspecified ? [subject] : []),
  ]
  return candidates.find((value) => mailAddress.safeParse(value).success)
}

/** Returns the values of all attributes with this name, in any case. */
const listValues = (attributes: readonly Attribute[], name: string): readonly string[] =>
  attributes.filter((attribute) => attribute.name.toLowerCase() === name).flatMap(({ values }) => values)

/** Returns the groups, or undefined if there is no such attribute: some providers omit it for a person without groups, others have none. */
function listGroups(attributes: readonly Attribute[], groupsClaim: string): readonly string[] | undefined {
  const named = attributes.filter(({ name, friendlyName }) => name === groupsClaim || friendlyName === groupsClaim)
  const usual = groupsClaim === 'groups' ? attributes.filter(({ name }) => groupNames.has(name.toLowerCase())) : []
  const [first] = named.length > 0 ? [named] : [usual]
  return first.length > 0 ? first.flatMap(({ values }) => values) : undefined
}
