import type { Attribute, ResourceType } from './protocol/attribute.ts'

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  description,
  ...more,
})
const readOnly = { mutability: 'readOnly' } as const

const referenceTo = (types: readonly string[], mutability: 'readOnly' | 'immutable'): Attribute[] => [
  text('value', 'The identifier of the resource.', { mutability, caseExact: true }),
  { name: '$ref', type: 'reference', referenceTypes: types, mutability, description: 'The URL of the resource.' },
  text('display', 'Its name.', readOnly),
  text('type', 'Its type.', { mutability }),
]

/** A member of the team, or a user whom the directory has deactivated. */
export const userType: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
  description: 'A member of the team',
  attributes: [
    text('userName', 'The name of the user in the directory.', { required: true, uniqueness: 'server' }),
    {
      name: 'name',
      type: 'complex',
      description: 'The parts of the name.',
      subAttributes: [text('formatted', 'The whole name.'), text('familyName', 'The family name.'), text('givenName', 'The given name.')],
    },
    text('displayName', 'The name for display.'),
    {
      name: 'emails',
      type: 'complex',
      multiValued: true,
      maxValues: 20,
      description: 'Email addresses. A new user gets the account of the primary one, whose domain the team must have verified.',
      subAttributes: [
        text('value', 'The address.'),
        text('type', 'What the address is for, such as work.'),
        text('display', 'The address for display.'),
        { name: 'primary', type: 'boolean', description: 'Whether it is the main address.' },
      ],
    },
    { name: 'active', type: 'boolean', description: 'Whether the user is a member of the team.' },
    {
      name: 'groups',
      type: 'complex',
      multiValued: true,
      ...readOnly,
      description: 'The groups of the user.',
      subAttributes: referenceTo(['Group'], 'readOnly'),
    },
  ],
  // The last names are those of the enterprise extension, whose attributes Entra ID sends without the URN, too.
  ignored: new Set(
    'name.middlename name.honorificprefix name.honorificsuffix nickname profileurl title usertype preferredlanguage locale timezone password phonenumbers ims photos addresses entitlements roles x509certificates employeenumber costcenter organization division department manager'.split(
      ' ',
    ),
  ),
}

/** A group of the directory, which can have a role in the team. */
export const groupType: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  description: 'A group of the directory',
  attributes: [
    text('displayName', 'The name of the group.', { required: true, uniqueness: 'server' }),
    {
      name: 'members',
      type: 'complex',
      multiValued: true,
      // The maximum is high, because directories send a group with all its members in one request.
      maxValues: 20_000,
      description: 'The users in the group.',
      subAttributes: referenceTo(['User'], 'immutable'),
    },
  ],
  ignored: new Set(),
}

export const resourceTypes = [userType, groupType] as const
