import { z } from 'zod'
import { invalid } from '../../../../schema/core/errors.ts'
import { mapByType, separateOperatorMembers } from '../../../../schema/oauth/clients/map-members.ts'
import { checkbox, list, optionalText, seconds, text } from '../../framework/field-types.ts'
import { isKind, kinds } from './app-kinds.ts'
import { registeredScopes } from './scope-table.tsx'

const teamMode = z.enum(['NONE', 'OPTIONAL', 'REQUIRED']).catch('REQUIRED')

/** One URI in each line. */
const uris = text.transform((value) => value.split(/\s+/).filter(Boolean))

export const newAppFields = z.object({ name: text, kind: text, redirectUris: uris, scopes: list, requiredScopes: list, teamMode })

/** The registration of a new app. */
export function newAppInput({ kind, scopes, requiredScopes, ...fields }: z.output<typeof newAppFields>) {
  if (!isKind(kind)) throw invalid({ kind: ['Choose a kind.'] })
  const { confidential, grantTypes } = kinds[kind]
  return { ...fields, confidential, grantTypes: [...grantTypes], ...registeredScopes(scopes, requiredScopes, grantTypes) }
}

const [teamMembers] = separateOperatorMembers(
  mapByType({
    uri: () => optionalText,
    name: () => optionalText,
    uris: () => uris,
    number: () => seconds,
    flag: () => checkbox,
    algorithm: () => text,
    keySet: () => optionalText,
  }),
)

export const settingsFields = z.object({
  name: text,
  description: optionalText,
  redirectUris: uris,
  grantTypes: list,
  scopes: list,
  requiredScopes: list,
  teamMode,
  ...teamMembers,
})

/** The changed registration of an app. Every member is sent: an empty field removes the value. */
export const settingsInput = ({ scopes, requiredScopes, ...fields }: z.output<typeof settingsFields>) => ({
  ...fields,
  ...registeredScopes(scopes, requiredScopes, fields.grantTypes),
})
