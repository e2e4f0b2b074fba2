import { checkClient } from '../../../schema/oauth-client-rules.ts'
import type { Registration } from '../../../schema/oauth-client-rules.ts'
import { text } from '../../../schema/validation.ts'

/**
 * A secret that another service gave: characters that HTTP Basic can carry (RFC 6749 §A.2). It is kept as a plain
 * SHA-256, so one that could be found by trying is refused.
 */
export const clientSecretText = text
  .min(16)
  .max(255)
  .regex(/^[\x20-\x7e]*$/, 'The :attribute field must be printable ASCII.')

interface ClientRecord {
  redirect_uris: string[]
  confidential: boolean
  grants: Registration['grantTypes']
  scopes: { required: Registration['requiredScopes']; optional: Registration['optionalScopes'] }
  post_logout_redirect_uris?: string[] | undefined
  client_secret?: string | undefined
  client_secret_hashes?: { sha256: string }[] | undefined
}
interface Refinement {
  addIssue(issue: { code: 'custom'; path: PropertyKey[]; message: string; input: unknown }): void
}

/** The rules of a registration, said with the members of a record, and those of its secrets. */
export function checkClientRecord(record: ClientRecord, refinement: Refinement): void {
  const { confidential, client_secret: secret, client_secret_hashes: hashes } = record
  checkClient(
    {
      redirectUris: record.redirect_uris,
      confidential,
      grantTypes: record.grants,
      requiredScopes: record.scopes.required,
      optionalScopes: record.scopes.optional,
      postLogoutRedirectUris: record.post_logout_redirect_uris ?? [],
    },
    refinement,
    (member) => paths[member],
  )
  const refuse = (member: string, message: string) => refinement.addIssue({ code: 'custom', path: [member], message, input: undefined })
  if (!confidential && secret !== undefined) refuse('client_secret', 'The :attribute field does not go with a public client.')
  if (!confidential && hashes?.length) refuse('client_secret_hashes', 'The :attribute field does not go with a public client.')
  if (secret !== undefined && hashes !== undefined) refuse('client_secret_hashes', 'The :attribute field does not go with a client secret.')
  if (new Set(hashes?.map(({ sha256 }) => sha256)).size !== (hashes?.length ?? 0))
    refuse('client_secret_hashes', 'The :attribute field has a duplicate value.')
}

const paths = {
  redirectUris: ['redirect_uris'],
  grantTypes: ['grants'],
  requiredScopes: ['scopes', 'required'],
  optionalScopes: ['scopes', 'optional'],
  postLogoutRedirectUris: ['post_logout_redirect_uris'],
}
