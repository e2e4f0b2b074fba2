import { group, patch, user } from './exchange.ts'
import type { Exchange } from './exchange.ts'

/**
 * The requests of Okta, in the forms of "Okta and SCIM Version 2.0" of its developer documentation, and of its test of a connection
 * (`startIndex=1&count=2`). Addresses are in the domain of the test. They were not recorded from an organization.
 */
export const okta: readonly Exchange[] = [
  { request: ['GET', '/Users?startIndex=1&count=2'], status: 200, answer: { startIndex: 1 } },
  { request: ['GET', '/Users?filter=userName eq "test.user@{domain}"&startIndex=1&count=100'], status: 200, answer: { totalResults: 0 } },
  {
    request: [
      'POST',
      '/Users',
      {
        schemas: [user],
        userName: 'test.user@{domain}',
        name: { givenName: 'Test', familyName: 'User' },
        emails: [{ primary: true, value: 'test.user@{domain}', type: 'work' }],
        displayName: 'Test User',
        locale: 'en-US',
        externalId: '00ujl29u0le5T6Aj10h7',
        groups: [],
        password: '1mz050nq',
        active: true,
      },
    ],
    status: 201,
    answer: { userName: 'test.user@{domain}', displayName: 'Test User', active: true },
    keep: 'user',
  },
  { request: ['GET', '/Users/{user}'], status: 200, answer: { externalId: '00ujl29u0le5T6Aj10h7' } },
  {
    request: [
      'PUT',
      '/Users/{user}',
      {
        schemas: [user],
        id: '{user}',
        userName: 'test.user@{domain}',
        name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
        emails: [{ primary: true, value: 'test.user@{domain}', type: 'work', display: 'test.user@{domain}' }],
        active: true,
        groups: [],
        meta: { resourceType: 'User' },
      },
    ],
    status: 200,
    answer: { name: { givenName: 'Another', familyName: 'User' } },
  },
  { request: ['PATCH', '/Users/{user}', patch({ op: 'replace', value: { active: false } })], status: 200, answer: { active: false } },
  { request: ['PATCH', '/Users/{user}', patch({ op: 'replace', value: { active: true } })], status: 200, answer: { active: true } },
  {
    request: ['POST', '/Groups', { schemas: [group], displayName: 'Test SCIMv2', members: [] }],
    status: 201,
    answer: { displayName: 'Test SCIMv2' },
    keep: 'group',
  },
  { request: ['GET', '/Groups?startIndex=1&count=100'], status: 200, answer: { totalResults: 1 } },
  {
    request: ['PATCH', '/Groups/{group}', patch({ op: 'replace', value: { id: '{group}', displayName: 'Test SCIMv0' } })],
    status: 204,
  },
  {
    request: [
      'PATCH',
      '/Groups/{group}',
      patch(
        { op: 'remove', path: 'members[value eq "{user}"]' },
        { op: 'add', path: 'members', value: [{ value: '{user}', display: 'test.user@{domain}' }] },
      ),
    ],
    status: 204,
  },
  {
    request: ['PATCH', '/Groups/{group}', patch({ op: 'replace', path: 'members', value: [{ value: '{user}', display: 'x' }] })],
    status: 204,
  },
  { request: ['GET', '/Groups/{group}'], status: 200, answer: { displayName: 'Test SCIMv0' } },
  { request: ['DELETE', '/Groups/{group}'], status: 204 },
]
