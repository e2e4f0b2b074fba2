import type { Attribute, JsonObject, ResourceType } from './protocol/attribute.ts'
import { maxResults } from './protocol/list-query.ts'
import { resourceTypes } from './resource-types.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0'

/** Returns the features of the service (RFC 7643 §5). `base` is the URL of all resources. */
export const serviceProviderConfig = (base: string): JsonObject => ({
  schemas: [`${core}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Team token',
      description: 'A team token with the scope acct:team:scim, as a bearer token.',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

/** Returns a type of resources (RFC 7643 §6). */
export const buildResourceType = ({ name, endpoint, description, schema }: ResourceType, base: string): JsonObject & { id: string } => ({
  schemas: [`${core}:ResourceType`],
  id: name,
  name,
  endpoint,
  description,
  schema,
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
})

/** Returns the schema of a type of resources (RFC 7643 §7). */
export const buildSchemaResource = (
  { schema, name, description, attributes }: ResourceType,
  base: string,
): JsonObject & { id: string } => ({
  schemas: [`${core}:Schema`],
  id: schema,
  name,
  description,
  attributes: attributes.map(describe),
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema}` },
})

function describe({ name, type, description, referenceTypes, subAttributes, ...more }: Attribute): JsonObject {
  const {
    multiValued = false,
    required = false,
    caseExact = false,
    mutability = 'readWrite',
    returned = 'default',
    uniqueness = 'none',
  } = more
  return {
    name,
    type,
    multiValued,
    description,
    required,
    caseExact,
    mutability,
    returned,
    uniqueness,
    ...(referenceTypes && { referenceTypes }),
    ...(subAttributes && { subAttributes: subAttributes.map(describe) }),
  }
}

/** Returns all resource types, in their order. */
export const allResourceTypes = (base: string) => resourceTypes.map((type) => buildResourceType(type, base))
export const allSchemas = (base: string) => resourceTypes.map((type) => buildSchemaResource(type, base))
