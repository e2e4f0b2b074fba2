import { group, patch, user } from './exchange.ts'
import type { Exchange } from './exchange.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/**
 * The requests of Entra ID, in the forms of two pages of Microsoft Learn as of November 2026: "Tutorial: Develop and plan provisioning for a
 * SCIM endpoint in Microsoft Entra ID" and "Known issues and resolutions with SCIM 2.0 protocol compliance", whose forms with the flag
 * `aadOptscim062020` are among them. Addresses are in the domain of the test. They were not recorded from a tenant.
 */
export const entra: readonly Exchange[] = [
  {
    request: ['GET', '/Users?filter=userName eq "6f2b6a8e-7d7d-4f6a-a6f4-df3a3d3bfe4f"'],
    status: 200,
    answer: { totalResults: 0, Resources: [] },
  },
  {
    request: [
      'POST',
      '/Users',
      {
        schemas: [user, enterprise],
        externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
        userName: 'test_user@{domain}',
        active: true,
        emails: [{ primary: true, type: 'work', value: 'test_user@{domain}' }],
        meta: { resourceType: 'User' },
        name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
        roles: [],
      },
    ],
    status: 201,
    answer: { externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef', active: true },
    keep: 'user',
  },
  { request: ['GET', '/Users/{user}'], status: 200, answer: { userName: 'test_user@{domain}' } },
  { request: ['GET', '/Users?filter=userName eq "test_user@{domain}"'], status: 200, answer: { totalResults: 1 } },
  {
    request: [
      'PATCH',
      '/Users/{user}',
      patch(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated@{domain}' },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Add', path: `${enterprise}:department`, value: 'Sales' },
      ),
    ],
    status: 200,
    answer: {
      emails: [{ value: 'updated@{domain}', type: 'work', primary: true }],
      name: { formatted: 'givenName familyName', familyName: 'updatedFamilyName', givenName: 'givenName' },
    },
  },
  {
    request: ['PATCH', '/Users/{user}', patch({ op: 'Replace', path: 'userName', value: 'renamed@{domain}' })],
    status: 200,
    answer: { userName: 'renamed@{domain}' },
  },
  {
    request: [
      'PATCH',
      '/Users/{user}',
      patch({ op: 'Add', path: 'manager', value: [{ $ref: 'http://scim.example/scim/Users/{user}', value: '{user}' }] }),
    ],
    status: 200,
    answer: { userName: 'renamed@{domain}' },
  },
  {
    request: ['GET', '/Users?filter=id eq "{user}" and manager eq "2819c223-7f76-453a-919d-413861904646"&attributes=id'],
    status: 200,
    answer: { totalResults: 0 },
  },
  {
    request: ['PATCH', '/Users/{user}', patch({ op: 'Add', path: 'nickName', value: 'Babs' })],
    status: 200,
    answer: { userName: 'renamed@{domain}' },
  },
  {
    request: [
      'PATCH',
      '/Users/{user}',
      patch(
        { op: 'replace', path: 'emails[type eq "work"].value', value: 'again@{domain}' },
        {
          op: 'replace',
          value: { displayName: 'Bjfe', 'name.givenName': 'Kkom', 'name.familyName': 'Unua', [`${enterprise}:employeeNumber`]: 'Aklq' },
        },
      ),
    ],
    status: 200,
    answer: {
      displayName: 'Bjfe',
      name: { familyName: 'Unua', givenName: 'Kkom' },
      emails: [{ value: 'again@{domain}', type: 'work', primary: true }],
    },
  },
  { request: ['PATCH', '/Users/{user}', patch({ op: 'Replace', path: 'active', value: false })], status: 200, answer: { active: false } },
  { request: ['PATCH', '/Users/{user}', patch({ op: 'replace', path: 'active', value: true })], status: 200, answer: { active: true } },
  { request: ['PATCH', '/Users/{user}', patch({ op: 'Replace', path: 'active', value: 'False' })], status: 200, answer: { active: false } },
  { request: ['PATCH', '/Users/{user}', patch({ op: 'Replace', path: 'active', value: 'True' })], status: 200, answer: { active: true } },
  {
    request: [
      'POST',
      '/Groups',
      {
        schemas: [group, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
        externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
        displayName: 'displayName',
        meta: { resourceType: 'Group' },
      },
    ],
    status: 201,
    answer: { members: [] },
    keep: 'group',
  },
  { request: ['GET', '/Groups/{group}?excludedAttributes=members'], status: 200, answer: { displayName: 'displayName' } },
  { request: ['GET', '/Groups?excludedAttributes=members&filter=displayName eq "displayName"'], status: 200, answer: { totalResults: 1 } },
  { request: ['PATCH', '/Groups/{group}', patch({ op: 'Replace', path: 'displayName', value: 'newName' })], status: 204 },
  {
    request: ['PATCH', '/Groups/{group}', patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: '{user}' }] })],
    status: 204,
  },
  { request: ['GET', '/Groups?filter=id eq "{group}" and members eq "{user}"&attributes=id'], status: 200, answer: { totalResults: 1 } },
  {
    request: ['PATCH', '/Groups/{group}', patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: '{user}' }] })],
    status: 204,
  },
  {
    request: ['PATCH', '/Groups/{group}', patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: '{user}' }] })],
    status: 204,
  },
  { request: ['PATCH', '/Groups/{group}', patch({ op: 'remove', path: 'members[value eq "{user}"]' })], status: 204 },
  { request: ['DELETE', '/Groups/{group}'], status: 204 },
  { request: ['DELETE', '/Users/{user}'], status: 204 },
]
