import { expect, test } from 'vitest'
import { readAssertion } from '../../../schema/identity-providers/saml/attributes.ts'
import { parseXml } from '../../../schema/identity-providers/saml/xml.ts'
import { assertionXml } from '../../support/saml/response.ts'

const urls = { issuer: 'https://idp.example', destination: null, audience: 'a', recipient: 'r', inResponseTo: null }
const emailAddress = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
const unspecified = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'

const read = (
  attributes: Record<string, string[]>,
  groupsClaim: string | null = null,
  nameId: { nameId?: string; nameIdFormat?: string } = {},
) => {
  return readAssertion(parseXml(assertionXml({ ...urls, now: new Date(), attributes, ...nameId })), groupsClaim)
}
const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'

test.each<[provider: string, attributes: Record<string, string[]>]>([
  ['SimpleSAMLphp', { mail: ['Ada@Example.com'], displayName: ['Ada Lovelace'] }],
  ['Okta', { email: ['ada@example.com'], firstName: ['Ada'], lastName: ['Lovelace'] }],
  ['Google Workspace', { Email: ['ada@example.com'], First_name: ['Ada'], Last_name: ['Lovelace'] }],
  [
    'Entra ID',
    {
      [`${claims}/emailaddress`]: ['ada@example.com'],
      [`${claims}/name`]: ['ada@example.com'],
      'http://schemas.microsoft.com/identity/claims/displayname': ['Ada Lovelace'],
    },
  ],
  ['AD FS', { [`${claims}/emailaddress`]: ['ada@example.com'], [`${claims}/givenname`]: ['Ada'], [`${claims}/surname`]: ['Lovelace'] }],
  [
    'Shibboleth',
    { 'urn:oid:0.9.2342.19200300.100.1.3': ['ada@example.com'], 'urn:oid:2.5.4.42': ['Ada'], 'urn:oid:2.5.4.4': ['Lovelace'] },
  ],
  ['a directory', { mail: ['', 'ada@example.com', 'second@example.com'], cn: ['Ada Lovelace'] }],
])('the address and the name are read from the attributes of %s', (_, attributes) => {
  expect(read(attributes)).toMatchObject({ subject: 'ada-1', email: 'ada@example.com', name: 'Ada Lovelace', groups: null })
})

test('an address is read from the NameID if that is one, and a user name is not taken for a name', () => {
  const nameId = { nameId: 'ada@example.com', nameIdFormat: emailAddress }
  expect(read({ [`${claims}/name`]: ['ada@example.com'] }, null, nameId)).toMatchObject({
    subject: 'ada@example.com',
    email: 'ada@example.com',
    name: null,
  })
  expect(read({ mail: ['not an address'] })).toMatchObject({ email: null, name: null })
})

test.each<[from: string, attributes: Record<string, string[]>, nameId?: { nameId?: string; nameIdFormat?: string }]>([
  ['the second value, if the first one is none', { mail: ['ada', 'ada@example.com'] }],
  ['another attribute, if the first one has none', { mail: ['none'], emailaddress: ['Ada Lovelace', 'ada@example.com'] }],
  ['upn', { upn: ['ada@example.com'] }],
  ['the claim upn of AD FS and Entra ID', { [`${claims}/upn`]: ['ada@example.com'] }],
  ['upn, if the NameID is none', { upn: ['ada@example.com'] }, { nameId: 'CORP\\ada', nameIdFormat: unspecified }],
  ['an attribute rather than upn', { upn: ['ada@corp.example'], mail: ['ada@example.com'] }],
  [
    'a NameID of the format emailAddress rather than upn',
    { upn: ['a@corp.example'] },
    { nameId: 'ada@example.com', nameIdFormat: emailAddress },
  ],
  [
    'a NameID of the format emailAddress, if the attribute is none',
    { mail: ['-'] },
    { nameId: 'ada@example.com', nameIdFormat: emailAddress },
  ],
  ['an unspecified NameID', {}, { nameId: 'ada@example.com', nameIdFormat: unspecified }],
  ['a NameID without a format', {}, { nameId: 'ada@example.com', nameIdFormat: '' }],
])('an address is read from %s', (_, attributes, nameId) => {
  expect(read(attributes, null, nameId).email).toBe('ada@example.com')
})

test('an address is read from an attribute with a friendly name', () => {
  const xml = assertionXml({ ...urls, now: new Date(), attributes: { 'urn:example:1': ['ada@example.com'] } })
  const named = xml.replace('Name="urn:example:1"', 'Name="urn:example:1" FriendlyName="eMail"')
  expect(readAssertion(parseXml(named), null).email).toBe('ada@example.com')
})

test('no address is read from a persistent NameID', () => {
  expect(read({}, null, { nameId: 'ada@example.com' }).email).toBeNull()
})

test('the time of the authentication is that of the provider, whatever its attributes say', () => {
  const { claims } = read({ auth_time: ['9999999999'] })
  expect(Math.abs(Number(claims['auth_time']) - Date.now() / 1000)).toBeLessThan(120)
})

test('groups are read from the attribute that the team names', () => {
  expect(read({ roles: ['staff', 'board'] }, 'roles').groups).toEqual(['staff', 'board'])
  expect(read({ roles: ['staff'] }, 'groups').groups).toBeNull()
  expect(read({ groups: [] }, 'groups').groups).toEqual([])
  expect(read({ groups: ['staff'] }).groups).toBeNull()
})

test.each([
  'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
  'http://schemas.xmlsoap.org/claims/Group',
  'memberOf',
  'urn:oid:1.3.6.1.4.1.5923.1.5.1.1',
])('groups under the usual name %s are read for the name groups', (name) => {
  expect(read({ [name]: ['staff'] }, 'groups').groups).toEqual(['staff'])
})
