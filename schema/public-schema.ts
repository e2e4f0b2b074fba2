import { MapperKind, mapSchema, pruneSchema } from '@graphql-tools/utils'
import {
  DirectiveLocation,
  getNamedType,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLList,
  GraphQLNonNull,
  GraphQLSchema,
  GraphQLString,
  isObjectType,
  isUnionType,
  OperationTypeNode,
} from 'graphql'
import type { GraphQLObjectType } from 'graphql'
import { listDirectives } from './builder/nullability.ts'
import { findRequirement, isOperatorOnly } from './core/requires.ts'
import type { Requirement } from './core/requires.ts'
import { schema } from './index.ts'

const strings = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLString)))

const directives = [
  new GraphQLDirective({
    name: 'requiresScopes',
    description: 'The credential needs all scopes of one of the inner lists, as in Apollo Federation.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
    args: {
      scopes: { type: new GraphQLNonNull(new GraphQLList(strings)), description: 'Any one of these lists of scopes is sufficient.' },
    },
  }),
  new GraphQLDirective({
    name: 'requiresRole',
    description: 'The user needs one of these roles in the team.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
    args: { roles: { type: strings, description: 'Any one of these roles is sufficient.' } },
  }),
  new GraphQLDirective({
    name: 'requiresSession',
    description: 'Only a session of the account site can use the field.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
    args: {
      recent: { type: new GraphQLNonNull(GraphQLBoolean), description: 'Whether the user must have signed in within the last 15 minutes.' },
    },
  }),
]

/**
 * Returns the schema that HTTP shows. It excludes the fields of operators and of sign-in pages, which no credential gives access to. The
 * description of each field contains its cost and its requirement, which directives contain, too.
 */
export const publicSchema = (): GraphQLSchema => (cachedSchema ??= derivePublicSchema())
// The schema is derived when it is first requested, because that would delay the start too much.
let cachedSchema: GraphQLSchema | undefined

function derivePublicSchema(): GraphQLSchema {
  const visible = pruneSchema(
    mapSchema(schema, {
      [MapperKind.OBJECT_FIELD]: (field) => {
        const requirement = findRequirement(field.extensions)
        if (requirement && isHidden(requirement)) return null
        const added = [getCost(field.extensions), requirement && formatSentence(requirement)].filter(Boolean)
        const description = added.length > 0 ? [field.description, ...added].filter(Boolean).join('\n\n') : field.description
        const directives = requirement && { directives: { ...listDirectives(field), ...directivesOfRequirement(requirement) } }
        return { ...field, description, extensions: { ...field.extensions, ...directives } }
      },
    }),
  )
  const config = pruneSchema(withoutUnreferenced(visible)).toConfig()
  return new GraphQLSchema({ ...config, directives: [...config.directives, ...directives] })
}

/** Removes the types that only `node` could return. Types that no visible field returns, such as `SigningKey`, are for operators. */
function withoutUnreferenced(visible: GraphQLSchema): GraphQLSchema {
  const referenced = new Set(Object.values(OperationTypeNode).map((root) => visible.getRootType(root)?.name))
  for (const type of Object.values(visible.getTypeMap())) {
    if (isObjectType(type)) for (const field of Object.values(type.getFields())) referenced.add(getNamedType(field.type).name)
    if (isUnionType(type)) for (const member of type.getTypes()) referenced.add(member.name)
  }
  const isReferenced = (type: GraphQLObjectType) => referenced.has(type.name) || type.getInterfaces().some(({ name }) => name !== 'Node')
  return mapSchema(visible, { [MapperKind.OBJECT_TYPE]: (type) => (isReferenced(type) ? type : null) })
}

const isHidden = (requirement: Requirement) => requirement.browser === true || (isOperatorOnly(requirement) && !requirement.staffRole)

const needsSession = ({ authenticationMethod }: Requirement) => authenticationMethod?.length === 1 && authenticationMethod[0] === 'session'

const directivesOfRequirement = (requirement: Requirement) => ({
  ...(requirement.scopes.length > 0 && { requiresScopes: { scopes: requirement.scopes.map((scope) => [scope]) } }),
  ...(requirement.roles && { requiresRole: { roles: requirement.roles.map((role) => role.toUpperCase()) } }),
  ...(needsSession(requirement) && { requiresSession: { recent: requirement.recentSignIn ?? false } }),
})

/** Returns the cost of a field, if it is a number other than the usual 1. The description of the schema explains the cost. */
function getCost(extensions: object | null | undefined): string | null {
  const { complexity } = Object(extensions)
  const cost = typeof complexity === 'number' ? complexity : Object(complexity).field
  return typeof cost === 'number' && cost > 1 ? `Costs ${cost} besides the selected fields.` : null
}

function formatSentence(requirement: Requirement): string | null {
  const { scopes, roles, application, isStaffOnly, recentSignIn, staffRole } = requirement
  const asStaff =
    staffRole &&
    `a user who is staff with the role ${staffRole.toUpperCase()}, and the scope \`acct:staff:write\` or a session with a recent sign-in and two factors`
  if (asStaff && isOperatorOnly(requirement)) return `Requires ${asStaff}.`
  const needs = [
    scopes.length > 0 && `the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}`,
    application && `access to the product \`${application}\` in at least one team`,
    roles && `the role ${roles.map((role) => role.toUpperCase()).join(' or ')}`,
    needsSession(requirement) && 'a session of the account site',
    isStaffOnly && 'a user who is staff, with a session or a personal access token',
    recentSignIn && 'a sign-in within the last 15 minutes if it is used with a session',
  ].filter((need) => typeof need === 'string')
  const sentence = needs.length > 0 ? `Requires ${needs.join(', and ')}.` : null
  return asStaff ? `${sentence} With a reason, it requires ${asStaff}.` : sentence
}
