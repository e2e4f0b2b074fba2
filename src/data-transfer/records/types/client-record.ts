import { z } from 'zod'
import { ClientSource, ClientState } from '../../../../prisma/generated/client/enums.ts'
import { toColumnName } from '../../../../prisma/statement/write-row.ts'
import { text } from '../../../../schema/core/validation.ts'
import { foreignSecret } from '../../../../schema/oauth/clients/client-secret.ts'
import { checkClient, clientMembers, isClientIdentifier, isClientUrl } from '../../../../schema/oauth/clients/client-rules.ts'
import type { Registration } from '../../../../schema/oauth/clients/client-rules.ts'
import { getProperty, mapByType, optionalDefaults, optionalRules, renameMembers } from '../../../../schema/oauth/clients/map-members.ts'
import type { OptionalMember } from '../../../../schema/oauth/clients/optional-members.ts'
import { teamSlug } from '../../../../schema/teams/rules.ts'
import { recordType } from '../record-type.ts'
import { optional, reference, selectObject, stored, storedElsewhere, storedIn } from '../storage.ts'
import { instant, sha256Hex } from '../values.ts'

/** A stored secret, a row of `oauth_client_secrets`. Its writer is import/types/clients.ts. */
const secretHash = z.strictObject({
  sha256: stored('bytea', sha256Hex, { column: 'hash' }),
  expires_at: stored('timestamptz', optional(instant)),
})

/** The selection includes expired secrets, so that the output does not depend on the current time. */
const selectSecrets = (alias: string) =>
  `(SELECT json_agg(${selectObject(secretHash, 's')} ORDER BY s.hash) FROM oauth_client_secrets s WHERE s.oauth_client_id = ${alias}.id)`

const scopes = z.strictObject({ required: clientMembers.requiredScopes, optional: clientMembers.optionalScopes })

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the object is a constant: it has no other keys
const memberNames = Object.keys(clientMembers) as (keyof typeof clientMembers)[]

const optionalMember = <Rule extends z.ZodType>(type: string, member: OptionalMember, rule: Rule) =>
  stored(type, optional(rule), { column: toColumnName(getProperty(member)), default: optionalDefaults[member] ?? undefined })

const optionalSchemas = mapByType({
  uri: (member) => optionalMember('text', member, optionalRules[member]),
  name: (member) => optionalMember('text', member, optionalRules[member]),
  uris: (member) => optionalMember('text[]', member, optionalRules[member]),
  number: (member) => optionalMember('int', member, optionalRules[member]),
  flag: (member) => optionalMember('boolean', member, optionalRules[member]),
  algorithm: (member) => optionalMember('text', member, optionalRules[member]),
  keySet: (member) => optionalMember('jsonb', member, optionalRules[member]),
})

/** The identifier of a client, whose form is checked together with the source. */
const clientId = text
  .max(255)
  .refine(isClientIdentifier, 'The :attribute field must be letters, digits and the characters . _ ~ -, or a URL.')

const schema = z
  .strictObject({
    type: z.literal('client'),
    client_id: stored('text', clientId, { isKey: true }),
    name: stored('text', clientMembers.name),
    description: stored('text', optional(clientMembers.description)),
    redirect_uris: stored('text[]', clientMembers.redirectUris),
    confidential: stored('boolean', clientMembers.confidential),
    client_secret: storedElsewhere(optional(foreignSecret)),
    // Without the hashes, an export and import would lock clients out.
    client_secret_hashes: storedElsewhere(optional(z.array(secretHash).max(2)), selectSecrets),
    grants: stored('text[]', clientMembers.grantTypes, { column: 'grant_types' }),
    scopes: storedIn({ required_scopes: 'text[]', optional_scopes: 'text[]' }, scopes, {
      toColumns: ({ required, optional }) => ({ required_scopes: required, optional_scopes: optional }),
      select: (alias) => `json_build_object('required', ${alias}.required_scopes, 'optional', ${alias}.optional_scopes)`,
    }),
    team: stored('"ClientTeam"', clientMembers.team),
    ...renameMembers(optionalSchemas, 'name'),
    owner_team: reference('team', optional(teamSlug), { column: 'owner_team_id' }),
    source: stored('"ClientSource"', optional(z.enum(ClientSource))),
    fetched_at: stored('timestamptz', optional(instant), { keep: 'NULL' }),
    state: stored('"ClientState"', optional(z.enum(ClientState)), { default: 'listed' }),
    rejection_reason: stored('text', optional(text.max(1000))),
    // The approval validates the value as a registration.
    proposed_changes: stored('jsonb', optional(z.partialRecord(z.enum(memberNames), z.json()))),
    // Without it, an export and import would enable disabled clients.
    disabled_at: stored('timestamptz', optional(instant), { keep: 'NULL' }),
  })
  .superRefine(checkRegistration)
  .superRefine(checkSecrets)
  .superRefine(checkReview)
  .superRefine(checkSource)

export const clientRecord = recordType({
  schema,
  table: 'oauth_clients',
  orderBy: 'e.client_id COLLATE "C"',
  subject: ['client_id'],
  changedAt: 'updated_at',
})

interface Client {
  client_id: string
  redirect_uris: string[]
  confidential: boolean
  grants: Registration['grantTypes']
  scopes: z.output<typeof scopes>
  post_logout_redirect_uris?: string[] | undefined
  require_key_authentication?: boolean | undefined
  jwks?: Registration['jwks'] | undefined
  jwks_uri?: string | undefined
  client_secret?: string | undefined
  owner_team?: string | undefined
  source?: ClientSource | undefined
  state?: ClientState | undefined
  proposed_changes?: object | undefined
  client_secret_hashes?: z.output<typeof secretHash>[] | undefined
}

/** Paths of the record for the members of a registration. */
const paths = {
  redirectUris: ['redirect_uris'],
  grantTypes: ['grants'],
  requiredScopes: ['scopes', 'required'],
  optionalScopes: ['scopes', 'optional'],
  postLogoutRedirectUris: ['post_logout_redirect_uris'],
  requireKeyAuthentication: ['require_key_authentication'],
  jwks: ['jwks'],
  jwksUri: ['jwks_uri'],
}

/** Applies the rules for registering a client. */
function checkRegistration(record: Client, context: z.core.$RefinementCtx<Client>): void {
  const registration = {
    redirectUris: record.redirect_uris,
    confidential: record.confidential,
    grantTypes: record.grants,
    requiredScopes: record.scopes.required,
    optionalScopes: record.scopes.optional,
    postLogoutRedirectUris: record.post_logout_redirect_uris ?? [],
    requireKeyAuthentication: record.require_key_authentication ?? false,
    jwks: record.jwks ?? null,
    jwksUri: record.jwks_uri ?? null,
    ownerTeamId: record.owner_team ?? null,
  }
  checkClient(registration, context, (member) => paths[member])
}

function checkSecrets(record: Client, { addIssue }: z.core.$RefinementCtx<Client>): void {
  const { confidential, client_secret: secret, client_secret_hashes: hashes } = record
  const refuse = (member: keyof Client, message: string) =>
    addIssue({ code: 'custom', path: [member], message: `The :attribute field ${message}.`, input: undefined })
  if (!confidential && secret !== undefined) refuse('client_secret', 'does not go with a public client')
  if (!confidential && hashes?.length) refuse('client_secret_hashes', 'does not go with a public client')
  if (secret !== undefined && hashes !== undefined) refuse('client_secret_hashes', 'does not go with a client secret')
  if (new Set(hashes?.map(({ sha256 }) => sha256)).size !== (hashes?.length ?? 0)) refuse('client_secret_hashes', 'has a duplicate value')
}

/** Requires that only a client by URL has a URL as its identifier, and that it belongs to no team. */
function checkSource({ client_id: id, source, owner_team: team }: Client, { addIssue }: z.core.$RefinementCtx<Client>): void {
  const refuse = (message: string) =>
    addIssue({ code: 'custom', path: ['source'], message: `The :attribute field ${message}.`, input: source })
  const isByUrl = source === 'metadata'
  if (isClientUrl(id) !== isByUrl) refuse('must be metadata if the client id is a URL, and only then')
  if (isByUrl && team !== undefined) refuse('must not be metadata for the client of a team')
}

/** Requires that only clients of teams are reviewed, and that changes wait only for listed ones. */
function checkReview(
  { owner_team: team, source, state = 'listed', proposed_changes: changes }: Client,
  { addIssue }: z.core.$RefinementCtx<Client>,
): void {
  const refuse = (member: keyof Client, message: string) =>
    addIssue({ code: 'custom', path: [member], message: `The :attribute field ${message}.`, input: undefined })
  if (state !== 'listed' && team === undefined && source !== 'metadata') refuse('owner_team', `is required for a client that is ${state}`)
  if (changes !== undefined && (team === undefined || state !== 'listed'))
    refuse('proposed_changes', 'goes with a listed client of a team only')
}
